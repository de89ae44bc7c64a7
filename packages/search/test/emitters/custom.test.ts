// `custom`: genomes of a user's function, with parents if it says so, and errors that say what it returned.
import { expect, it } from "vitest";
import {
  type CustomFunction,
  custom,
  type Feedback,
  NO_OPERATOR,
  NO_PARENT,
  SearchError,
} from "../../src/index.js";
import { codeOf } from "../support/errors.js";
import { ListArchive } from "../support/list-archive.js";
import { Loop } from "../support/loop.js";
import { WordSpace } from "../support/word-space.js";

const loopOf = () =>
  new Loop(new WordSpace(), new ListArchive(), (words) => ({ objective: 1, cell: words[0]! }));

it("makes what the function returns candidates", () => {
  const loop = loopOf();
  const told: Feedback[] = [];
  const emitter = custom(
    "mine",
    (count, { batchDraws, archive }) => {
      expect(count).toBe(5);
      expect(archive.count).toBe(0);
      return [
        Uint32Array.of(1, 2),
        "3",
        { genome: "4 5", parents: [7] },
        { genome: "6", parents: [8, 9] },
      ].slice(batchDraws.below(1));
    },
    (feedback) => told.push(feedback),
  );
  const { candidates } = loop.step(emitter, 5);
  expect([...candidates.genomes.words]).toEqual([1, 2, 3, 4, 5, 6]);
  const none = NO_PARENT;
  expect([...candidates.parents.subarray(0, 8)]).toEqual([none, none, none, none, 7, none, 8, 9]);
  expect([...candidates.operators.subarray(0, 4)]).toEqual(Array(4).fill(NO_OPERATOR));
  expect(told.map(({ first, end }) => [first, end])).toEqual([[0, 4]]);
  expect(emitter.description).toEqual({ kind: "custom", name: "mine" });
});

it.each<[string, () => unknown, string]>([
  ["no list", () => 3, "expected a list of up to 2 genomes, found 3"],
  ["a promise", async () => [], "expected a list of up to 2 genomes, found an object of Promise"],
  ["too many", () => ["1", "2", "3"], "expected a list of up to 2 genomes, found 3"],
  ["a number", () => ["1", 2], "expected a Uint32Array or a text as genome 1, found 2"],
  ["nothing", () => ["1", undefined], "expected a Uint32Array or a text as genome 1, found undefined"],
  ["a hole", () => Array(1), "expected a Uint32Array or a text as genome 0, found undefined"],
  ["an array", () => [[1, 2]], "expected a Uint32Array or a text as genome 0, found an array"],
  ["a genome that is too long", () => ["1", new Uint32Array(9)], "genome 1: expected 1 to 8 words, found 9"],
  ["a text that is not a genome", () => ["x"], "genome 0: expected numbers, found `x`"],
  [
    "three parents",
    () => [{ genome: "1", parents: [1, 2, 3] }],
    "expected up to two serial numbers as parents of genome 0",
  ],
  [
    "half a parent",
    () => [{ genome: "1", parents: [0.5] }],
    "expected up to two serial numbers as parents of genome 0",
  ],
  [
    "an error",
    () => {
      throw new RangeError("out of ideas");
    },
    "out of ideas",
  ],
])("fails with %s", (_, make, message) => {
  const loop = loopOf();
  const emit = () => loop.step(custom("mine", make as CustomFunction), 2);
  expect(emit).toThrow(new SearchError("EMITTER_FAILED", `emitter \`mine\`: ${message}`));
  expect(loop.candidates.count).toBe(0);
});

it.each<[unknown[], string]>([
  [[3, () => []], "expected a name of the emitter, found 3"],
  [["", () => []], "expected a name of the emitter, found ``"],
  [["mine", []], "expected a function for emitter `mine`, found an array"],
  [["mine", () => [], 1], "expected a function for `tell` of emitter `mine`, found 1"],
])("refuses %j", (given, message) => {
  const make = () => custom(...(given as Parameters<typeof custom>));
  expect(make).toThrow(message);
  expect(codeOf(make)).toBe("INVALID_ARGUMENT");
});
