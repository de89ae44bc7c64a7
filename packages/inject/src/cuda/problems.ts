// The problems of a source, with lines and columns, as one error.
import type { Position, Span } from "@mm-ptx/types/core";
import { codeFrameAt } from "@mm-ptx/types/internal";
import { type CudaProblem, PtxInjectError } from "../error.js";

/** A problem or warning, and its place. */
export type Finding = Omit<CudaProblem, keyof Position>;

/** At most this many problems are reported. */
const MOST_PROBLEMS = 20;

/** The error that shows the line of each problem. */
export function problemsError(source: string, found: readonly Finding[]): PtxInjectError {
  const problems: readonly CudaProblem[] = positioned(source, found).slice(0, MOST_PROBLEMS);
  const messages = problems.map(
    ({ message, span, line, column }) =>
      `line ${line}, column ${column}: ${message}\n${codeFrameAt(source, span, { line, column })}`,
  );
  const more = found.length - problems.length;
  if (more > 0) messages.push(`and ${more} more`);
  return new PtxInjectError(
    problems[0]!.code,
    messages.join("\n"),
    undefined,
    problems,
    undefined,
    found.length,
  );
}

/** Sorts findings by position and adds their lines and columns; a single walk counts the lines. */
export function positioned<T extends { readonly span: Span }>(
  source: string,
  found: readonly T[],
): (T & Position)[] {
  let line = 1;
  let lineStart = 0;
  let newline = source.indexOf("\n");
  const ordered = found.toSorted((a, b) => a.span.start - b.span.start);
  return ordered.map((finding) => {
    const { start } = finding.span;
    for (; newline !== -1 && newline < start; newline = source.indexOf("\n", lineStart)) {
      line++;
      lineStart = newline + 1;
    }
    return { ...finding, line, column: start - lineStart + 1 };
  });
}
