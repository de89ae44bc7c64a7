// `seeds`: each genome once, checked by the space.
import { expect, it } from "vitest";
import { type Emitter, NO_OPERATOR, NO_PARENT, seeds } from "../../src/index.js";
import { codeOf } from "../support/errors.js";
import { ListArchive } from "../support/list-archive.js";
import { Loop } from "../support/loop.js";
import { WordSpace } from "../support/word-space.js";

const loopOf = () =>
  new Loop(new WordSpace(), new ListArchive(), (words) => ({ objective: 1, cell: words[0]! }));

it("makes each genome a candidate once", () => {
  const loop = loopOf();
  const emitter = seeds([Uint32Array.of(1, 2), "3 4 5", "6"]);
  const { candidates } = loop.step(emitter, 2);
  expect([...candidates.genomes.words]).toEqual([1, 2, 3, 4, 5]);
  expect([...candidates.genomes.offsets]).toEqual([0, 2, 5]);
  expect(candidates.operators[1]).toBe(NO_OPERATOR);
  expect(candidates.parents[2]).toBe(NO_PARENT);
  const later = seeds([Uint32Array.of(1, 2), "3 4 5", "6"]);
  later.restore!(emitter.state!());
  for (const each of [emitter, later]) {
    expect([...loop.step(each, 5).candidates.genomes.words]).toEqual([6]);
    expect(loop.step(each, 5).candidates.count).toBe(0);
  }
});

it("keeps its own copies", () => {
  const words = Uint32Array.of(7);
  const emitter = seeds([words]);
  words[0] = 8;
  expect(loopOf().step(emitter, 1).candidates.genomes.words[0]).toBe(7);
  expect(emitter.description).toEqual({ kind: "seeds", genomes: [[7]] });
});

it.each<[unknown, string]>([
  ["1 2", "expected genomes or texts as a list, found `1 2`"],
  [["1 2", [3]], "expected a Uint32Array or a text as seed 1, found an array"],
])("refuses %j", (genomes, message) => {
  const make = (): Emitter => seeds(genomes as string[]);
  expect(make).toThrow(message);
  expect(codeOf(make)).toBe("INVALID_ARGUMENT");
});

it.each<[string, Uint32Array | string, string]>([
  ["a text that the space can't read", "one", "seed 1: expected numbers, found `one`"],
  ["words that are no genome", new Uint32Array(9), "seed 1: expected 1 to 8 words, found 9"],
])("refuses %s before the first is a candidate", (_, genome, message) => {
  const loop = loopOf();
  const emit = () => loop.step(seeds(["1", genome]), 1);
  expect(emit).toThrow(message);
  expect(loop.candidates.count).toBe(0);
});

it("refuses states of other seeds", () => {
  for (const next of [3, -1, 0.5, "1"])
    expect(codeOf(() => seeds(["1", "2"]).restore!({ values: { next }, arrays: {} }))).toBe("FILE_FORMAT");
});
