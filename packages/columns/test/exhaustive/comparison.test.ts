// Errors of outputs, and that both comparisons count them alike.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { makeComparison } from "../../src/exhaustive/comparison.js";
import { absoluteError, ulpError } from "../../src/exhaustive/errors.js";

const NAN = Number.NaN;
const INFINITE = Number.POSITIVE_INFINITY;
const LARGEST = 2 ** 128 - 2 ** 104;

describe("errors", () => {
  it.each([
    [0, -0, 0, 0],
    [NAN, NAN, 0, 0],
    [NAN, 1, INFINITE, INFINITE],
    [1, NAN, INFINITE, INFINITE],
    [INFINITE, INFINITE, 0, 0],
    [INFINITE, -INFINITE, INFINITE, INFINITE],
    [INFINITE, 2 ** 128, 0, 0],
    [INFINITE, 2 ** 128 - 2 ** 103, 0, 0],
    [INFINITE, -(2 ** 128), INFINITE, INFINITE],
    [INFINITE, LARGEST, INFINITE, INFINITE],
    [LARGEST, INFINITE, INFINITE, INFINITE],
    [LARGEST, 2 ** 128, 2 ** 104, 1],
    [1 + 2 ** -23, 1, 2 ** -23, 1],
    [1 - 2 ** -24, 1, 2 ** -24, 0.5],
    [1, 1 - 2 ** -24, 2 ** -24, 1],
    [1, 1 - 2 ** -53, 2 ** -53, 2 ** -29],
    [2 ** -149, 0, 2 ** -149, 1],
    [0, 2 ** -150, 2 ** -150, 0.5],
    [-1, 1, 2, 2 ** 24],
  ])("%f for %f", (output, expected, absolute, ulp) => {
    expect([absoluteError(output, expected), ulpError(output, expected)]).toEqual([absolute, ulp]);
    expect([absoluteError(-output, -expected), ulpError(-output, -expected)]).toEqual([absolute, ulp]);
  });
});

const float = fc.oneof(
  fc.float(),
  fc.constantFrom(0, -0, NAN, INFINITE, -INFINITE, 1, -1, LARGEST, 2 ** -149),
);
const double = fc.oneof(fc.double(), float);
const near = fc
  .tuple(float, fc.integer({ min: -4, max: 4 }))
  .map(([value, steps]) => [value, value * (1 + steps * 2 ** -25)] as const);
const pair = fc.oneof(fc.tuple(float, double), near);

const arguments_ = [
  fc.array(pair, { minLength: 1, maxLength: 40 }),
  fc.boolean(),
  fc.boolean(),
  fc.double({ min: 0, noNaN: true }),
] as const;

it("WebAssembly and JavaScript compare alike", () => {
  const property = fc.property(...arguments_, (pairs, isDouble, inUlp, most) => {
    const comparisons = [true, false].map(makeComparison);
    const found = comparisons.map((comparison) => {
      pairs.forEach(([output, expected], row) => {
        comparison.outputs[row] = output;
        comparison.expectedDoubles[row] = expected;
        comparison.expectedFloats[row] = expected;
      });
      return [0, 1, INFINITE].map((largest) =>
        comparison.compare(pairs.length, isDouble, { inUlp, most }, largest),
      );
    });
    expect(found[0]).toEqual(found[1]);
  });
  fc.assert(property, { numRuns: smoke(2000) });
});
