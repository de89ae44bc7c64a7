// Checks the declarations of all packages together, as the oldest supported TypeScript reads them in a program for Node:
// without the DOM library.

import { execFile } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { specifiersOf, withAllInstalled } from "./installed.mjs";
import { ROOT } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

const execute = promisify(execFile);

const TSC = join(ROOT, "node_modules/typescript-oldest/bin/tsc");
const WORDS = [
  ...["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--skipDefaultLibCheck", "--pretty", "false"],
  ...["--target", "es2022", "--lib", "es2022", "--types", "node"],
  ...["--module", "nodenext", "--moduleResolution", "nodenext"],
];

/**
 * @param {readonly Packed[]} all every packed package
 * @returns {Promise<string[]>} problems
 */
export function checkOldestTypes(all) {
  return withAllInstalled(all, all, async (folder) => {
    mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
    symlinkSync(
      realpathSync(join(ROOT, "node_modules/@types/node")),
      join(folder, "node_modules/@types/node"),
      "dir",
    );
    const lines = all
      .flatMap((packed) => specifiersOf(packed).modules)
      .map((specifier, index) => `export * as m${index} from ${JSON.stringify(specifier)};`);
    writeFileSync(join(folder, "imports.ts"), `${lines.join("\n")}\n`);
    const ended = await execute(process.execPath, [TSC, ...WORDS, "imports.ts"], { cwd: folder }).catch(
      (error) => error,
    );
    return ended.code === undefined
      ? []
      : String(ended.stdout || ended.message)
          .trim()
          .split("\n");
  });
}
