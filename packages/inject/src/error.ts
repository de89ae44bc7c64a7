// What can go wrong in this package. Errors about a text carry the place in it and show the line with carets.
import { codeFrame, MmPtxError, type Position, type Span } from "@mm-ptx/types/core";

/** Every `code` that a `PtxInjectError` has; the names are those of mm-ptx without `PTX_INJECT_ERROR_`. */
export type PtxInjectErrorCode =
  /** A site in the text breaks the grammar of markers, or an annotation that of annotations. */
  | "FORMATTING"
  /** Two sites of one name differ in their operands. */
  | "INCONSISTENT_INJECTION"
  /** An annotation or a site of 0.x names a type that the description lacks. */
  | "UNKNOWN_TYPE"
  /** Two operands of an annotation have one name. */
  | "DUPLICATE_OPERAND"
  /** An injection of the text has no stub. */
  | "WRONG_NUM_STUBS"
  /** There is no injection of this name. */
  | "INJECTION_NAME_NOT_FOUND"
  /** The injection has no operand of this name. */
  | "INJECTION_ARG_NAME_NOT_FOUND"
  /** There is no injection or operand of this index. */
  | "OUT_OF_BOUNDS_IDX"
  /** A stub would change the text around it: braces, a string or a comment without their end, or a marker. */
  | "INVALID_STUB"
  /** What is to choose between alternatives of a site cannot. */
  | "INVALID_SELECTOR"
  /** The text has something that packing or expanding cannot repeat. */
  | "CANNOT_REPEAT"
  /** A stub is not a string. */
  | "INVALID_INPUT"
  /** Any other argument or option is not of the kind that the function takes. */
  | "INVALID_ARGUMENT"
  /** The rendered text does not fit the bytes it was to be written to. */
  | "INSUFFICIENT_BUFFER"
  /** Bytes are no annotated PTX, or of another version, or were not written by the rules. */
  | "FILE_FORMAT"
  /** Bytes of annotated PTX end too early. */
  | "FILE_TRUNCATED"
  /** Bytes of annotated PTX were altered. */
  | "FILE_CHECKSUM";

/** One thing that is wrong in a CUDA source, with its line and column. */
export interface CudaProblem extends Position {
  readonly code: PtxInjectErrorCode;
  /** What was expected and what was found. */
  readonly message: string;
  readonly span: Span;
  /** Another place that it is about: with INCONSISTENT_INJECTION the first annotation of the name. */
  readonly related?: Span;
}

/** The error of `@mm-ptx/inject`. */
export class PtxInjectError extends MmPtxError<PtxInjectErrorCode> {
  /** Where in the parsed text, for codes FORMATTING, INCONSISTENT_INJECTION and UNKNOWN_TYPE; in the stub for INVALID_STUB. */
  readonly span: Span | undefined;
  /**
   * Of `annotateCuda`, what is wrong in the source, in its order, of many problems the first 20; else empty. `code` and `span`
   * are those of the first.
   */
  readonly problems: readonly CudaProblem[];
  /** How many there are. */
  readonly total: number;
  /** With `FILE_…`, the byte of annotated PTX that is to blame, or where what is to blame begins. */
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
