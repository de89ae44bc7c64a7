// The errors of compiling CUDA. Codes are a closed union: programs switch over them, so a new one is a change of the API.

import { ToolError, type ToolErrorDetails } from "../tool-error.js";

/**
 * What went wrong with a compile of CUDA.
 *
 * - `COMPILATION`: the source has errors.
 * - `MISSING_HEADER`: a header that the source includes was not found.
 * - `UNSUPPORTED_ARCH`: the compiler is of another time than the architecture.
 * - `REFUSED_INPUT`: the source is no text, is empty, or has a NUL.
 * - `MEMORY`: the compiler ran out of memory, or needs more than it may have.
 * - `CRASHED`: the compiler's process died.
 * - `INTERNAL`: the compiler failed and did not say why, or could not be started; or nvcc found no compiler of the host.
 * - `TIMEOUT`, `ABORTED`, `DISPOSED`: the time was over, the signal was raised, the compiler was disposed.
 * - `INVALID_OPTION`: an option that does not exist, has no such value, or is not for this backend or output.
 * - `BACKEND_MISSING`: nothing on this machine can compile CUDA.
 */
export type CudaCompileErrorCode =
  | "COMPILATION"
  | "MISSING_HEADER"
  | "UNSUPPORTED_ARCH"
  | "REFUSED_INPUT"
  | "MEMORY"
  | "CRASHED"
  | "INTERNAL"
  | "TIMEOUT"
  | "ABORTED"
  | "DISPOSED"
  | "INVALID_OPTION"
  | "BACKEND_MISSING";

/** One message of a CUDA compiler. */
export interface CudaDiagnostic {
  readonly severity: "fatal" | "error" | "warning" | "remark" | "note";
  /** As the compiler names it: the source's `name`, a header, or absent when the message is about none. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1, in UTF-16 units; absent when the compiler shows no place in the line. */
  readonly column?: number;
  /** For example `177-D`, as options that suppress a warning take it. */
  readonly number?: string;
  readonly message: string;
  /** The source line with a caret, as two lines of text. */
  readonly frame?: string;
}

/** What an error knows besides its message. */
export type CudaCompileErrorDetails = ToolErrorDetails<CudaDiagnostic>;

/** Every failure of compiling CUDA. */
export class CudaCompileError extends ToolError<CudaCompileErrorCode, CudaDiagnostic> {}
