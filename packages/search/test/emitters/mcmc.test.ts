// `mcmc`: chains move as Metropolis says, with lineage, patience and cooling, and go on from their state.
import { describe, expect, it } from "vitest";
import { type Emitter, type McmcOptions, mcmc, NO_OPERATOR, NO_PARENT, seeds } from "../../src/index.js";
import { codeOf } from "../support/errors.js";
import { ListArchive } from "../support/list-archive.js";
import { Loop, type Worth } from "../support/loop.js";
import { WordSpace } from "../support/word-space.js";

/** Objectives from 0 to 99 in one cell, so that the archive keeps the best. */
const FIRST: Worth = (words) => ({ objective: words[0]!, cell: 0 });

const loopOf = (worth: Worth = FIRST) => new Loop(new WordSpace(), new ListArchive(), worth);

const chainsOf = (emitter: Emitter) => {
  const { arrays } = emitter.state!();
  return {
    objectives: arrays["chains.objectives"] as Float64Array,
    serials: arrays["chains.serials"] as Float64Array,
    lengths: arrays["chains.lengths"] as Uint32Array,
  };
};

it("starts at random genomes, and varies the programs of the chains from then on", () => {
  const loop = loopOf();
  const emitter = mcmc({
    temperature: 1e-6,
    chains: 4,
    start: "samples",
    operators: { replace: 1, join: 1 },
  });
  const first = loop.step(emitter, 4).candidates;
  expect([...first.operators.subarray(0, 4)]).toEqual(Array(4).fill(NO_OPERATOR));
  expect([...first.tags.subarray(0, 4)]).toEqual([0, 1, 2, 3]);
  for (let batch = 0; batch < 40; batch++) {
    const before = chainsOf(emitter);
    const { candidates, scores, serial } = loop.step(emitter, 4);
    const after = chainsOf(emitter);
    for (let chain = 0; chain < 4; chain++) {
      const [parent, other] = candidates.parents.subarray(2 * chain);
      expect(parent).toBe(before.serials[chain]);
      if (candidates.operators[chain] === 3) expect(before.serials).toContain(other);
      else expect(other).toBe(NO_PARENT);
      // At this temperature nothing worse is accepted.
      const moves = scores.objective[chain]! >= before.objectives[chain]!;
      expect(after.serials[chain]).toBe(moves ? serial + chain : before.serials[chain]);
      expect(after.objectives[chain]).toBe(Math.max(scores.objective[chain]!, before.objectives[chain]!));
    }
  }
});

it("visits programs as often as their objectives and the temperature say", () => {
  // A chain on 0 to 99 where all moves are as likely: its distribution is exp(objective / temperature).
  const space = new WordSpace();
  const loop = new Loop(space, new ListArchive(), (words) => ({ objective: words[0]! % 3, cell: 0 }));
  loop.step(seeds(["7"]), 1);
  const temperature = 1.5;
  const emitter = mcmc({ temperature, chains: 50, operators: { replace: 1 } });
  const visits = [0, 0, 0];
  for (let batch = 0; batch < 300; batch++) {
    loop.step(emitter, 50);
    if (batch >= 20) for (const objective of chainsOf(emitter).objectives) visits[objective]!++;
  }
  const sizes = [34, 33, 33].map((size, objective) => size * Math.exp(objective / temperature));
  const [all, total] = [sizes, visits].map((list) => list.reduce((sum, each) => sum + each));
  visits.forEach((count, objective) => {
    expect(Math.abs(count / total! - sizes[objective]! / all!)).toBeLessThan(0.02);
  });
});

it("accepts less when it has cooled down", () => {
  const loop = loopOf();
  const temperature = { from: 1e6, to: 1e-3, candidates: 100 };
  const emitter = mcmc({ temperature, chains: 20, start: "samples", operators: { replace: 1 } });
  const worse = [0, 0];
  for (let batch = 0; batch < 200; batch++) {
    const before = chainsOf(emitter).objectives.slice();
    loop.step(emitter, 20);
    const fell = chainsOf(emitter).objectives.filter((objective, chain) => objective < before[chain]!);
    worse[batch < 20 ? 0 : 1]! += batch < 20 || batch > 110 ? fell.length : 0;
  }
  expect(worse[0]).toBeGreaterThan(30);
  expect(worse[1]).toBe(0);
});

describe("chains", () => {
  it("start at elites when there are any, with their lineage", () => {
    const loop = loopOf();
    loop.step(seeds(["50 1"]), 1);
    const { candidates } = loop.step(mcmc({ temperature: 1, chains: 3 }), 6);
    expect([...candidates.parents.subarray(0, 12)].filter((_, index) => index % 2 === 0)).toEqual(
      Array(6).fill(0),
    );
  });

  it("start again after candidates that were no better", () => {
    const loop = loopOf(() => ({ objective: 1, cell: 0 }));
    const emitter = mcmc({ temperature: 1, chains: 1, patience: 5, start: "samples" });
    const samples: number[] = [];
    for (let batch = 0; batch < 20; batch++) {
      const { candidates } = loop.step(emitter, 1);
      if (candidates.operators[0] === NO_OPERATOR) samples.push(batch);
    }
    expect(samples).toEqual([0, 6, 12, 18]);
  });

  it("stay where they are when candidates fail", () => {
    let fails = false;
    const loop = loopOf((words) => (fails ? undefined : FIRST(words)));
    const emitter = mcmc({ temperature: 1, chains: 5, start: "samples" });
    loop.step(emitter, 5);
    const before = chainsOf(emitter);
    fails = true;
    loop.step(emitter, 10);
    expect(chainsOf(emitter)).toEqual(before);
  });

  it("that have not started wait for a candidate that does not fail", () => {
    const loop = loopOf(() => undefined);
    const emitter = mcmc({ temperature: 1, chains: 5 });
    loop.step(emitter, 5);
    const { candidates } = loop.step(emitter, 5);
    expect([...candidates.operators.subarray(0, 5)]).toEqual(Array(5).fill(NO_OPERATOR));
  });
});

it("goes on from its state in the same way", () => {
  const options: McmcOptions = { temperature: 5, chains: 7, operators: "learned", patience: 30 };
  const [loop, other] = [loopOf(), loopOf()];
  const [emitter, resumed] = [mcmc(options), mcmc(options)];
  for (let batch = 0; batch < 10; batch++) {
    loop.step(emitter, 20);
    other.step(mcmc(options), 20);
  }
  // The archives differ from here on unless the chains do the same.
  resumed.restore!(emitter.state!());
  loop.archive.clear();
  other.archive.clear();
  for (let batch = 0; batch < 10; batch++) {
    const made = [loop.step(emitter, 20), other.step(resumed, 20)].map(({ candidates }) => [
      ...candidates.genomes.words,
      ...candidates.parents.subarray(0, 40),
    ]);
    expect(made[1]).toEqual(made[0]);
  }
  expect(resumed.state!()).toEqual(emitter.state!());
  expect(resumed.history()).toEqual(emitter.history());
});

it.each<[unknown, string]>([
  [
    {},
    "option `temperature`: expected a number or an object with `from`, `to` and `candidates`, found undefined",
  ],
  [{ temperature: 0 }, "option `temperature`: expected a number from 1e-30 to 1e+30, found 0"],
  [{ temperature: { from: 1, to: 0.1 } }, "option `temperature.candidates`: expected a whole number"],
  [{ temperature: 1, chains: 0 }, "option `chains`: expected a whole number from 1 to 65536, found 0"],
  [{ temperature: 1, start: "seeds" }, "option `start`: expected `elites`, `samples`, found `seeds`"],
  [{ temperature: 1, operators: {} }, "option `operators`: expected a weight above 0, found none"],
  [{ temperature: 1, beta: 1 }, "unknown option `beta` of mcmc"],
])("refuses %j", (options, message) => {
  const make = () => mcmc(options as McmcOptions);
  expect(make).toThrow(message);
  expect(codeOf(make)).toBe("INVALID_ARGUMENT");
});

it("refuses states of other chains", () => {
  const state = mcmc({ temperature: 1, chains: 3 }).state!();
  expect(codeOf(() => mcmc({ temperature: 1, chains: 4 }).restore!(state))).toBe("FILE_FORMAT");
  expect(codeOf(() => mcmc({ temperature: 1, chains: 3 }).restore!(state))).toBeUndefined();
});
