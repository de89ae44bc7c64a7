// `curiosity`: scores of elites rise with offspring that enter the archive, fall with others, and move with the elites.
import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../../../../tests/support/counts.js";
import { SerialTable } from "../../../src/emitters/select/serial-table.js";
import { type CuriosityOptions, curiosity, Draws, evolve } from "../../../src/index.js";
import { codeOf } from "../../support/errors.js";
import { ListArchive } from "../../support/list-archive.js";
import { Loop } from "../../support/loop.js";
import { WordSpace } from "../../support/word-space.js";

/** Only children of genomes that begin with 1 enter the archive, with a better objective each time. */
function loopOf(): Loop {
  let objective = 0;
  return new Loop(new WordSpace(), new ListArchive(), (words) => {
    if (objective < 10) return { objective: ++objective, cell: objective };
    return words[0] === 1 ? { objective: 0.5, cell: 100 + (objective++ % 800) } : undefined;
  });
}

/** The scores of the elites by serial number. */
function scoresOf(emitter: ReturnType<typeof evolve>): Map<number, number> {
  const { arrays } = emitter.state!();
  const [serials, scores] = [arrays["select.serials"]!, arrays["select.scores"]!];
  return new Map([...serials].map((serial, index) => [serial, scores[index]!]));
}

it("raises the scores of parents whose offspring enter the archive, and lowers those of others", () => {
  const loop = loopOf();
  const emitter = evolve({ select: curiosity(), operators: { grow: 1 }, fresh: 0 });
  loop.step(emitter, 10);
  const archive = loop.archive as ListArchive;
  archive.elites[4]!.words[0] = 1;
  for (const [index, { words }] of archive.elites.entries()) if (index !== 4) words[0] = 2;
  const good = archive.elites[4]!.serial;
  for (let batch = 0; batch < 30; batch++) loop.step(emitter, 10);
  const scores = scoresOf(emitter);
  expect(scores.get(good)).toBeGreaterThan(2);
  const others = archive.elites.slice(0, 10).filter(({ words }) => words[0] === 2);
  const low = others.filter(({ serial }) => scores.get(serial)! <= 0.5);
  expect(low.length).toBeGreaterThanOrEqual(6);
  // Those that were never selected have the first score.
  for (const { serial } of others) expect(scores.get(serial) ?? 1).toBeLessThanOrEqual(1);
});

it("selects in proportion to the scores", () => {
  const archive = new ListArchive();
  for (const serial of [5, 6, 7, 8]) {
    archive.elites.push({ ...{ cell: 0, serial, objective: 0, cases: undefined }, words: Uint32Array.of(0) });
  }
  const selection = curiosity({ down: 0, most: 5 });
  selection.restore!({
    values: {},
    arrays: { serials: Float64Array.of(5, 7, 8), scores: Float64Array.of(0.5, 3, 5) },
  });
  const draws = new Draws();
  const parts = [0, 0, 0, 0];
  for (let round = 0; round < 20_000; round++) {
    draws.start(3, 4, round);
    parts[selection.select(archive, draws)]! += 1 / 20_000;
  }
  [0.5, 1, 3, 5].forEach((score, index) => {
    expect(Math.abs(parts[index]! - score / 9.5)).toBeLessThan(0.012);
  });
});

it("goes on from its state in the same way", () => {
  const options = (): Parameters<typeof evolve>[0] => ({ select: curiosity(), fresh: 0.05 });
  const loop = loopOf();
  const emitter = evolve(options());
  for (let batch = 0; batch < 10; batch++) loop.step(emitter, 40);
  const other = evolve(options());
  other.restore!(emitter.state!());
  expect(other.state!()).toEqual(emitter.state!());
  const emitted = [emitter, other].map((each) => {
    loop.candidates.clear();
    each.emit(100, loop.emission(), loop.candidates);
    return [...loop.candidates.genomes.words, ...loop.candidates.parents.subarray(0, 200)];
  });
  expect(emitted[1]).toEqual(emitted[0]);
  expect(other.state!()).toEqual(emitter.state!());
});

it("forgets elites that are gone", () => {
  const selection = curiosity();
  const serials = Float64Array.from({ length: 5000 }, (_, index) => index);
  selection.restore!({ values: {}, arrays: { serials, scores: serials.map(() => 2) } });
  const archive = new ListArchive();
  archive.elites.push({
    ...{ cell: 0, serial: 17, objective: 0, cases: undefined },
    words: Uint32Array.of(0),
  });
  const loop = new Loop(new WordSpace(), archive, () => undefined);
  selection.begin!(1, loop.emission());
  expect(selection.state!().arrays).toEqual({ serials: Float64Array.of(17), scores: Float64Array.of(2) });
});

it("keeps numbers by serial numbers as a map does", () => {
  const serial = fc.oneof(
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    fc.integer({ min: 0, max: 99 }).map((index) => index * 2 ** 32),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(serial, fc.double({ noNaN: true })), { maxLength: 1500 }), (entries) => {
      const [table, map] = [new SerialTable(), new Map<number, number>()];
      for (const [key, value] of entries) {
        expect(table.get(key, -7)).toBe(map.get(key) ?? -7);
        table.set(key, value);
        map.set(key, value);
      }
      expect(table.count).toBe(map.size);
      expect([...table.serials()]).toEqual([...map.keys()].sort((a, b) => a - b));
      for (const [key, value] of map) expect(table.get(key, -7)).toBe(value);
    }),
    { numRuns: cases(200) },
  );
});

it("refuses other states", () => {
  const restore = (serials: number, scores: readonly number[]) => () =>
    curiosity().restore!({
      values: {},
      arrays: { serials: new Float64Array(serials), scores: Float64Array.from(scores) },
    });
  expect(codeOf(restore(1, [1]))).toBeUndefined();
  expect(codeOf(restore(2, [1]))).toBe("FILE_FORMAT");
  expect(codeOf(restore(1, [9]))).toBe("FILE_FORMAT");
  expect(codeOf(restore(1, [Number.NaN]))).toBe("FILE_FORMAT");
});

it.each([{ up: -1 }, { least: 0 }, { least: 2 }, { most: 0.5 }, { rise: 1 }])("refuses %j", (options) => {
  expect(codeOf(() => curiosity(options as CuriosityOptions))).toBe("INVALID_ARGUMENT");
});
