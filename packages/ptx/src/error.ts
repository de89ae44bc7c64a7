// What can be wrong with a PTX text. Reading goes on behind a mistake, so one error can name several.
import { codeFrame, MmPtxError, type Position, positionAt, type Span } from "@mm-ptx/types/core";

/** Every `code` that a `PtxError` has. */
export type PtxErrorCode =
  /** A character that PTX does not have. */
  | "BAD_CHARACTER"
  /** A word that begins with a digit and is no number. */
  | "BAD_NUMBER"
  /** An argument is not of the kind that the function takes. */
  | "INVALID_INPUT"
  /** A statement is not of the form that its beginning asks for. */
  | "SYNTAX"
  /** A brace, bracket or parenthesis without its partner. */
  | "UNBALANCED"
  /** A string or comment without its end. */
  | "UNTERMINATED";

/** One thing that is wrong in a text. */
export interface PtxProblem {
  readonly code: Exclude<PtxErrorCode, "INVALID_INPUT">;
  /** What was expected and what was found. */
  readonly message: string;
  readonly span: Span;
}

/** The error of `@mm-ptx/ptx`; `code` is that of the first problem. */
export class PtxError extends MmPtxError<PtxErrorCode> {
  /** What is wrong in the text, in its order, of many problems 20; empty with INVALID_INPUT. */
  readonly problems: readonly (PtxProblem & Position)[];
  /** How many there are. */
  readonly total: number;
  /** The place of the first problem. */
  readonly span: Span | undefined;

  constructor(
    code: PtxErrorCode,
    message: string,
    problems: readonly (PtxProblem & Position)[] = [],
    total = problems.length,
  ) {
    super(code, message);
    this.problems = problems;
    this.total = total;
    this.span = problems[0]?.span;
  }
}

/** How many problems of a text are kept; the rest is counted. */
const KEPT = 20;

/** Collects what is wrong in a text. */
export class Problems {
  readonly list: PtxProblem[] = [];
  #total = 0;

  add(code: PtxProblem["code"], start: number, end: number, message: string): void {
    this.#total++;
    if (this.list.length < KEPT) this.list.push({ code, message, span: { start, end } });
  }

  /** @throws PtxError with every problem that was found, when one was */
  throwIfAny(text: string): void {
    if (this.list.length === 0) return;
    const placed = this.list
      .map((problem) => ({ ...problem, ...positionAt(text, problem.span.start) }))
      .sort((a, b) => a.span.start - b.span.start);
    const shown = placed.map(
      ({ message, span, line, column }) =>
        `line ${line}, column ${column}: ${message}\n${codeFrame(text, span)}`,
    );
    if (this.#total > KEPT) shown.push(`and ${this.#total - KEPT} more`);
    throw new PtxError(placed[0]!.code, shown.join("\n"), placed, this.#total);
  }
}
