// The error of this package.
import { MmPtxError } from "@mm-ptx/types/core";

/**
 * INVALID_ARGUMENT: an option or an argument is invalid. NOT_FINITE: a row or a label contains a NaN or an infinity. NOT_FITTED: the model
 * has not learned enough yet. TOO_FEW_ROWS: a table has no rows to learn from. BAD_MODEL: bytes are not a saved model of this kind and
 * version.
 */
export type LearnErrorCode = "BAD_MODEL" | "INVALID_ARGUMENT" | "NOT_FINITE" | "NOT_FITTED" | "TOO_FEW_ROWS";

/** The error of `@mm-ptx/learn`. */
export class LearnError extends MmPtxError<LearnErrorCode> {
  override readonly name: string = "LearnError";
}
