// What compiles CUDA, seen from the compiler object. A backend takes one source and tells what became of it; signals,
// timeouts and error classes are not its business.

import type { Begin } from "../toolkit/tasks.js";
import type { CudaCompileErrorCode } from "./error.js";
import type { CudaBackendName, CudaCompileOptions } from "./options.js";

/** What became of one compile. */
export interface CudaOutcome {
  /** Absent when it failed. */
  readonly output?: string | Uint8Array;
  readonly log: string;
  /** By the names that were asked for. */
  readonly loweredNames: Readonly<Record<string, string>>;
  /** How it failed, where the log does not say: a code and a sentence. */
  readonly failure?: { readonly code: CudaCompileErrorCode; readonly how: string };
}

export interface CudaBackend {
  readonly name: CudaBackendName;
  /** For example `13.0` or `13.0.88`, as far as it tells. */
  readonly version: string;
  readonly path: string;
  compile(source: string, options: CudaCompileOptions): Begin<CudaOutcome>;
}
