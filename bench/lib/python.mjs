// Python libraries that benchmarks compare with, in virtual environments that pip fills once.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "./libraries.mjs";

/** Of searches. @type {import("./libraries.mjs").Libraries} */
const SEARCHING = {
  folder: "bench-python",
  packages: ["pyoperon==0.6.2", "gplearn==0.4.3", "numexpr==2.14.2", "numba==0.68.1", "ribs==0.12.0"],
};

/** Of models, in environments of their own, because not every one can be installed everywhere. @type {Record<string, import("./libraries.mjs").Libraries>} */
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

/** The interpreter of a virtual environment. @param {import("./libraries.mjs").Libraries} libraries */
function environment(libraries) {
  const pythonOf = (path) => join(path, "bin", "python");
  const path = installed(libraries, (path) => {
    execFileSync("python3", ["-m", "venv", path], { stdio: "pipe" });
    execFileSync(pythonOf(path), ["-m", "pip", "install", "--quiet", ...libraries.packages], {
      stdio: "pipe",
    });
  });
  return path && pythonOf(path);
}
