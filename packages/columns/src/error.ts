// The error of this package: what is wrong with a code, a column or an argument, and where.
import { MmPtxError, type Position, type Span } from "@mm-ptx/types/core";

/**
 * BAD_CODE: words that are not straight-line code of this version. UNSUPPORTED_INSTRUCTION: an instruction that is not
 * a function of single values. INSUFFICIENT_BUFFER: there is not enough memory. INVALID_ARGUMENT: an argument is
 * invalid. WORKER_LOST: a thread cannot be started, or has ended. REFERENCE_FAILED: a reference function threw, or did
 * not return a number. The others are about the text of a stub. SYNTAX: it is not PTX. BAD_OPERAND: an operand that its
 * instruction does not accept. UNWRITTEN_REGISTER: a register is read that may have no value.
 */
export type ColumnsErrorCode =
  | "BAD_CODE"
  | "BAD_OPERAND"
  | "INSUFFICIENT_BUFFER"
  | "INVALID_ARGUMENT"
  | "REFERENCE_FAILED"
  | "SYNTAX"
  | "UNSUPPORTED_INSTRUCTION"
  | "UNWRITTEN_REGISTER"
  | "WORKER_LOST";

/** Where in a batch an error occurred. */
export interface CodePlace {
  /** The index of the code in its batch. */
  readonly code: number;
  /** The number of the item, which is the number of its value; `undefined` if the error concerns the code as a whole. */
  readonly item: number | undefined;
}

/** Where in the text of a stub an error occurred. */
export interface SourcePlace extends Position {
  readonly span: Span;
}

/** The error of `@mm-ptx/columns`. */
export class ColumnsError extends MmPtxError<ColumnsErrorCode> {
  override readonly name: string = "ColumnsError";
  /** The code that is wrong; `undefined` when the error does not concern a code. */
  readonly place: CodePlace | undefined;
  /** The place in the text of a stub, whose line the message shows; `undefined` when the error does not concern a text. */
  readonly source: SourcePlace | undefined;

  constructor(
    code: ColumnsErrorCode,
    message: string,
    place?: CodePlace,
    { source, ...options }: { readonly cause?: unknown; readonly source?: SourcePlace } = {},
  ) {
    super(code, place === undefined ? message : `${message} (${describePlace(place)})`, options);
    this.place = place;
    this.source = source;
  }
}

function describePlace({ code, item }: CodePlace): string {
  return item === undefined ? `code ${code}` : `code ${code}, item ${item}`;
}
