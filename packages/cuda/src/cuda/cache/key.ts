// Everything besides headers that determines the result of compiling CUDA, as one hash.

import { hash } from "node:crypto";
import type { CudaBackend } from "../backend.js";
import type { CudaCompileOptions } from "../options.js";

/** Raised when the meaning of the same options or the form of an entry changes. */
const SCHEMA = "mm-ptx cuda 2";

/**
 * 64 hex digits. Header texts and the search path belong to the options; the files that are found there do not.
 *
 * @param options resolved options
 */
export function cudaKey(backend: CudaBackend, source: string, options: CudaCompileOptions): string {
  const { signal: _, timeoutMs: __, ...decisive } = options;
  const sorted = Object.entries(decisive).sort(([a], [b]) => (a < b ? -1 : 1));
  const { name, version } = backend;
  const compiler = [name, version, process.arch, backend.surroundings()];
  return hash("sha256", JSON.stringify([SCHEMA, ...compiler, sorted, source]));
}
