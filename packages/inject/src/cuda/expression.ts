// An operand as an annotation writes it: anything that an asm statement accepts, followed by `as name` or `// a
// remark`. Only brackets and literals are understood, so that an expression cannot escape from the parentheses that
// will surround it.
import { quoted } from "@mm-ptx/types/internal";
import { Ascii, afterLiteral, isBlank, isDigitSeparator, isWordCode } from "./literal.js";

/** A problem in an expression, and its position in the text. */
export interface ExpressionProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

const CLOSING: ReadonlyMap<number, number> = new Map(
  ["()", "[]", "{}"].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

/** Reads the operand in a part of a text; one reader serves for many operands. */
export class OperandReader {
  /** The end of the expression, without trailing blanks. */
  expressionEnd = 0;
  /** The span of the name after `as`; both are -1 if there is none. */
  nameStart = -1;
  nameEnd = -1;
  problem: ExpressionProblem | undefined;
  /** The brackets that are open. */
  readonly #open: number[] = [];

  read(text: string, from: number, to: number): void {
    this.problem = undefined;
    this.#open.length = 0;
    let as = -1;
    let lastSeparator = -1;
    let end = from;
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      if (isWordCode(code)) {
        if (code === Ascii.a && this.#open.length === 0 && at > from && isAs(text, at)) as = at;
      } else if (isBlank(code)) continue;
      else if (code === Ascii.doubleQuote || code === Ascii.quote) {
        if (code === Ascii.quote && isDigitSeparator(text, at, lastSeparator)) lastSeparator = at;
        else {
          const after = afterLiteral(text, at);
          if (after < 0 || after > to) {
            this.#complain(at, at + 1, "expected the end of this literal, found the end of the operand");
            end = to;
            break;
          }
          at = after - 1;
        }
      } else if (code === Ascii.slash) {
        const next = text.charCodeAt(at + 1);
        if (next === Ascii.slash) break;
        if (next === Ascii.star) this.#complain(at, at + 2, "expected no comment in an operand, found `/*`");
      } else if (code < Ascii.blank)
        this.#complain(at, at + 1, "expected an expression, found a control character");
      else this.#bracket(text, at, code);
      end = at + 1;
    }
    const unclosed = this.#open[0];
    if (unclosed !== undefined) {
      const closing = quoted(String.fromCharCode(CLOSING.get(text.charCodeAt(unclosed))!));
      this.#complain(
        unclosed,
        unclosed + 1,
        `expected ${closing} for this bracket, found the end of the operand`,
      );
    }
    this.#name(text, from, as, end);
  }

  #bracket(text: string, at: number, code: number): void {
    const open = this.#open;
    if (CLOSING.has(code)) open.push(at);
    else if (code === Ascii.semicolon) {
      if (open.length === 0) this.#complain(at, at + 1, "expected an expression, found `;`");
    } else if (code === Ascii.parenthesis || code === Ascii.bracket || code === Ascii.brace) {
      const opened = open.pop();
      const expected = opened === undefined ? undefined : CLOSING.get(text.charCodeAt(opened))!;
      if (expected === code) return;
      const instead = expected === undefined ? "an expression" : quoted(String.fromCharCode(expected));
      this.#complain(at, at + 1, `expected ${instead}, found ${quoted(String.fromCharCode(code))}`);
    }
  }

  /** Splits the expression from the name after an `as` at offset `as`. */
  #name(text: string, from: number, as: number, end: number): void {
    this.expressionEnd = end;
    this.nameStart = -1;
    this.nameEnd = -1;
    if (as === -1) return;
    let start = as + 2;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    const name = text.slice(start, end);
    if (name === "") this.#complain(as, as + 2, "expected a name after `as`, found the end of the operand");
    else if (!IDENTIFIER.test(name))
      this.#complain(start, end, `expected a name after \`as\`, found ${quoted(name)}`);
    this.nameStart = start;
    this.nameEnd = end;
    let last = as;
    while (last > from && isBlank(text.charCodeAt(last - 1))) last--;
    this.expressionEnd = last;
  }

  #complain(start: number, end: number, message: string): void {
    this.problem ??= { start, end, message };
  }
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Whether the word `as` is at offset `at`. */
const isAs = (text: string, at: number): boolean =>
  text.charCodeAt(at + 1) === Ascii.s &&
  !isWordCode(text.charCodeAt(at - 1)) &&
  !isWordCode(text.charCodeAt(at + 2));

/** The problem with a text that should be a single one-line expression, or `undefined`. */
export function expressionProblem(text: string): string | undefined {
  if (text.trim() === "") return "expected an expression, found none";
  if (text.includes("\n")) return "expected an expression of one line, found a line end";
  const reader = new OperandReader();
  reader.read(text, 0, text.length);
  if (reader.problem !== undefined) return reader.problem.message;
  const rest = text.slice(reader.expressionEnd).trim();
  return rest === "" ? undefined : `expected an expression, found ${quoted(rest)} after it`;
}
