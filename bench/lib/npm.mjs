// Libraries of npm that benchmarks compare with, outside the workspace.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installed } from "./libraries.mjs";

/** Of models. @type {import("./libraries.mjs").Libraries} */
export const TFJS = {
  folder: "bench-tfjs",
  packages: ["@tensorflow/tfjs@4.22.0", "@tensorflow/tfjs-backend-wasm@4.22.0"],
};

const NPM_OPTIONS = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];

/**
 * Runs a script with the folder of libraries as its argument, and returns the JSON that it prints; `undefined` if they cannot
 * be installed, which is said once on stderr.
 *
 * @param {URL} script
 * @param {import("./libraries.mjs").Libraries} libraries
 */
export function runWithLibraries(script, libraries) {
  const folder = installed(libraries, (path) => {
    execFileSync("npm", ["install", ...NPM_OPTIONS, "--prefix", path, ...libraries.packages], {
      stdio: "pipe",
    });
  });
  return folder && runNode(script, [folder]);
}

/** Runs a script in a process of its own, and returns the JSON that it prints. @param {URL} script */
export const runNode = (script, args) =>
  JSON.parse(execFileSync(process.execPath, [fileURLToPath(script), ...args], { encoding: "utf8" }));
