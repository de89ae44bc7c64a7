// Collects the problems of a text, so that one error reports several of them, each with its line and carets.
import type { LineOrigins, Span } from "@mm-ptx/types/core";
import { quoted, TextLines } from "@mm-ptx/types/internal";
import { EmulatorError, type Problem, type ProblemCode } from "../error.js";
import { placeText } from "./place.js";

/** The most problems of a text that are kept. Further ones are only counted. */
const KEPT = 20;

/** The problems of a text. */
export class ProblemList {
  readonly #text: string;
  readonly #found: { readonly code: ProblemCode; readonly message: string; readonly span: Span }[] = [];

  readonly #origins: LineOrigins | undefined;

  /** @param origins the origins of the lines of rendered PTX */
  constructor(text: string, origins?: LineOrigins) {
    this.#text = text;
    this.#origins = origins;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Whether enough problems were found that further ones are only counted. Hints are not worth computing then. */
  get isFull(): boolean {
    return this.#found.length >= KEPT;
  }

  add(code: ProblemCode, span: Span, message: string): void {
    this.#found.push({ code, message, span });
  }

  /** Adds "expected X, found Y", where Y is the text of the span. */
  expect(code: ProblemCode, span: Span, expected: string): void {
    this.add(code, span, `expected ${expected}, found ${quoted(this.#text.slice(span.start, span.end))}`);
  }

  /** @throws EmulatorError with every problem and the code of the first, if there is one */
  throwIfAny({ total = this.#found.length, cause }: { total?: number; cause?: unknown } = {}): void {
    if (this.isEmpty) return;
    const lines = new TextLines(this.#text);
    const problems: Problem[] = this.#found
      .sort((a, b) => a.span.start - b.span.start)
      .slice(0, KEPT)
      .map((problem) => {
        const position = lines.positionAt(problem.span.start);
        const source = this.#origins?.locate(position.line);
        return { ...problem, ...position, ...(source === undefined ? {} : { source }) };
      });
    const shown = problems.map(
      ({ message, span, line, column, source }) =>
        `${placeText(line, column, source)}: ${message}\n${lines.codeFrame(span)}`,
    );
    if (total > KEPT) shown.push(`and ${total - KEPT} more`);
    throw new EmulatorError(problems[0]!.code, shown.join("\n"), { problems, cause });
  }
}
