// The error of this package: what is wrong with a code, a column or an argument, and where.
import { MmPtxError } from "@mm-ptx/types/core";

/**
 * BAD_CODE: words that are no straight-line code of this version. UNSUPPORTED_INSTRUCTION: an instruction that is not a
 * function of single values. INSUFFICIENT_BUFFER: memory is short. INVALID_ARGUMENT: a call is wrong.
 */
export type ColumnsErrorCode =
  | "BAD_CODE"
  | "INSUFFICIENT_BUFFER"
  | "INVALID_ARGUMENT"
  | "UNSUPPORTED_INSTRUCTION";

/** Where in a batch an error occurred. */
export interface CodePlace {
  /** The index of the code in its batch. */
  readonly code: number;
  /** The number of the item, which is the number of its value; `undefined` if the error concerns the code as a whole. */
  readonly item: number | undefined;
}

/** The error of `@mm-ptx/columns`. */
export class ColumnsError extends MmPtxError<ColumnsErrorCode> {
  override readonly name: string = "ColumnsError";
  /** The code that is wrong; `undefined` when the error does not concern a code. */
  readonly place: CodePlace | undefined;

  constructor(code: ColumnsErrorCode, message: string, place?: CodePlace, options?: { cause?: unknown }) {
    super(code, place === undefined ? message : `${message} (${describePlace(place)})`, options);
    this.place = place;
  }
}

function describePlace({ code, item }: CodePlace): string {
  return item === undefined ? `code ${code}` : `code ${code}, item ${item}`;
}
