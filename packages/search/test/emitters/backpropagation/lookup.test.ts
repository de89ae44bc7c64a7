// Looking up what is wanted: in lines, in products with powers of inputs, in sums and products of several formulas.
import { table } from "@mm-ptx/ast/f32";
import { describe, expect, it } from "vitest";
import { Draws } from "../../../src/draws.js";
import { Library } from "../../../src/emitters/backpropagation/library.js";
import { Lookup, type Part } from "../../../src/emitters/backpropagation/lookup.js";
import { inputLeaves } from "../../../src/emitters/backpropagation/problem.js";
import { astSpace } from "../../../src/index.js";

const ROWS = 40;
const x = Float64Array.from({ length: ROWS }, (_, row) => 0.5 + row / 20);
const y = Float64Array.from({ length: ROWS }, (_, row) => ((row * 7) % 13) / 4 + 0.1);
const z = Float64Array.from({ length: ROWS }, (_, row) => ((row * 11) % 17) / 5 + 0.3);
const columns = [x, y, z];

function lookupOf(constants: boolean, operators = ["+", "-", "*", "/", "square", "sqrt", "sin"]) {
  const space = astSpace(table, {
    inputs: ["x", "y", "z"],
    operators,
    maxLength: 30,
    ...(!constants && { constants: false as const }),
  });
  const library = new Library(space, inputLeaves(space, columns), ROWS, 1500);
  return { space, library, lookup: new Lookup(space, library, columns, ROWS, constants) };
}

const { space, library, lookup } = lookupOf(true);
const wanted = (of: (x: number, y: number, z: number) => number) =>
  x.map((value, row) => of(value, y[row]!, z[row]!));
const text = (part: Part | undefined, of = space) =>
  part && of.text({ words: part.words, start: 0, end: part.words.length });

describe("a library", () => {
  it("has small formulas, each with other values, and constants in them alone", () => {
    const texts = library.bySize.map((entries) =>
      entries.map((entry) => text({ words: library.words(entry), error: 0 })),
    );
    expect(texts[1]).toEqual(["x", "y", "z"]);
    expect(texts[3]).toContain("x + 1");
    expect(texts[3]).toContain("x * y");
    expect(texts[3]).not.toContain("y * x");
    expect(new Set(texts.flat()).size).toBe(texts.flat().length);
  });
});

describe("a lookup", () => {
  it.each([
    ["a line", (a: number, b: number) => 3 * Math.sin(a * b) - 7, "sin(x * y) * 3 + -7"],
    ["powers of inputs", (a: number, b: number, c: number) => (2 * a ** 3 * Math.sqrt(b)) / c, "* 2"],
    ["a formula times powers", (a: number, b: number, c: number) => (b * c ** 2) / (a + b), "/ (x + y)"],
    ["a power of a formula", (a: number, b: number, c: number) => c / Math.sqrt(a + b), "/ sqrt(x + y)"],
  ])("finds %s", (_, of, end) => {
    const target = wanted(of);
    const part = lookup.exact(target);
    expect(text(part)).toContain(end);
    expect(part!.error).toBeLessThan(1e-10);
  });

  it("finds nothing exact in numbers that are not a formula, but the nearest", () => {
    const target = wanted((a, b, c) => Math.sin(9 * a * b) + Math.exp(-c) * Math.cos(5 * a));
    expect(lookup.exact(target)).toBeUndefined();
    const { error } = lookup.nearest(target)!;
    expect(error).toBeGreaterThan(1e-3);
    expect(error).toBeLessThan(1);
  });

  it("finds sums and products of several formulas", () => {
    const sum = lookup.sum(
      wanted((a, b, c) => 2 * Math.sin(a) + 0.5 * b * c + 3),
      2,
    );
    expect(sum!.error).toBeLessThan(1e-9);
    const product = lookup.productOf(
      wanted((a, b, c) => Math.sin(a) ** 2 / (b + c)),
      2,
    );
    expect(product!.error).toBeLessThan(1e-9);
  });

  it("writes no constants in a space without constants", () => {
    const bare = lookupOf(false);
    expect(text(bare.lookup.exact(wanted((a, b) => Math.sin(a * b))), bare.space)).toBe("sin(x * y)");
    expect(bare.lookup.exact(wanted((a, b) => 3 * Math.sin(a * b) + 0.5))).toBeUndefined();
    expect(text(bare.lookup.exact(wanted((a, b, c) => (a ** 2 * b ** 3) / (b + c))), bare.space)).toContain(
      "/ (y + z)",
    );
  });
});

it("finds a product of powers of two formulas", () => {
  const draws = new Draws();
  draws.start(1, 2, 3);
  const target = wanted((a, b, c) => (Math.sin(a) * Math.sqrt(b + c)) / c ** 2);
  expect(lookup.exact(target)).toBeUndefined();
  const part = lookup.pair(target, draws, 3000);
  expect(part!.error).toBeLessThan(1e-10);
  expect(
    lookup.pair(
      wanted((a, b, c) => Math.sin(9 * a * b) + Math.exp(c)),
      draws,
      300,
    ),
  ).toBeUndefined();
});
