// Finds the command-line assembler and its version.

import { findTool, type Search } from "../toolkit/find.js";
import { versionOf } from "../toolkit/version.js";

/** The result of `findPtxas`. */
export interface Ptxas {
  readonly path: string;
  /** For example, `13.0.88`. */
  readonly version: string;
}

/** The first assembler that runs, with every place that was tried before. The value is its version. */
export function searchPtxas(): Search<string> {
  return findTool("ptxas", versionOf);
}

/**
 * The first `ptxas` that runs and reports its version, or `undefined`: the one that `MM_PTX_PTXAS` names, on PATH, in a
 * CUDA toolkit, one that `mm-ptx fetch` downloaded, in NVIDIA's Python packages. The first call takes about 10 ms.
 */
export function findPtxas(): Ptxas | undefined {
  const { found } = searchPtxas();
  return found && { path: found.path, version: found.value };
}
