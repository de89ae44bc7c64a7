// How operations are written in math text: what stands between operands, how tightly it binds, what is called by name.
import type { OperationName } from "../expression/operations.js";

/** How tightly an expression holds together; a looser one stands in parentheses within a tighter one. */
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

/** Operators between two operands; those of one binding are read from left to right. */
export const INFIXES: readonly Infix[] = [
  { operation: "add", symbol: "+", binding: Binding.sum },
  { operation: "sub", symbol: "-", binding: Binding.sum },
  { operation: "mul", symbol: "*", binding: Binding.product },
  { operation: "div", symbol: "/", binding: Binding.product },
];

/** Before an operand it changes nothing. */
export const PLUS = "+";
/** Before an operand, the operation `neg`; before a number, its sign. */
export const MINUS = "-";
export const SIGN_BIT = 0x80000000;

/** What other languages write, in terms of the operations. */
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

/** How to say what is written otherwise elsewhere, to end a message with; empty when it is not known. */
export function cureOf(symbol: string): string {
  return Object.hasOwn(CURES, symbol) ? `; ${CURES[symbol]}` : "";
}
