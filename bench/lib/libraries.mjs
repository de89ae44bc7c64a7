// Libraries that benchmarks compare with, installed on demand in folders of `.deps`.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Libraries that are installed together: the folder in `.deps`, and packages with versions.
 *
 * @typedef {{ folder: string, packages: readonly string[] }} Libraries
 */

/** The folders that were asked for. @type {Map<string, string | undefined>} */
const found = new Map();

/**
 * The folder of libraries, which are installed unless these versions are there; `undefined` if they cannot be installed, which is said once
 * on stderr.
 *
 * @param {Libraries} libraries
 * @param {(path: string) => void} install fills an empty folder
 */
export function installed({ folder, packages }, install) {
  if (found.has(folder)) return found.get(folder);
  const path = fileURLToPath(new URL(`../../.deps/${folder}`, import.meta.url));
  const done = join(path, "done");
  found.set(folder, path);
  try {
    if (!existsSync(done) || readFileSync(done, "utf8") !== packages.join("\n")) {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { recursive: true });
      install(path);
      writeFileSync(done, packages.join("\n"));
    }
  } catch (error) {
    const text = error instanceof Error ? error.message.split("\n")[0] : String(error);
    const names = packages.map((each) => each.replace(/[@=]+[^@=]*$/, "")).join(", ");
    process.stderr.write(`without ${names}, which cannot be installed: ${text}\n`);
    found.set(folder, undefined);
  }
  return found.get(folder);
}
