// Units: what is refused, and that nothing else comes out of a space.
import { table } from "@mm-ptx/ast/f32";
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { astSpace, Draws, type Units } from "../../src/index.js";

const metre = { m: 1 };
const units: Units = {
  inputs: { x: metre, y: metre, t: { s: 1 }, v: { m: 1, s: -1 }, area: { m: 2 } },
};
const inputs = ["x", "y", "t", "v", "area", "angle"];
const functions = { mean: "(a + b) * 0.5", positive: "max(a, 0)", later: "a + 1", third: "a" };
const operators = [
  ..."+ - * / fma neg abs min sqrt rsqrt rcp sin exp log pow square copysign".split(" "),
  ...Object.keys(functions),
];

const spaceOf = (more: Partial<Units> = {}) =>
  astSpace(table, { inputs, operators, functions, constraints: { units: { ...units, ...more } } });

const plain = spaceOf();

describe("correct units", () => {
  test.each([
    "x + y",
    "x + v * t",
    "x + 2 * v",
    "x + 2",
    "fma(v, t, x)",
    "fma(3, t, x)",
    "sqrt(area) + x",
    "sqrt(x) * rsqrt(y)",
    "sin(x / y)",
    "sin(angle + x * rcp(y))",
    "exp(-(t * v / x))",
    "sin(2 * x)",
    "mean(x, y) + positive(x)",
    "square(x) + area",
    "min(abs(-x), y)",
    "copysign(t, x) - y",
    "pow(x / y, angle)",
    "later(x / y) + third(angle)",
  ])("%s", (text) => {
    expect(() => plain.parse(text)).not.toThrow();
  });
});

describe("wrong units", () => {
  test.each([
    "x + t",
    "x - v",
    "sin(x)",
    "exp(t)",
    "x + x * y",
    "fma(v, t, t)",
    "sqrt(x) + y",
    "min(x, t)",
    "log(area)",
    "mean(x, t)",
    "later(x)",
    "pow(x, 2)",
    "square(x) + y",
    "positive(x) + t",
    "copysign(x, t) + x",
    "rsqrt(area) + x",
  ])("%s", (text) => {
    expect(() => plain.parse(text)).toThrowError(
      "expected a program within `constraints.units`, found one beyond",
    );
  });

  test("constants without units", () => {
    const space = spaceOf({ constants: "none" });
    expect(() => space.parse("x + 2")).toThrowError("constraints.units");
    expect(() => space.parse("2 * x + y")).not.toThrow();
    expect(() => space.parse("sin(2 * x)")).toThrowError("constraints.units");
  });

  test("results with another unit", () => {
    const space = spaceOf({ result: { s: 1 } });
    expect(() => space.parse("x / v")).not.toThrow();
    expect(() => space.parse("2 * x")).not.toThrow();
    expect(() => space.parse("x")).toThrowError("constraints.units");
  });

  test("inputs that do not exist", () => {
    expect(() => spaceOf({ inputs: { w: metre } })).toThrowError(
      "option `constraints.units.inputs`: expected names of inputs, found `w`, did you mean `x`?",
    );
    expect(() => spaceOf({ inputs: { x: { m: "2" } } } as never)).toThrowError(
      "option `constraints.units.inputs.x.m`: expected a number from -1000 to 1000, found `2`",
    );
  });
});

test("a space without constants starts with short programs that have the unit", () => {
  const gravity = astSpace(table, {
    inputs: ["m1", "m2", "r", "G"],
    operators: ["+", "-", "*", "/", "sin"],
    constraints: {
      units: {
        inputs: { m1: { kg: 1 }, m2: { kg: 1 }, r: { m: 1 }, G: { m: 3, kg: -1, s: -2 } },
        result: { kg: 1, m: 1, s: -2 },
        constants: "none",
      },
    },
  });
  const draws = new Draws();
  const texts = Array.from({ length: 200 }, (_, index) => {
    const out = new CodeBuffer();
    draws.start(1, 0, index);
    gravity.sample(draws, out);
    const genome = { words: out.words, start: 0, end: out.end };
    gravity.check(genome);
    return gravity.text(genome);
  });
  expect(new Set(texts).size).toBeGreaterThan(50);
});

test("units that no short program has", () => {
  expect(() => spaceOf({ result: { K: 1 }, constants: "none" })).toThrowError(
    "option `constraints.units`: expected units that a short program can have, found others",
  );
});

test("whatever a space makes has correct units", () => {
  const space = spaceOf({ result: metre, constants: "none" });
  const draws = new Draws();
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const out = new CodeBuffer();
      draws.start(seed, 0, 0);
      space.sample(draws, out);
      space.sample(draws, out);
      space.operators.forEach((_, operator) => {
        const { words, offsets } = out;
        const genomes = [0, 1].map((index) => ({ words, start: offsets[index]!, end: offsets[index + 1]! }));
        const child = new CodeBuffer();
        space.vary(operator, genomes[0]!, genomes[1]!, draws, child);
        space.check({ words: child.words, start: 0, end: child.end });
      });
    }),
    { numRuns: smoke(500) },
  );
});
