// Collects the problems of a text, so that one error reports several of them, each with its line and carets.
import { readModule, type SourceFrame, SourceLines } from "@mm-ptx/ptx";
import type { LineOrigins, Span } from "@mm-ptx/types/core";
import { quoted, TextLines } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import type { Problem, ProblemCode } from "../program/problem.js";
import { placeWords } from "../source/words.js";

/** The most problems of a text that are kept. Further ones are only counted. */
const KEPT = 20;

/** A problem whose line is not known yet. */
interface Found {
  readonly code: ProblemCode;
  readonly message: string;
  readonly span: Span;
}

/** A problem with its place and the line. */
export function problemText(problem: Problem, lines: TextLines): string {
  const { message, span, source, frames = [] } = problem;
  return `${placeWords({ ...problem, source, frames })}: ${message}\n${lines.codeFrame(span)}`;
}

/** The problems of a text. */
export class ProblemList {
  readonly #text: string;
  readonly #found: Found[] = [];
  #lines: SourceLines | undefined;

  readonly #number: number | undefined;
  readonly #origins: LineOrigins | undefined;

  /**
   * @param origins the origins of the lines of rendered PTX
   * @param number the number of the text, if there are several
   */
  constructor(text: string, origins?: LineOrigins, number?: number) {
    this.#text = text;
    this.#number = number;
    this.#origins = origins;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /**
   * Whether enough problems were found that further ones are only counted. In that case, hints are not worth computing.
   */
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

  /** The first problems with their places, and each of them in words. */
  shown(): readonly { readonly problem: Problem; readonly words: string }[] {
    const lines = new TextLines(this.#text);
    return this.#placed(this.#found, lines).map((problem) => ({
      problem,
      words: problemText(problem, lines),
    }));
  }

  add(code: ProblemCode, span: Span, message: string): void {
    this.#found.push({ code, message, span });
  }

  /** Adds "expected X, found Y", where Y is the text of the span. */
  expect(code: ProblemCode, span: Span, expected: string): void {
    this.add(code, span, `expected ${expected}, found ${quoted(this.#text.slice(span.start, span.end))}`);
  }

  /** The first problems in the order of the text, with their places. */
  #placed(found: readonly Found[], lines: TextLines): Problem[] {
    return [...found]
      .sort((a, b) => a.span.start - b.span.start)
      .slice(0, KEPT)
      .map((problem) => {
        const position = lines.positionAt(problem.span.start);
        const source = this.#origins?.locate(position.line);
        const frames = this.#framesAt(problem.span.start);
        return {
          ...problem,
          ...position,
          ...(source === undefined ? {} : { source }),
          ...(this.#number === undefined ? {} : { text: this.#number }),
          ...(frames.length === 0 ? {} : { frames }),
        };
      });
  }

  #framesAt(offset: number): readonly SourceFrame[] {
    if (!this.#text.includes(".loc")) return [];
    this.#lines ??= new SourceLines(readModule(this.#text, { tolerant: true }));
    return this.#lines.framesAt(offset);
  }
}

/** @throws EmulatorError with the problems of all texts and the code of the first, if there is one */
export function throwProblems(
  lists: readonly ProblemList[],
  {
    total = lists.reduce((sum, { count }) => sum + count, 0),
    cause,
  }: { readonly total?: number; readonly cause?: unknown } = {},
): void {
  if (lists.every(({ isEmpty }) => isEmpty)) return;
  const found = lists.flatMap((list) => list.shown()).slice(0, KEPT);
  const words = found.map((one) => one.words);
  if (total > KEPT) words.push(`and ${total - KEPT} more`);
  const problems = found.map(({ problem }) => problem);
  throw new EmulatorError(problems[0]!.code, words.join("\n"), { problems, cause });
}
