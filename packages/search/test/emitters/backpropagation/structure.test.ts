// What a target is a product of, read from its values.
import { expect, it } from "vitest";
import { Draws } from "../../../src/draws.js";
import { structureOf } from "../../../src/emitters/backpropagation/structure.js";

const ROWS = 400;
const draws = new Draws();
draws.start(1, 2, 3);
const columns = Array.from({ length: 4 }, () =>
  Float64Array.from({ length: ROWS }, () => 1 + 2 * draws.fraction()),
);
const of = (compute: (...inputs: number[]) => number) =>
  Float64Array.from({ length: ROWS }, (_, row) => compute(...columns.map((column) => column[row]!)));

it("finds powers that are factors", () => {
  expect(
    structureOf(
      columns,
      of((a, b, c, d) => (Math.sqrt(a) * b * b) / (c + Math.cos(d))),
    ),
  ).toEqual({
    powers: [0.5, 2, 0, 0],
    groups: [[{ input: 2, power: 1 }], [{ input: 3, power: 1 }]],
  });
});

it("finds products that are all that is needed of some inputs", () => {
  const { powers, groups } = structureOf(
    columns,
    of((a, b, c, d) => a / (Math.exp((b * c) / (d * d)) + 3)),
  )!;
  expect(powers).toEqual([1, 0, 0, 0]);
  expect(groups).toEqual([
    [
      { input: 1, power: 1 },
      { input: 2, power: 1 },
      { input: 3, power: -2 },
    ],
  ]);
});

it("claims nothing where there is nothing, and for few rows and for zeros", () => {
  expect(
    structureOf(
      columns,
      of((a, b, c, d) => Math.sin(3 * a * b) + Math.cos(4 * b * c + d)),
    ),
  ).toBeUndefined();
  const few = columns.map((column) => column.slice(0, 12));
  expect(structureOf(few, few[0]!)).toBeUndefined();
  expect(
    structureOf(
      columns,
      of((a) => Math.floor(a) - 1),
    ),
  ).toBeUndefined();
});
