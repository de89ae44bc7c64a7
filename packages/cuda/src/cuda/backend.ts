// The interface between the compiler object and the CUDA compilers. A backend takes one source and reports the outcome;
// the compiler object handles signals, timeouts and error classes.

import type { Begin } from "../toolkit/tasks.js";
import type { CudaCompileErrorCode } from "./error.js";
import type { CudaBackendName, CudaCompileOptions } from "./options.js";

/** The outcome of a compile. */
export interface CudaOutcome {
  /** Absent if it failed. */
  readonly output?: string | Uint8Array;
  readonly log: string;
  /** By the requested names. */
  readonly loweredNames: Readonly<Record<string, string>>;
  /** The failure as a code and a sentence, if the log does not describe it. */
  readonly failure?: { readonly code: CudaCompileErrorCode; readonly how: string };
}

export interface CudaBackend {
  readonly name: CudaBackendName;
  /** The compiler's version as far as it reports it, for example `13.0` or `13.0.88`. */
  readonly version: string;
  readonly path: string;
  compile(source: string, options: CudaCompileOptions): Begin<CudaOutcome>;
}
