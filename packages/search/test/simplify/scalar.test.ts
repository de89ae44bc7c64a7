// The fast paths of single operations compute what instructions compute.
import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { findOperation, requireOperation } from "../../src/simplify/operations.js";
import { evaluate, FAST_TEXTS } from "../../src/simplify/scalar.js";
import { codeOf } from "../support/errors.js";

const word = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, 1, -1, 31, 32, 33, 0x7fffffff, -0x80000000),
  fc.integer({ min: 0, max: 40 }),
);

it("fast paths have the results of the instructions", () => {
  for (const text of FAST_TEXTS) {
    const operation = requireOperation(text);
    expect(operation.text).toBe(text);
    const slow = { ...operation, fast: -1 };
    const bits = operation.scalar.bits === 1 ? 1 : -1;
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        const last = text.startsWith("selp") ? c & 1 : c;
        expect(evaluate(operation, a, b, last, 0)).toBe(evaluate(slow, a, b, last, 0) & bits);
      }),
      { numRuns: cases(300) },
    );
  }
});

it("reads classes of operands", () => {
  expect(findOperation("selp.u32")).toMatchObject({ args: [0, 0, 2], result: 0 });
  expect(findOperation("setp.lt.u32")).toMatchObject({ args: [0, 0], result: 2, commutes: false });
  expect(findOperation("fma.rn.f32")).toMatchObject({ args: [1, 1, 1], result: 1, commutes: true });
  expect(findOperation("min.f32")).toMatchObject({ associates: false });
  expect(findOperation("mul.wide.u32")).toBeUndefined();
  expect(findOperation("add.f64")).toBeUndefined();
  expect(codeOf(() => requireOperation("ld.global.u32"))).toBe("INVALID_ARGUMENT");
});

it("keeps NaNs in one form, and the signs of zeros", () => {
  const add = requireOperation("add.f32");
  expect(evaluate(add, 0x7fc00001, 0, 0, 0)).toBe(0x7fffffff);
  expect(evaluate(add, -0x80000000, -0x80000000, 0, 0)).toBe(-0x80000000);
});
