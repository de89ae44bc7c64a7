// Constants with few digits.
import { table } from "@mm-ptx/ast/f32";
import { expect, it } from "vitest";
import { astSpace } from "../../src/index.js";
import { withReadableConstants } from "../../src/regress/constants.js";

const space = astSpace(table, { inputs: ["x"], operators: ["+", "*"], maxLength: 20 });
const text = (words: Uint32Array) => space.text({ words, start: 0, end: words.length });

it("rounds all constants together to the fewest digits that they need", () => {
  const words = space.parse("(x + 1.4000021) * 0.2999998");
  const isNear = (wanted: string) => (candidate: Uint32Array) => (text(candidate) === wanted ? 1e-20 : 1e-13);
  expect(text(withReadableConstants(words, isNear("(x + 1.4) * 0.3")))).toBe("(x + 1.4) * 0.3");
  expect(text(withReadableConstants(words, isNear("(x + 1.400002) * 0.3")))).toBe("(x + 1.4) * 0.3");
});

it("leaves constants that need their digits, and equations without constants or loss", () => {
  const words = space.parse("(x + 1.4142135) * 0.2999998");
  expect(withReadableConstants(words, (candidate) => (candidate === words ? 1e-9 : 1e-8))).toBe(words);
  expect(withReadableConstants(words, () => undefined)).toBe(words);
  const plain = space.parse("x + x");
  expect(withReadableConstants(plain, () => 0)).toBe(plain);
});
