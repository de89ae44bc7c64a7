// The errors of a PTX text. Reading continues after a mistake, so one error can report several.
import { codeFrame, MmPtxError, type Position, positionAt, type Span } from "@mm-ptx/types/core";

/** The codes that a `PtxError` can have. */
export type PtxErrorCode =
  /** A character that is not allowed in PTX. */
  | "BAD_CHARACTER"
  /** A word that begins with a digit but is not a number. */
  | "BAD_NUMBER"
  /** An argument is not of the kind that the function takes. */
  | "INVALID_ARGUMENT"
  /** A statement does not continue as its beginning requires. */
  | "SYNTAX"
  /** An unmatched brace, bracket or parenthesis. */
  | "UNBALANCED"
  /** A string or comment that does not end. */
  | "UNTERMINATED";

/** A mistake in a text. */
export interface PtxProblem {
  readonly code: Exclude<PtxErrorCode, "INVALID_ARGUMENT">;
  /** What was expected and what was found. */
  readonly message: string;
  readonly span: Span;
}

/** The error of `@mm-ptx/ptx`; `code` is that of the first problem. */
export class PtxError extends MmPtxError<PtxErrorCode> {
  override readonly name: string = "PtxError";
  /** The mistakes in the text, in order, at most 20 of them; empty with INVALID_ARGUMENT. */
  readonly problems: readonly (PtxProblem & Position)[];
  /** The number of all mistakes. */
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

/** The number of mistakes of a text that are kept; the rest are only counted. */
const KEPT = 20;

/** Collects the mistakes in a text. */
export class Problems {
  readonly list: PtxProblem[] = [];
  #total = 0;

  add(code: PtxProblem["code"], start: number, end: number, message: string): void {
    this.#total++;
    if (this.list.length < KEPT) this.list.push({ code, message, span: { start, end } });
  }

  /** @throws PtxError with all mistakes that were found, if there are any */
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
