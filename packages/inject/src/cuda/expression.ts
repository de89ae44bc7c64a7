// An operand as an annotation writes it: whatever an asm statement takes, `// a remark` or `as name` after it. Only its
// brackets and literals are understood, so that what is put between parentheses stays there.
import { quoted } from "@mm-ptx/types/core";
import { afterLiteral, isBlank, isDigitSeparator, isWordCode } from "./literal.js";

/** A part of a text. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** What is wrong with an expression, and where. */
export interface ExpressionProblem extends Part {
  readonly message: string;
}

/** Where the parts of an operand stand in its text. */
export interface OperandText {
  readonly expression: Part;
  /** After `as`; absent when the operand is called what its expression is. */
  readonly name: Part | undefined;
  readonly problem: ExpressionProblem | undefined;
}

const CLOSING = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** Reads what follows the type of an operand. */
export function readOperandText(text: string, from: number): OperandText {
  const open: { readonly sign: string; readonly at: number }[] = [];
  let as = -1;
  let lastSeparator = -1;
  let end = from;
  let problem: ExpressionProblem | undefined;
  const complain = (start: number, to: number, message: string): void => {
    problem ??= { start, end: to, message };
  };

  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"' || sign === "'") {
      if (sign === "'" && isDigitSeparator(text, at, lastSeparator)) lastSeparator = at;
      else {
        const after = afterLiteral(text, at);
        if (after < 0) {
          complain(at, at + 1, `expected a ${sign} that closes this one, found the end of the operand`);
          end = text.length;
          break;
        }
        at = after - 1;
      }
    } else if (sign === "/" && text[at + 1] === "/") break;
    else if (sign === "/" && text[at + 1] === "*")
      complain(at, at + 2, "expected no comment in an operand, found `/*`");
    else if (CLOSING.has(sign)) open.push({ sign, at });
    else if (sign === ")" || sign === "]" || sign === "}") {
      const opened = open.pop();
      const expected = opened === undefined ? undefined : CLOSING.get(opened.sign);
      if (expected !== sign) {
        const instead = expected === undefined ? "an expression" : quoted(expected);
        complain(at, at + 1, `expected ${instead}, found ${quoted(sign)}`);
      }
    } else if (open.length === 0 && at > from && isAs(text, at)) as = at;
    else if (sign === ";" && open.length === 0) complain(at, at + 1, "expected an expression, found `;`");
    if (!isBlank(text.charCodeAt(at))) end = at + 1;
  }
  const unclosed = open[0];
  if (unclosed !== undefined)
    complain(
      unclosed.at,
      unclosed.at + 1,
      `expected ${quoted(CLOSING.get(unclosed.sign)!)} for this bracket`,
    );

  if (as === -1) return { expression: { start: from, end }, name: undefined, problem };
  let start = as + 2;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  if (start >= end) complain(as, as + 2, "expected a name after `as`, found the end of the operand");
  else if (!/^[A-Za-z_$][\w$]*$/.test(text.slice(start, end)))
    complain(start, end, `expected a name after \`as\`, found ${quoted(text.slice(start, end))}`);
  while (isBlank(text.charCodeAt(as - 1))) as--;
  return { expression: { start: from, end: as }, name: { start, end: Math.max(start, end) }, problem };
}

/** Whether the word `as` stands at `at`. */
const isAs = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 97 &&
  text.charCodeAt(at + 1) === 115 &&
  !isWordCode(text.charCodeAt(at - 1)) &&
  !isWordCode(text.charCodeAt(at + 2));
