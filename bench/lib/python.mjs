// Python libraries that benchmarks compare with, in a virtual environment that pip fills once.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = ["pyoperon==0.6.2", "gplearn==0.4.3", "numexpr==2.14.2", "numba==0.68.1", "ribs==0.12.0"];
const FOLDER = fileURLToPath(new URL("../../.deps/bench-python", import.meta.url));

/**
 * Runs a script of this folder with the libraries, and returns the JSON that it prints; `undefined` if they cannot be
 * installed, which is said once on stderr.
 *
 * @param {string} script
 * @param {readonly (string | number)[]} args
 */
export function runPython(script, args) {
  const python = environment();
  if (python === undefined) return undefined;
  const path = fileURLToPath(new URL(script, import.meta.url));
  return JSON.parse(execFileSync(python, [path, ...args.map(String)], { encoding: "utf8" }));
}

/** @type {string | null | undefined} */
let found;

/** The interpreter of the environment. */
function environment() {
  if (found !== undefined) return found ?? undefined;
  const python = join(FOLDER, "bin", "python");
  const done = join(FOLDER, "done");
  try {
    if (!existsSync(done) || readFileSync(done, "utf8") !== PACKAGES.join("\n")) {
      rmSync(FOLDER, { recursive: true, force: true });
      execFileSync("python3", ["-m", "venv", FOLDER], { stdio: "pipe" });
      execFileSync(python, ["-m", "pip", "install", "--quiet", ...PACKAGES], { stdio: "pipe" });
      writeFileSync(done, PACKAGES.join("\n"));
    }
    found = python;
  } catch (error) {
    const text = error instanceof Error ? error.message.split("\n")[0] : String(error);
    process.stderr.write(
      `without pyoperon, gplearn, numexpr, numba and ribs, which cannot be installed: ${text}\n`,
    );
    found = null;
  }
  return found ?? undefined;
}
