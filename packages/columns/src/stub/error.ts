// The errors of a stub's text, which show the line.
import { codeFrame, positionAt, type Span } from "@mm-ptx/types/core";
import { ColumnsError, type ColumnsErrorCode } from "../error.js";

/** The error for a place in a text. */
export function errorAt(
  text: string,
  span: Span,
  code: ColumnsErrorCode,
  message: string,
  options: { readonly cause?: unknown } = {},
): ColumnsError {
  const position = positionAt(text, span.start);
  const { line, column } = position;
  const shown = `line ${line}, column ${column}: ${message}\n${codeFrame(text, span)}`;
  return new ColumnsError(code, shown, undefined, { ...options, source: { span, ...position } });
}
