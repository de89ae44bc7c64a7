// Where the command-line assembler is, and which version it has.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { versionOf } from "../toolkit/version.js";

/** The assembler that `findPtxas` found. */
export interface Ptxas {
  readonly path: string;
  /** For example `13.0.88`. */
  readonly version: string;
}

const found = new Map<string, Ptxas | undefined>();

/**
 * The first `ptxas` on PATH that runs and tells its version, or `undefined`. Takes some 10 ms the first time; the answer
 * is kept for each value of PATH.
 */
export function findPtxas(): Ptxas | undefined {
  const path = process.env.PATH ?? "";
  if (!found.has(path)) found.set(path, search(path));
  return found.get(path);
}

function search(pathVariable: string): Ptxas | undefined {
  for (const folder of pathVariable.split(delimiter)) {
    if (folder === "") continue;
    const path = join(folder, process.platform === "win32" ? "ptxas.exe" : "ptxas");
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return { path, version: versionOf(path) };
    } catch {
      // The next folder may have one that runs.
    }
  }
  return undefined;
}
