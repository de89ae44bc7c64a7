// Where the command-line assembler is, and which version it has.

import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

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
    if (!isExecutable(path)) continue;
    const version = versionOf(path);
    if (version !== undefined) return { path, version };
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function versionOf(path: string): string | undefined {
  const run = spawnSync(path, ["--version"], {
    encoding: "utf8",
    timeout: 10_000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return run.error === undefined ? /V(\d+\.\d+\.\d+)/.exec(run.stdout)?.[1] : undefined;
}
