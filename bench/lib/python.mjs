// Python libraries that benchmarks compare with, in virtual environments that pip fills once.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Libraries that are installed together: the folder in `.deps`, and versions for pip.
 *
 * @typedef {{ folder: string, packages: readonly string[] }} Libraries
 */

/** Of searches. @type {Libraries} */
const SEARCHING = {
  folder: "bench-python",
  packages: ["pyoperon==0.6.2", "gplearn==0.4.3", "numexpr==2.14.2", "numba==0.68.1", "ribs==0.12.0"],
};

/** Of models, in environments of their own, because not every one can be installed everywhere. @type {Record<string, Libraries>} */
export const LEARNING = {
  models: {
    folder: "bench-learn",
    packages: ["numpy==2.2.6", "scikit-learn==1.7.2", "lightgbm==4.6.0", "catboost==1.2.8"],
  },
  xgboost: { folder: "bench-xgboost", packages: ["numpy==2.2.6", "xgboost-cpu==3.0.5"] },
  torch: { folder: "bench-torch", packages: ["numpy==2.2.6", "torch==2.13.0"] },
  jax: { folder: "bench-jax", packages: ["numpy==2.2.6", "jax==0.6.2"] },
};

/**
 * Runs a script of this folder with the libraries, and returns the JSON that it prints; `undefined` if they cannot be
 * installed, which is said once on stderr.
 *
 * @param {string} script
 * @param {readonly (string | number)[]} args
 */
export function runPython(script, args, libraries = SEARCHING) {
  const python = environment(libraries);
  if (python === undefined) return undefined;
  const path = fileURLToPath(new URL(script, import.meta.url));
  return JSON.parse(execFileSync(python, [path, ...args.map(String)], { encoding: "utf8" }));
}

/** The interpreters of the environments that were asked for. @type {Map<string, string | undefined>} */
const found = new Map();

/** @param {Libraries} libraries */
function environment({ folder, packages }) {
  if (found.has(folder)) return found.get(folder);
  const path = fileURLToPath(new URL(`../../.deps/${folder}`, import.meta.url));
  const python = join(path, "bin", "python");
  const done = join(path, "done");
  found.set(folder, python);
  try {
    if (!existsSync(done) || readFileSync(done, "utf8") !== packages.join("\n")) {
      rmSync(path, { recursive: true, force: true });
      execFileSync("python3", ["-m", "venv", path], { stdio: "pipe" });
      execFileSync(python, ["-m", "pip", "install", "--quiet", ...packages], { stdio: "pipe" });
      writeFileSync(done, packages.join("\n"));
    }
  } catch (error) {
    const text = error instanceof Error ? error.message.split("\n")[0] : String(error);
    const names = packages.map((each) => each.split("==")[0]).join(", ");
    process.stderr.write(`without ${names}, which cannot be installed: ${text}\n`);
    found.set(folder, undefined);
  }
  return found.get(folder);
}
