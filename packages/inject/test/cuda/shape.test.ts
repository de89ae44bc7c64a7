// Shapes of annotations: each is computed once and takes as much memory as one operand, however many operands
// it has.
import { expect, test } from "vitest";
import { Shape } from "../../src/cuda/shape.js";
import { types } from "../../src/generated/default.js";
import type { Direction } from "../../src/index.js";

const [type, other] = types.types as [(typeof types.types)[number], (typeof types.types)[number]];

test("operands of the same kinds in the same order share a shape", () => {
  const empty = new Shape();
  const shape = empty.with("in", type).with("out", other);
  expect(empty.with("in", type).with("out", other)).toBe(shape);
  expect(empty.with("in", other).with("out", type)).not.toBe(shape);
  expect(shape.canonical).toEqual([1, 0]);
  expect(shape.with("mod", type).canonical).toEqual([2, 1, 0]);
  expect(empty.canonical).toEqual([]);
});

test("8,000 operands take memory in proportion, where a list in each shape would take 256 MB", () => {
  const directions: readonly Direction[] = ["in", "out", "mod"];
  const before = process.memoryUsage().heapUsed;
  const empty = new Shape();
  let shape = empty;
  for (let i = 0; i < 8_000; i++) shape = shape.with(directions[i % 3]!, type);
  const taken = process.memoryUsage().heapUsed - before;
  expect(shape.canonical).toHaveLength(8_000);
  expect(empty.with("in", type).canonical).toEqual([0]);
  expect(taken).toBeLessThan(64e6);
});
