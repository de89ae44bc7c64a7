// Collects what is wrong in a text, so that one error names several problems, each with its line and carets.
import { quoted, type Span, TextLines } from "@mm-ptx/types/core";
import { EmulatorError, type Problem, type ProblemCode } from "../error.js";

/** How many problems of a text are kept; the rest is counted. */
const KEPT = 20;

/** The problems of a text. */
export class ProblemList {
  readonly #text: string;
  readonly #found: { readonly code: ProblemCode; readonly message: string; readonly span: Span }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Whether so many were found that what is added now is only counted, and no hint is worth its time. */
  get isFull(): boolean {
    return this.#found.length >= KEPT;
  }

  add(code: ProblemCode, span: Span, message: string): void {
    this.#found.push({ code, message, span });
  }

  /** "expected X, found Y", where Y is what stands in the span. */
  expect(code: ProblemCode, span: Span, expected: string): void {
    this.add(code, span, `expected ${expected}, found ${quoted(this.#text.slice(span.start, span.end))}`);
  }

  /** @throws EmulatorError with every problem, the first one's code, when there is one */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const lines = new TextLines(this.#text);
    const problems: Problem[] = this.#found
      .sort((a, b) => a.span.start - b.span.start)
      .slice(0, KEPT)
      .map((problem) => ({ ...problem, ...lines.positionAt(problem.span.start) }));
    const shown = problems.map(
      ({ message, span, line, column }) =>
        `line ${line}, column ${column}: ${message}\n${lines.codeFrame(span)}`,
    );
    if (this.#found.length > KEPT) shown.push(`and ${this.#found.length - KEPT} more`);
    throw new EmulatorError(problems[0]!.code, shown.join("\n"), { problems });
  }
}
