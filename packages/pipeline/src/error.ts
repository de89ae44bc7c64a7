// The error of this package, for mistakes in how a pipeline is set up and for what ends a run. What goes wrong in one program is a status
// of its result instead.
import { MmPtxError } from "@mm-ptx/types/core";

/**
 * INVALID_ARGUMENT: an option or an argument is wrong. NOT_FOUND: a kernel, site or file that was named does not exist.
 * FILE_FORMAT: the content of a file is not what it should be. INSUFFICIENT_BUFFER: a buffer is too small for the alternatives of a
 * launch. PRODUCER_FAILED: the iterable of programs threw; the error is the `cause`. COMPILER_FAILED: a compiler that is not a
 * `PtxCompiler` broke its stream. STORE: the results store can't be read or written. DEVICE_LOST: the device failed and can't be opened
 * again. ABORTED: the signal was aborted. DISPOSED: the pipeline was disposed.
 */
export type PipelineErrorCode =
  | "ABORTED"
  | "COMPILER_FAILED"
  | "DEVICE_LOST"
  | "DISPOSED"
  | "FILE_FORMAT"
  | "INSUFFICIENT_BUFFER"
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "PRODUCER_FAILED"
  | "STORE";

/** The error of `@mm-ptx/pipeline`. */
export class PipelineError extends MmPtxError<PipelineErrorCode> {
  override readonly name: string = "PipelineError";
}
