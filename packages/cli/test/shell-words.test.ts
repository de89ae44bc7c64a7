// Words of commands that are printed: a shell reads them as what was meant.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { shellWord } from "../src/shell-words.js";

it.each([
  ["demo", "demo"],
  ["a/b.c-1", "a/b.c-1"],
  ["my Demo2", "'my Demo2'"],
  ["it's", "'it'\\''s'"],
  ["$HOME", "'$HOME'"],
  ["~", "'~'"],
  ["", "''"],
  ["-", "-"],
  ["-x", "./-x"],
])("%j is typed as %s", (word, typed) => {
  expect(shellWord(word)).toBe(typed);
});

it("a shell reads back every word", () => {
  const word = fc.string({ unit: "binary-ascii" }).filter((text) => !/^-.|\0/s.test(text));
  fc.assert(
    fc.property(fc.array(word, { minLength: 20, maxLength: 60 }), (words) => {
      const script = `printf '%s\\0' ${words.map(shellWord).join(" ")}`;
      const read = execFileSync("sh", ["-c", script], { encoding: "utf8" });
      expect(read.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: cases(30) },
  );
});
