// `evolve`: random genomes first, then children of elites with their lineage; learned rates of operators; states.
import { describe, expect, it } from "vitest";
import {
  type Emitter,
  type EvolveOptions,
  evolve,
  NO_OPERATOR,
  NO_PARENT,
  SearchError,
} from "../../src/index.js";
import { codeOf } from "../support/errors.js";
import { ListArchive } from "../support/list-archive.js";
import { Loop, type Worth } from "../support/loop.js";
import { WordSpace, wordsOf } from "../support/word-space.js";

/** Longer genomes of larger words are better; there is a cell for each first word. */
const LARGE: Worth = (words) => ({ objective: words.reduce((sum, word) => sum + word, 0), cell: words[0]! });

const loopOf = (worth = LARGE, seed = 1) => new Loop(new WordSpace(), new ListArchive(), worth, seed);

function genomesOf(loop: Loop): string[] {
  const { genomes, count } = loop.candidates;
  return Array.from({ length: count }, (_, index) =>
    genomes.words.subarray(genomes.offsets[index], genomes.offsets[index + 1]).join(" "),
  );
}

describe("candidates", () => {
  it("are random without elites", () => {
    const loop = loopOf();
    const { candidates } = loop.step(evolve(), 50);
    expect(candidates.count).toBe(50);
    expect([...candidates.operators.subarray(0, 50)]).toEqual(Array(50).fill(NO_OPERATOR));
    expect(new Set(candidates.parents.subarray(0, 100))).toEqual(new Set([NO_PARENT]));
    expect(new Set(genomesOf(loop)).size).toBeGreaterThan(40);
  });

  it("descend from the elites that lineage names", () => {
    const loop = loopOf();
    const emitter = evolve({ fresh: 0.1 });
    loop.step(emitter, 100);
    const archive = loop.archive as ListArchive;
    const before = new Map(archive.elites.map(({ serial, words }) => [serial, [...words]]));
    const { candidates } = loop.step(emitter, 1000);
    const used = new Map<number, number>();
    for (let index = 0; index < 1000; index++) {
      const operator = candidates.operators[index]!;
      used.set(operator, (used.get(operator) ?? 0) + 1);
      const [first, second] = candidates.parents.subarray(2 * index, 2 * index + 2) as unknown as [
        number,
        number,
      ];
      const { words, offsets } = candidates.genomes;
      const child = wordsOf({ words, start: offsets[index]!, end: offsets[index + 1]! });
      if (operator === NO_OPERATOR) expect([first, second]).toEqual([NO_PARENT, NO_PARENT]);
      else if (operator === 3) {
        expect(child[0]).toBe(before.get(first)![0]);
        expect(child.slice(1)).toEqual(before.get(second)!.slice(1));
      } else {
        expect(second).toBe(NO_PARENT);
        const parent = before.get(first)!;
        if (operator === 2 && parent.length > 1) expect(child).toEqual(parent.slice(0, -1));
        if (operator === 1) expect(child.slice(0, parent.length)).toEqual(parent);
      }
    }
    expect([...used.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, NO_OPERATOR]);
    expect(used.get(NO_OPERATOR)).toBeGreaterThan(60);
    expect(used.get(NO_OPERATOR)).toBeLessThan(140);
  });

  it("come from the operators with weights alone", () => {
    const loop = loopOf();
    const emitter = evolve({ operators: { grow: 1, shorten: 3 }, fresh: 0 });
    loop.step(emitter, 20);
    const { operators } = loop.step(emitter, 1000).candidates;
    const grown = operators.subarray(0, 1000).filter((operator) => operator === 1).length;
    expect(operators.subarray(0, 1000).every((operator) => operator === 1 || operator === 2)).toBe(true);
    expect(grown).toBeGreaterThan(200);
    expect(grown).toBeLessThan(300);
  });
});

describe("rates", () => {
  it("grow for the operator that succeeds, and keep a floor for the others", () => {
    // Only longer genomes are better, and the first word of a child is that of its parent.
    const loop = loopOf((words) => ({ objective: words.length, cell: words[0]! }));
    const emitter = evolve({ learn: { floor: 0.2 }, fresh: 0 });
    loop.step(emitter, 30);
    for (let batch = 0; batch < 3; batch++) loop.step(emitter, 100);
    const { operators, rates, width, candidates } = emitter.history()!;
    const last = rates.subarray(rates.length - width);
    expect(operators[last.indexOf(Math.max(...last))]).toBe("grow");
    expect(Math.min(...last)).toBeGreaterThanOrEqual(0.2 / 4);
    expect(last.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(1, 12);
    expect([...candidates]).toEqual([0, 100, 200, 300]);
  });

  it("do not change with weights and without `learn`", () => {
    const loop = loopOf();
    const emitter = evolve({ operators: { grow: 1, replace: 1 } });
    for (let batch = 0; batch < 4; batch++) loop.step(emitter, 50);
    expect(new Set(emitter.history()!.rates)).toEqual(new Set([0.5, 0]));
  });

  it("are learned from given weights on", () => {
    const loop = loopOf();
    const emitter = evolve({ operators: { grow: 1, replace: 1 }, learn: {} });
    for (let batch = 0; batch < 4; batch++) loop.step(emitter, 100);
    const { rates, width } = emitter.history()!;
    const [replace, grow, shorten, join] = rates.subarray(rates.length - width);
    expect(replace! + grow!).toBeCloseTo(1, 12);
    expect(replace).not.toBe(0.5);
    expect([shorten, join]).toEqual([0, 0]);
  });
});

it.each<[string, EvolveOptions]>([
  ["learned rates", {}],
  ["rates by value", { learn: { reward: "value", memory: 10 } }],
])("goes on from its state in the same way: %s", (_, options) => {
  const loop = loopOf();
  const emitter = evolve(options);
  for (let batch = 0; batch < 5; batch++) loop.step(emitter, 60);
  const state = emitter.state!();
  const other = evolve(options);
  other.restore!(state);
  expect(other.state!()).toEqual(state);
  const emitted = [emitter, other].map((each) => {
    loop.candidates.clear();
    each.emit(200, loop.emission(), loop.candidates);
    return genomesOf(loop);
  });
  expect(emitted[1]).toEqual(emitted[0]);
  expect(other.history()).toEqual(emitter.history());
});

it.each<[unknown, string]>([
  [
    { operators: "learnt" },
    "option `operators`: expected `learned`, `equal` or weights by the names of operators, found `learnt`",
  ],
  [{ operators: { grow: -1 } }, "option `operators.grow`: expected a number from 0 to"],
  [{ operators: { grow: 0 } }, "option `operators`: expected a weight above 0, found none"],
  [{ select: "uniform" }, "option `select`: expected a selection such as `uniform()`, found `uniform`"],
  [{ fresh: 2 }, "option `fresh`: expected a number from 0 to 1, found 2"],
  [{ learn: { flor: 0.1 } }, "unknown option `flor` of learn, did you mean `floor`?"],
  [{ chains: 3 }, "unknown option `chains` of evolve"],
])("refuses %j", (options, message) => {
  const make = (): Emitter => evolve(options as EvolveOptions);
  expect(make).toThrow(message);
  expect(codeOf(make)).toBe("INVALID_ARGUMENT");
});

it("refuses operators that the space does not have", () => {
  const emit = () => loopOf().step(evolve({ operators: { grwo: 1 } }), 1);
  expect(emit).toThrow(
    new SearchError("NOT_FOUND", "unknown operator `grwo` of words spaces, did you mean `grow`?"),
  );
});

it("refuses a state of other operators", () => {
  const arrays = { "operators.credit.tried": new Float64Array(2) };
  const emitter = evolve();
  emitter.restore!({ values: { operators: { credit: { candidates: 1 } } }, arrays });
  expect(codeOf(() => loopOf().step(emitter, 1))).toBe("FILE_FORMAT");
});
