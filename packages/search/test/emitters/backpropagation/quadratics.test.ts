// Quadratic polynomials, alone and with one more term.
import { table } from "@mm-ptx/ast/f32";
import { expect, it } from "vitest";
import { Library } from "../../../src/emitters/backpropagation/library.js";
import { NodeValues } from "../../../src/emitters/backpropagation/node-values.js";
import { inputLeaves } from "../../../src/emitters/backpropagation/problem.js";
import { Quadratics } from "../../../src/emitters/backpropagation/quadratics.js";
import { Writer } from "../../../src/emitters/backpropagation/writing.js";
import { astSpace } from "../../../src/index.js";

const ROWS = 40;
const x = Float64Array.from({ length: ROWS }, (_, row) => 0.5 + row / 20);
const y = Float64Array.from({ length: ROWS }, (_, row) => ((row * 7) % 13) / 4 + 0.1);
const z = Float64Array.from({ length: ROWS }, (_, row) => ((row * 11) % 17) / 5 + 0.3);
const columns = [x, y, z];
const space = astSpace(table, {
  inputs: ["x", "y", "z"],
  operators: ["+", "-", "*", "/", "square", "sin"],
  maxLength: 40,
});
const leaves = inputLeaves(space, columns);
const library = new Library(space, leaves, ROWS, 1000);
const quadratics = new Quadratics(new Writer(space), leaves, library, ROWS);
const nodes = new NodeValues(space.symbols, columns, ROWS);

it.each([
  ["squares of differences", (a: number, b: number, c: number) => (a - b) ** 2 + (b - 2 * c) ** 2, 19],
  ["products of inputs", (a: number, b: number, c: number) => a * b - 3 * b * c + 0.25, 15],
  ["a shifted square", (a: number, b: number) => 2 * (a + 3) ** 2 - b + 1, 15],
  ["another term", (a: number, b: number, c: number) => a * a + b * b - 2 * a * b * Math.sin(c), 17],
])("writes %s", (_, of, length) => {
  const wanted = x.map((value, row) => of(value, y[row]!, z[row]!));
  const words = quadratics.find(wanted)!;
  expect(words.length / 2).toBeLessThanOrEqual(length);
  expect(nodes.run(words, 0, words.length)).toBe(true);
  const first = (nodes.count - 1) * ROWS;
  // Constants are f32.
  for (const [row, value] of wanted.entries()) expect(nodes.values[first + row]! - value).toBeCloseTo(0, 4);
});

it("finds nothing in what is no polynomial, nor for too few rows", () => {
  const wanted = x.map((value, row) => Math.sin(5 * value * y[row]!) + Math.exp(z[row]! * value));
  expect(quadratics.find(wanted)).toBeUndefined();
  const few = leaves.map(({ words, values }) => ({ words, values: values.slice(0, 10) }));
  const small = new Quadratics(new Writer(space), few, new Library(space, few, 10, 100), 10);
  expect(small.find(x.slice(0, 10))).toBeUndefined();
});
