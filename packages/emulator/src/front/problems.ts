// Collects the problems of a text, so that one error reports several of them, each with its line and carets.
import type { LineOrigins, Span } from "@mm-ptx/types/core";
import { quoted, TextLines } from "@mm-ptx/types/internal";
import { EmulatorError, type Problem, type ProblemCode } from "../error.js";
import { placeText } from "./place.js";

/** The most problems of a text that are kept. Further ones are only counted. */
const KEPT = 20;

/** A problem whose line is not known yet. */
interface Found {
  readonly code: ProblemCode;
  readonly message: string;
  readonly span: Span;
}

/** A problem with its place and the line. */
export function problemText({ message, span, line, column, source }: Problem, lines: TextLines): string {
  return `${placeText(line, column, source)}: ${message}\n${lines.codeFrame(span)}`;
}

/** The problems of a text. */
export class ProblemList {
  readonly #text: string;
  readonly #found: Found[] = [];

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

  /** The number of problems. */
  get count(): number {
    return this.#found.length;
  }

  /** Whether there are problems from a number on, and all of them are valid PTX that this emulator does not support. */
  isUnsupportedSince(count: number): boolean {
    return this.count > count && this.#found.slice(count).every(({ code }) => code === "UNSUPPORTED");
  }

  /** Removes the problems from a number on, and returns them with their places. */
  takeSince(count: number): Problem[] {
    return this.#placed(this.#found.splice(count), new TextLines(this.#text));
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
    const problems = this.#placed(this.#found, lines);
    const shown = problems.map((problem) => problemText(problem, lines));
    if (total > KEPT) shown.push(`and ${total - KEPT} more`);
    throw new EmulatorError(problems[0]!.code, shown.join("\n"), { problems, cause });
  }

  /** The first problems in the order of the text, with their places. */
  #placed(found: readonly Found[], lines: TextLines): Problem[] {
    return [...found]
      .sort((a, b) => a.span.start - b.span.start)
      .slice(0, KEPT)
      .map((problem) => {
        const position = lines.positionAt(problem.span.start);
        const source = this.#origins?.locate(position.line);
        return { ...problem, ...position, ...(source === undefined ? {} : { source }) };
      });
  }
}
