// The error of this package. What goes wrong with one candidate is a status of its scores instead.
import { MmPtxError } from "@mm-ptx/types/core";

/**
 * INVALID_ARGUMENT: an option or an argument is invalid. FILE_FORMAT: a file has invalid content. BAD_DATA: the data of a regression can't
 * be used. EMITTER_FAILED: a user's emitter threw, or returned something other than genomes. EVALUATOR_FAILED: an evaluator threw, or
 * returned something other than results; what it threw is the `cause`. RECORD: a run's folder can't be read or written. RUN_LOCKED:
 * another process uses the folder. RUN_MISMATCH: a run was made by another version, or for something else. NOT_FOUND: a run, cell,
 * operator or file with the given name does not exist. UNSUPPORTED: this space or archive does not have the feature. MISSING_PACKAGE: an
 * optional package is not installed. ABORTED: the signal was aborted. DISPOSED: the search was disposed.
 */
export type SearchErrorCode =
  | "ABORTED"
  | "BAD_DATA"
  | "DISPOSED"
  | "EMITTER_FAILED"
  | "EVALUATOR_FAILED"
  | "FILE_FORMAT"
  | "INVALID_ARGUMENT"
  | "MISSING_PACKAGE"
  | "NOT_FOUND"
  | "RECORD"
  | "RUN_LOCKED"
  | "RUN_MISMATCH"
  | "UNSUPPORTED";

/** The error of `@mm-ptx/search`. */
export class SearchError extends MmPtxError<SearchErrorCode> {
  override readonly name: string = "SearchError";
}
