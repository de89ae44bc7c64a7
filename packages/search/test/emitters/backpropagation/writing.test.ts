// Products of powers as formulas.
import { table } from "@mm-ptx/ast/f32";
import fc from "fast-check";
import { expect, it } from "vitest";
import { NodeValues } from "../../../src/emitters/backpropagation/node-values.js";
import { inputLeaves } from "../../../src/emitters/backpropagation/problem.js";
import { constantWords, joined, Writer } from "../../../src/emitters/backpropagation/writing.js";
import { astSpace } from "../../../src/index.js";

const columns = [[2], [3], [5]].map((values) => Float64Array.from(values));
const spaceOf = (operators: readonly string[]) =>
  astSpace(table, { inputs: ["x", "y", "z"], operators: [...operators], maxLength: 60 });
const arithmetic = ["+", "-", "*", "/"];

it("writes products that have the value they should", () => {
  for (const operators of [arithmetic, [...arithmetic, "square", "sqrt"]]) {
    const space = spaceOf(operators);
    const leaves = inputLeaves(space, columns);
    const nodes = new NodeValues(space.symbols, columns, 1);
    const hasRoots = operators.includes("sqrt");
    const power = fc.integer({ min: -8, max: 8 }).map((value) => (hasRoots ? value / 2 : value));
    fc.assert(
      fc.property(power, power, power, (...powers) => {
        const words = new Writer(space).product(
          leaves.map((leaf, index) => ({ words: leaf.words, power: powers[index]! })),
        );
        if (words === undefined) {
          expect(powers.every((each) => each === 0)).toBe(true);
          return;
        }
        expect(nodes.run(words, 0, words.length)).toBe(true);
        const value = 2 ** powers[0] * 3 ** powers[1] * 5 ** powers[2];
        expect(nodes.values[nodes.count - 1]! / value).toBeCloseTo(1, 10);
      }),
    );
  }
});

it("writes nothing that the space can't", () => {
  const space = spaceOf(arithmetic);
  const writer = new Writer(space);
  const [x] = inputLeaves(space, columns);
  expect(writer.product([{ words: x!.words, power: 0.5 }])).toBeUndefined();
  expect(writer.apply("sin", x!.words)).toBeUndefined();
  expect(writer.product([])).toBeUndefined();
});

it("removes constants around a formula", () => {
  const space = spaceOf(arithmetic);
  const writer = new Writer(space);
  const [x, y] = inputLeaves(space, columns);
  const sum = writer.apply("+", x!.words, y!.words)!;
  expect(writer.unscaled(writer.line(sum, 2, 3, 0)!)).toEqual(sum);
  expect(writer.unscaled(constantWords(2))).toEqual(constantWords(2));
  expect(joined([sum]).length).toBe(sum.length);
});
