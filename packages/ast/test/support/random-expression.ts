// Random expressions whose nodes are used many times, read from a list of numbers so that fast-check can shrink them.
import { type Expression, literalBits, type OperationName, operation, variables } from "../../src/index.js";

const OPERATIONS: readonly (readonly [OperationName, number])[] = [
  ["add", 2],
  ["sub", 2],
  ["mul", 2],
  ["div", 2],
  ["neg", 1],
  ["min", 2],
  ["fma", 3],
  ["copysign", 2],
  ["sqrt", 1],
  ["ex2", 1],
];
const { x, y, z_1 } = variables("x", "y", "z_1");
const LEAVES: readonly Expression[] = [x, y, z_1, literalBits(0x3f800000), literalBits(0xbf000000)];

/** Each number makes a node from those before it; the last node is the expression. */
export function expressionOf(numbers: readonly number[]): Expression {
  const nodes: Expression[] = [...LEAVES];
  for (const number of numbers) {
    const kind = number % 16;
    const pick = (digit: number) =>
      nodes[nodes.length - 1 - (Math.floor(number / 16 ** (digit + 1)) % nodes.length)]!;
    const chosen = OPERATIONS[kind];
    if (chosen === undefined) nodes.push(kind === 10 ? literalBits(number) : pick(0));
    else nodes.push(operation(chosen[0], ...[1, 2, 3].slice(0, chosen[1]).map(pick)));
  }
  return nodes.at(-1)!;
}
