// How operations are written in math text: which ones are operators, how tightly they bind, and which are functions.
import type { OperationName } from "../expression/operations.js";

/** Precedence. An expression with a lower precedence needs parentheses inside one with a higher precedence. */
export const enum Binding {
  sum = 1,
  product = 2,
  negation = 3,
  whole = 4,
}

export interface Infix {
  readonly operation: OperationName;
  readonly symbol: string;
  readonly binding: Binding;
}

/** Binary operators; operators of the same precedence are left-associative. */
export const INFIXES: readonly Infix[] = [
  { operation: "add", symbol: "+", binding: Binding.sum },
  { operation: "sub", symbol: "-", binding: Binding.sum },
  { operation: "mul", symbol: "*", binding: Binding.product },
  { operation: "div", symbol: "/", binding: Binding.product },
];

/** As a prefix, it changes nothing. */
export const PLUS = "+";
/** As a prefix of an operand, the operation `neg`; as a prefix of a number, its sign. */
export const MINUS = "-";
export const SIGN_BIT = 0x80000000;

/** Notation of other languages, and its equivalent in this one. */
const CURES: Readonly<Record<string, string>> = {
  "^": "write `x * x`, or `ex2(y * lg2(x))` for positive `x`",
  "**": "write `x * x`, or `ex2(y * lg2(x))` for positive `x`",
  pow: "write `ex2(y * lg2(x))` for positive `x`",
  exp: "write `ex2(x * 1.442695)`",
  exp2: "write `ex2(x)`",
  log: "write `lg2(x) * 0.6931472`",
  ln: "write `lg2(x) * 0.6931472`",
  log2: "write `lg2(x)`",
  tan: "write `sin(x) / cos(x)`",
};

/** Returns a hint for notation from other languages, to append to a message, or an empty string. */
export function cureOf(symbol: string): string {
  return Object.hasOwn(CURES, symbol) ? `; ${CURES[symbol]}` : "";
}
