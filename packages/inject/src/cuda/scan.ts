// Finds the block comments of a CUDA source in one pass and skips everything else. What precedes a comment determines
// what it may become, so the enclosing directive and `#if` branches are also tracked.
import type { Span } from "@mm-ptx/types/core";
import { type Branch, Branches } from "./branch.js";
import {
  Ascii,
  afterLiteral,
  before,
  isBlank,
  isContinued,
  isDigitSeparator,
  isRaw,
  isWordCode,
  skipContinuations,
} from "./literal.js";
import type { Finding } from "./problems.js";

/** A block comment. */
export interface Comment extends Span {
  /** Where the text between the opening and the closing characters begins and ends. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Whether it is in a preprocessor directive, such as the definition of a macro. */
  readonly inDirective: boolean;
  /** The beginning of its logical line, which continuations and comments may extend over several lines. */
  readonly lineStart: number;
  readonly branch: Branch;
}

/** Reads a source from beginning to end. */
export class CommentScanner {
  /** An unterminated comment or raw string, after which nothing can be found. */
  unclosed: Finding | undefined;
  readonly #text: string;
  readonly #branches: Branches;
  #at = 0;
  /** The beginning of the current logical line. */
  #lineStart = 0;
  #inDirective = false;
  #lastSeparator = -1;
  /** Where the last comment ended, and whether only blanks and comments preceded it on its line. */
  #commentEnd = -1;
  #commentLed = false;
  /** The first `*\` at or after the last position read: a comment may be closed by `*`, a continuation and `/`. */
  #splitClose = -1;

  constructor(text: string) {
    this.#text = text;
    this.#branches = new Branches();
  }

  /** The next comment whose first word begins with `P`, or `undefined` at the end of the text. */
  next(): Comment | undefined {
    const text = this.#text;
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // Most of a source is letters and blanks, which take two comparisons each.
      if (code > Ascii.slash || code === Ascii.blank) continue;
      if (code === Ascii.newline) {
        if (isContinued(text, at)) continue;
        this.#lineStart = at + 1;
        this.#inDirective = false;
      } else if (code === Ascii.slash) {
        const second = skipContinuations(text, at + 1);
        const kind = text.charCodeAt(second);
        if (kind === Ascii.slash) at = this.#lineCommentEnd(second) - 1;
        else if (kind === Ascii.star) {
          const comment = this.#comment(at, second + 1);
          if (comment === undefined) break;
          at = comment.end - 1;
          if (!beginsWithP(text, comment.bodyStart)) continue;
          this.#at = comment.end;
          return comment;
        }
      } else if (code === Ascii.doubleQuote) {
        at = this.#afterLiteral(at) - 1;
      } else if (code === Ascii.quote) {
        if (isDigitSeparator(text, at, this.#lastSeparator)) this.#lastSeparator = at;
        else at = this.#afterLiteral(at) - 1;
      } else if (code === Ascii.hash && this.#leadsLine(at)) {
        this.#inDirective = true;
        at = this.#directive(at) - 1;
      }
    }
    this.#at = text.length;
    return undefined;
  }

  #afterLiteral(at: number): number {
    const end = afterLiteral(this.#text, at);
    if (end >= 0) return end;
    if (isRaw(this.#text, at)) this.#complain(at, at + 1, 'expected `)"` for this raw string');
    return ~end;
  }

  #lineCommentEnd(from: number): number {
    const text = this.#text;
    let newline = text.indexOf("\n", from);
    while (newline !== -1 && isContinued(text, newline)) newline = text.indexOf("\n", newline + 1);
    return newline === -1 ? text.length : newline;
  }

  #comment(start: number, body: number): Comment | undefined {
    const close = this.#closeOf(body);
    if (close === undefined) {
      this.#complain(start, body, "expected `*/` for this comment");
      return undefined;
    }
    this.#commentLed = this.#leadsLine(start);
    this.#commentEnd = close.end;
    return {
      start,
      end: close.end,
      bodyStart: body,
      bodyEnd: close.start,
      inDirective: this.#inDirective,
      lineStart: this.#lineStart,
      branch: this.#branches.current,
    };
  }

  #complain(start: number, end: number, expected: string): void {
    this.unclosed = {
      code: "FORMATTING",
      message: `${expected}, found the end of the text`,
      span: { start, end },
    };
  }

  /** The characters that close the comment whose body begins at `body`. */
  #closeOf(body: number): Span | undefined {
    const text = this.#text;
    const found = text.indexOf("*/", body);
    const limit = found === -1 ? text.length : found;
    while (this.#splitClose < limit) {
      if (this.#splitClose >= body) {
        const slash = skipContinuations(text, this.#splitClose + 1);
        if (text.charCodeAt(slash) === Ascii.slash) return { start: this.#splitClose, end: slash + 1 };
      }
      const next = text.indexOf("*\\", Math.max(body, this.#splitClose + 1));
      this.#splitClose = next === -1 ? text.length : next;
    }
    return found === -1 ? undefined : { start: found, end: found + 2 };
  }

  /** Whether only blanks, continuations and comments precede `at` on its line. */
  #leadsLine(at: number): boolean {
    const text = this.#text;
    for (let last = before(text, at); last >= this.#lineStart; last = before(text, last)) {
      if (last === this.#commentEnd - 1) return this.#commentLed;
      if (!isBlank(text.charCodeAt(last))) return false;
    }
    return true;
  }

  /** Reads the word after the `#` of a directive; returns the offset after it. */
  #directive(hash: number): number {
    const text = this.#text;
    let start = hash + 1;
    while (isBlank(text.charCodeAt(start))) start++;
    let end = start;
    while (isWordCode(text.charCodeAt(end))) end++;
    this.#branches.read(text, start, end);
    return end;
  }
}

/** What else may precede that word: documentation comments start with more stars, `!`, `@` or backslashes. */
const LEADS: ReadonlySet<number> = new Set(Array.from("\n*!@\\", (sign) => sign.charCodeAt(0)));

/**
 * Whether the first word of the comment whose body begins at `body` begins with `P`; no other comment can be an
 * annotation or resemble one.
 */
function beginsWithP(text: string, body: number): boolean {
  let at = body;
  for (;;) {
    const code = text.charCodeAt(at);
    const next = skipContinuations(text, at);
    if (next !== at) at = next;
    else if (isBlank(code) || LEADS.has(code)) at++;
    else return (code | 32) === 112;
  }
}
