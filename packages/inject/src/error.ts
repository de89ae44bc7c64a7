// The errors of this package. Errors about a text contain the place in it, and their messages show the line
// with carets.
import { codeFrame, MmPtxError, type Position, type Span } from "@mm-ptx/types/core";

/** The codes of `PtxInjectError`, named as in mm-ptx, without the prefix `PTX_INJECT_ERROR_`. */
export type PtxInjectErrorCode =
  /** A site in PTX, or an annotation in CUDA, is malformed. */
  | "FORMATTING"
  /** Two sites of the same name have different operands. */
  | "INCONSISTENT_INJECTION"
  /** An annotation or a 0.x site names a type that the description lacks. */
  | "UNKNOWN_TYPE"
  /** Two operands of an annotation have the same name. */
  | "DUPLICATE_OPERAND"
  /** An injection of the text has no stub. */
  | "WRONG_NUM_STUBS"
  /** There is no injection of this name. */
  | "INJECTION_NAME_NOT_FOUND"
  /** The injection has no operand of this name. */
  | "INJECTION_ARG_NAME_NOT_FOUND"
  /** There is no injection or operand of this index. */
  | "OUT_OF_BOUNDS_IDX"
  /** A stub would change the text around it: a marker, or an unclosed brace, string or comment. */
  | "INVALID_STUB"
  /** The operand or the register named by `select` cannot choose between alternatives. */
  | "INVALID_SELECTOR"
  /** The text contains something that cannot be repeated by packing or expanding. */
  | "CANNOT_REPEAT"
  /** A stub is not a string. */
  | "INVALID_INPUT"
  /** Any other argument or option is invalid. */
  | "INVALID_ARGUMENT"
  /** The rendered text does not fit into the given bytes. */
  | "INSUFFICIENT_BUFFER"
  /** The bytes are not annotated PTX, have another version of the format, or violate it. */
  | "FILE_FORMAT"
  /** The bytes of annotated PTX are incomplete. */
  | "FILE_TRUNCATED"
  /** The bytes of annotated PTX are corrupt. */
  | "FILE_CHECKSUM"
  /** None of the available types are those that a kernel file was made with. */
  | "FILE_TABLE";

/** A problem in a CUDA source, with its line and column. */
export interface CudaProblem extends Position {
  readonly code: PtxInjectErrorCode;
  /** What was expected and what was found. */
  readonly message: string;
  readonly span: Span;
  /** A related place: for INCONSISTENT_INJECTION, the first annotation of the name. */
  readonly related?: Span;
}

/** The error that `@mm-ptx/inject` throws. */
export class PtxInjectError extends MmPtxError<PtxInjectErrorCode> {
  override readonly name: string = "PtxInjectError";
  /** The place in the text that was read, or in the stub for INVALID_STUB; `undefined` if there is none. */
  readonly span: Span | undefined;
  /**
   * For errors of `annotateCuda`, the problems of the source, at most the first 20, in source order;
   * otherwise empty. The error's `code` and `span` are those of the first problem.
   */
  readonly problems: readonly CudaProblem[];
  /** The number of problems in the source, which may exceed the length of `problems`. */
  readonly total: number;
  /** For `FILE_…` codes, the offset of the offending byte, or of the beginning of the offending part. */
  readonly offset: number | undefined;

  constructor(
    code: PtxInjectErrorCode,
    message: string,
    place?: { readonly text: string; readonly span: Span },
    problems: readonly CudaProblem[] = [],
    offset?: number,
    total = problems.length,
  ) {
    super(code, place === undefined ? message : `${message}\n${codeFrame(place.text, place.span)}`);
    this.span = place?.span ?? problems[0]?.span;
    this.problems = problems;
    this.total = total;
    this.offset = offset;
  }
}
