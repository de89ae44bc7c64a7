// What a target is a product of, and what the rest needs, read from values.
import { expect, it } from "vitest";
import { Draws } from "../../../src/draws.js";
import { structuresOf } from "../../../src/emitters/backpropagation/structure.js";

const ROWS = 400;
const draws = new Draws();
draws.start(1, 2, 3);
const columns = Array.from({ length: 4 }, () =>
  Float64Array.from({ length: ROWS }, () => 1 + 2 * draws.fraction()),
);
const of = (compute: (...inputs: number[]) => number) =>
  Float64Array.from({ length: ROWS }, (_, row) => compute(...columns.map((column) => column[row]!)));
const sum = (...members: [number, number][]) => ({
  kind: "sum",
  members: members.map(([input, factor]) => ({ input, factor })),
});

it("finds powers that are factors", () => {
  const [structure] = structuresOf(
    columns,
    of((a, b, c, d) => (Math.sqrt(a) * b * b) / (c + Math.cos(d))),
  );
  expect(structure).toEqual({ powers: [0.5, 2, 0, 0], groups: [sum([2, 1]), sum([3, 1])] });
});

it("finds products that are all that is needed of some inputs", () => {
  const [structure] = structuresOf(
    columns,
    of((a, b, c, d) => a / (Math.exp((b * c) / (d * d)) + 3)),
  );
  const members = [
    { input: 1, factor: 1 },
    { input: 2, factor: 1 },
    { input: 3, factor: -2 },
  ];
  expect(structure).toEqual({ powers: [1, 0, 0, 0], groups: [{ kind: "product", members }] });
});

it("finds differences and sums", () => {
  const structures = structuresOf(
    columns,
    of((a, b, c, d) => 3 + (a - b) * (a - b) + Math.sin(0.4 * (c + d))),
  );
  expect(structures.at(-1)).toEqual({
    powers: [0, 0, 0, 0],
    groups: [sum([0, 1], [1, -1]), sum([2, 1], [3, 1])],
  });
});

it("claims nothing where there is nothing, and for few rows", () => {
  expect(
    structuresOf(
      columns,
      of((a, b, c, d) => Math.sin(3 * a * b) + Math.cos(4 * b * c + d)),
    ),
  ).toEqual([]);
  const few = columns.map((column) => column.slice(0, 8));
  expect(structuresOf(few, few[0]!)).toEqual([]);
  expect(
    structuresOf(
      columns,
      of(() => 0),
    ),
  ).toEqual([]);
});
