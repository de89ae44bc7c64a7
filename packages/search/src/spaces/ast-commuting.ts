// Which operands of an operator may be exchanged without changing the value.
import { operationParts } from "@mm-ptx/types/code";
import type { AstOperators } from "./ast-operators.js";
import { CONSTANT, type Template } from "./ast-template.js";

const COMMUTING: Readonly<Record<string, number>> = {
  add: 2,
  mul: 2,
  min: 2,
  max: 2,
  fma: 2,
  min3: 3,
  max3: 3,
};

/** How many of the first operands of an operation of straight-line code may be exchanged; 1 if none. */
export const commutingOperands = (operation: number): number =>
  COMMUTING[operationParts(operation).name] ?? 1;

/** The same for an operator of a space. */
export function commutingOf(operators: AstOperators, number: number): number {
  const { instructionCount, functions } = operators;
  if (number < instructionCount) return commutingOperands(operators.operations[number]!);
  const { args, template } = functions[number - instructionCount]!;
  const usual = Array.from({ length: args }, (_, index) => `$${index}`);
  const known = new Map<string, string>();
  const meaning = meaningOf(template, usual, known);
  let count = 1;
  while (count < args) {
    const exchanged = [...usual];
    exchanged[count - 1] = usual[count]!;
    exchanged[count] = usual[count - 1]!;
    if (meaningOf(template, exchanged, known) !== meaning) break;
    count++;
  }
  return count;
}

/** A text that is the same for templates that compute the same in the same way; `known` has numbers for the texts of values. */
function meaningOf({ items, result }: Template, args: readonly string[], known: Map<string, string>): string {
  const values: string[] = [];
  const textAt = (value: number): string => (value < 0 ? args[-1 - value]! : values[value]!);
  for (let at = 0; at < items.length; ) {
    const operation = items[at]!;
    const operandCount = items[at + 1]!;
    if (operation === CONSTANT) {
      values.push(`#${items[at + 2]!}`);
      at += 3;
    } else {
      const operands = Array.from(items.subarray(at + 2, at + 2 + operandCount), textAt);
      const commuting = commutingOperands(operation);
      const sorted = [...operands.slice(0, commuting).sort(), ...operands.slice(commuting)];
      const text = `${operation}(${sorted.join(",")})`;
      const number = known.get(text) ?? `%${known.size}`;
      known.set(text, number);
      values.push(number);
      at += 2 + operandCount;
    }
  }
  return textAt(result);
}
