// Finds the command-line assembler and its version.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { versionOf } from "../toolkit/version.js";

/** The result of `findPtxas`. */
export interface Ptxas {
  readonly path: string;
  /** For example, `13.0.88`. */
  readonly version: string;
}

const found = new Map<string, Ptxas | undefined>();

/**
 * The first `ptxas` on PATH that runs and reports its version, or `undefined`. The first call takes about 10 ms; the
 * result is cached for each value of PATH.
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
