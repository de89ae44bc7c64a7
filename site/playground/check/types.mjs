// Checks the types of the page, which Vite only strips.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const COMPILER = fileURLToPath(new URL("../../../node_modules/typescript-native/bin/tsc", import.meta.url));
const PROJECT = fileURLToPath(new URL("../tsconfig.json", import.meta.url));

/** @returns {Promise<string[]>} the errors of the compiler */
export async function typeProblems() {
  try {
    await execute(process.execPath, [COMPILER, "-p", PROJECT, "--pretty", "false"]);
    return [];
  } catch (error) {
    const { stdout = "", message } = /** @type {Error & { stdout?: string }} */ (error);
    const errors = stdout.split("\n").filter((line) => /\berror TS\d+/.test(line));
    return errors.length > 0 ? errors : [message];
  }
}
