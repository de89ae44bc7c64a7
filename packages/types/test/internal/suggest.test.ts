// Suggestions for misspelt words: the nearest one, never a distant one, and never after a long search.

import { expect, it } from "vitest";
import { didYouMean, nearest } from "../../src/internal/index.js";

it.each([
  ["adf", ["mul", "add"], "add"],
  ["F3", ["F32", "U32"], "F32"],
  ["ADD", ["sub", "add"], "add"],
  ["dad", ["add"], "add"],
  ["xyz", ["add", "mul"], undefined],
])("for `%s` among %j: %s", (word, candidates, found) => {
  expect(nearest(word, candidates)).toBe(found);
});

it("suggests nothing for words that are too long to compare", () => {
  const name = "a".repeat(64);
  expect(didYouMean(name, [`${name}b`])).toBe(`, did you mean \`${name}b\`?`);
  expect(didYouMean(`${name}a`, [`${name}b`])).toBe("");
});
