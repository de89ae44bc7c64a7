// The errors of compiling CUDA. Codes are a closed union: programs switch over them, so a new one is a change of the API.

import { ToolError, type ToolErrorDetails } from "../tool-error.js";

/**
 * The failures of compiling CUDA.
 *
 * - `COMPILATION`: the source has errors.
 * - `MISSING_HEADER`: a header that the source includes was not found.
 * - `UNSUPPORTED_ARCH`: the compiler is too old or too new for the architecture.
 * - `INVALID_ARGUMENT`: the source is not text, is empty or has a NUL, or an option does not exist, has an invalid
 * value, or does not apply to this backend or output.
 * - `OUT_OF_MEMORY`: the compiler ran out of memory or exceeded its memory limit.
 * - `CRASHED`: the compiler's process died.
 * - `INTERNAL`: the compiler failed without a reason or could not be started, or nvcc found no host compiler.
 * - `TIMEOUT`, `ABORTED`, `DISPOSED`: the time limit was exceeded, the signal was aborted, the compiler was disposed.
 * - `UNAVAILABLE`: nothing on this machine can compile CUDA (`what` is `backend`), or `arch` is `native` without a GPU
 * or its driver (`what` is `driver`).
 */
export type CudaCompileErrorCode =
  | "COMPILATION"
  | "MISSING_HEADER"
  | "UNSUPPORTED_ARCH"
  | "INVALID_ARGUMENT"
  | "OUT_OF_MEMORY"
  | "CRASHED"
  | "INTERNAL"
  | "TIMEOUT"
  | "ABORTED"
  | "DISPOSED"
  | "UNAVAILABLE";

/** A message of a CUDA compiler. */
export interface CudaDiagnostic {
  readonly severity: "fatal" | "error" | "warning" | "remark" | "note";
  /** The file as the compiler names it: the source's `name` or a header; absent if the message is not about a file. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1, in UTF-16 units; absent if the compiler does not mark a place in the line. */
  readonly column?: number;
  /** For example, `177-D`, in the form that options for suppressing warnings take. */
  readonly number?: string;
  readonly message: string;
  /** The source line with a caret, as two lines of text. */
  readonly frame?: string;
}

/** The details of an error besides its message. */
export type CudaCompileErrorDetails = ToolErrorDetails<CudaDiagnostic>;

/** A failure of compiling CUDA. */
export class CudaCompileError extends ToolError<CudaCompileErrorCode, CudaDiagnostic> {
  override readonly name: string = "CudaCompileError";
}
