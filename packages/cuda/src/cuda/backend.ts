// The interface between the compiler object and the CUDA compilers. A backend takes one source and reports the outcome;
// the compiler object handles signals, timeouts and error classes.

import type { Begin } from "../toolkit/tasks.js";
import type { ProbedFiles } from "./cache/file-list.js";
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
  /** The files that the compile depends on; absent if they were not requested or are not known. */
  readonly files?: ProbedFiles;
}

export interface CudaBackend {
  readonly name: CudaBackendName;
  /** The compiler's version as far as it reports it, for example `13.0` or `13.0.88`. */
  readonly version: string;
  readonly path: string;
  /** The time limit of a compile for which the caller sets none; undefined: no limit. */
  readonly timeoutMs?: number;
  /**
   * What a result depends on besides the source, the options, the version and the headers: the compiler itself, the
   * folders of headers and the environment.
   */
  surroundings(): readonly unknown[];
  /** @param withFiles whether the outcome has `files` */
  compile(source: string, options: CudaCompileOptions, withFiles: boolean): Begin<CudaOutcome>;
}
