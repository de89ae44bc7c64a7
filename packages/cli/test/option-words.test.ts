// Values of options: paths, counts, and one of several words.

import { expect, it } from "vitest";
import { oneOf, pathWord, wholeNumber, wholeNumberFrom } from "../src/option-words.js";
import { UsageError } from "../src/usage-error.js";

it("valid values are accepted", () => {
  expect(pathWord("a b")).toBe("a b");
  expect(wholeNumber("007")).toBe(7);
  expect([wholeNumberFrom(1, 8)("8"), wholeNumberFrom(1)("1")]).toEqual([8, 1]);
  expect(oneOf("order", ["name", "size"])("size")).toBe("size");
});

it.each<[() => unknown, string]>([
  [() => pathWord(""), "expected a path, found ``"],
  [() => pathWord("a\0b"), "expected a path, found `a\\u0000b`"],
  [() => wholeNumber("-1"), "expected a whole number, found `-1`"],
  [() => wholeNumber("1e3"), "expected a whole number, found `1e3`"],
  [() => wholeNumber("9".repeat(16)), `expected a whole number, found \`${"9".repeat(16)}\``],
  [() => wholeNumberFrom(1, 8)("9"), "expected a whole number from 1 to 8, found `9`"],
  [() => wholeNumberFrom(1)("0"), "expected a whole number of at least 1, found `0`"],
  [() => wholeNumberFrom(1)("-1"), "expected a whole number of at least 1, found `-1`"],
  [
    () => oneOf("order", ["name", "size"])("siez"),
    "expected an order (name, size), found `siez`, did you mean `size`?",
  ],
  [() => oneOf("kind", ["stack"])("tree"), "expected a kind (stack), found `tree`"],
])("invalid values are refused: %#", (parse, message) => {
  expect(parse).toThrow(new UsageError(message));
});
