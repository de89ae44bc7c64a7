// What can go wrong in this package. Errors about a text carry the place in it and show the line with carets.
import { codeFrame, MmPtxError, type Span } from "@mm-ptx/types/core";

/** Every `code` that a `PtxInjectError` has; the names are those of mm-ptx without `PTX_INJECT_ERROR_`. */
export type PtxInjectErrorCode =
  /** A site in the text breaks the grammar of markers. */
  | "FORMATTING"
  /** Two sites of one name differ in their operands. */
  | "INCONSISTENT_INJECTION"
  /** An annotation or a site of 0.x names a type that the description lacks. */
  | "UNKNOWN_TYPE"
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
  /** An argument is not of the kind that the function takes. */
  | "INVALID_INPUT"
  /** The rendered text does not fit the bytes it was to be written to. */
  | "INSUFFICIENT_BUFFER";

/** The error of `@mm-ptx/inject`. */
export class PtxInjectError extends MmPtxError<PtxInjectErrorCode> {
  /** Where in the parsed text, for codes FORMATTING, INCONSISTENT_INJECTION and UNKNOWN_TYPE; in the stub for INVALID_STUB. */
  readonly span: Span | undefined;

  constructor(
    code: PtxInjectErrorCode,
    message: string,
    place?: { readonly text: string; readonly span: Span },
  ) {
    super(code, place === undefined ? message : `${message}\n${codeFrame(place.text, place.span)}`);
    this.span = place?.span;
  }
}
