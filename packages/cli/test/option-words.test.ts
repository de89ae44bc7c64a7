// Values of options: paths, counts, and one of several words.

import { Command } from "commander";
import { expect, it } from "vitest";
import {
  completionOf,
  isListParser,
  listCompletedBy,
  oneOf,
  pathWord,
  wholeNumber,
  wholeNumberFrom,
} from "../src/option-words.js";
import { prepare } from "../src/run.js";
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

const words = listCompletedBy(["a", "b"], (word: string, before: readonly string[] = []) => {
  if (word === "c") throw new Error("a bug");
  return [...before, word];
});

/** A program with options, prepared as the framework prepares all. */
function prepared(): Command {
  const program = new Command("tool");
  program
    .command("work")
    .option("-n, --count-of <number>", "a count", wholeNumberFrom(1, 8), 3)
    .option("-k <path>", "a path", pathWord)
    .option("--words <list>", "words", words)
    .action(() => {});
  prepare(program, "1.0.0", () => {});
  return program;
}

it.each([
  ["work --count-of x", "option `--count-of`: expected a whole number from 1 to 8, found `x`"],
  ["work -n -1", "option `--count-of`: expected a whole number from 1 to 8, found `-1`"],
  ["work --count-of=1.5", "option `--count-of`: expected a whole number from 1 to 8, found `1.5`"],
  ["work -n 1 -n 9", "option `--count-of`: expected a whole number from 1 to 8, found `9`"],
  ["work -k=\0", "option `-k`: expected a path, found `=\\u0000`"],
])("%j is refused with the flag", (line, message) => {
  const parse = () => prepared().parse(line.split(" "), { from: "user" });
  expect(parse).toThrow(new UsageError(message));
  expect(parse).toThrow(UsageError);
});

it("a flag changes neither values nor completions nor other errors", () => {
  const program = prepared().parse(["work", "--words", "a", "--words", "b"], { from: "user" });
  const [work] = program.commands as [Command];
  expect(work.opts()).toEqual({ countOf: 3, words: ["a", "b"] });
  const { parseArg } = work.options.find(({ long }) => long === "--words")!;
  expect([completionOf(parseArg), isListParser(parseArg)]).toEqual([["a", "b"], true]);
  expect(() => prepared().parse(["work", "--words", "c"], { from: "user" })).toThrow(new Error("a bug"));
});
