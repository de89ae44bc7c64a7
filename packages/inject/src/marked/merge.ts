// Sites of one name are one injection, and their operands must be the same. Their number is checked while a site is
// read (see marker.ts); different operands are reported only after the whole text has been found well-formed.
import { quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import { type Operand, operandSpan, operandText } from "./marker.js";

/** The index of the first operand that differs, or -1; both lists have the same length. */
export function firstDifference(a: readonly Operand[], b: readonly Operand[]): number {
  return a.findIndex((left, index) => {
    const right = b[index]!;
    return (
      left.name !== right.name ||
      left.register !== right.register ||
      left.direction !== right.direction ||
      left.registerType !== right.registerType ||
      left.type !== right.type
    );
  });
}

/** The error for a site whose operand `index` differs; its operand lines begin at `at`. */
export function operandMismatch(
  text: string,
  at: number,
  name: string,
  index: number,
  expected: Operand,
  found: Operand,
): PtxInjectError {
  return new PtxInjectError(
    "INCONSISTENT_INJECTION",
    `expected operand ${quoted(operandText(expected))} as at the first site of ${quoted(name)}, found ${quoted(operandText(found))}`,
    { text, span: operandSpan(text, at, index) },
  );
}
