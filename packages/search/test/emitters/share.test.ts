// `Shares`: whole numbers of candidates that add up to the parts, emitters that end, and learned parts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { Shares } from "../../src/emitters/share.js";
import { type Additions, Candidates, type Emitter, evolve, seeds } from "../../src/index.js";
import { codeOf } from "../support/errors.js";
import { ListArchive } from "../support/list-archive.js";
import { Loop } from "../support/loop.js";
import { WordSpace } from "../support/word-space.js";

const loopOf = () => new Loop(new WordSpace(), new ListArchive(), () => undefined);

/** Makes one word `word` for each candidate, `most` in all. */
function wordEmitter(word: number, most = Number.POSITIVE_INFINITY): Emitter {
  let left = most;
  return {
    kind: "word",
    description: word,
    emit(count, _, { genomes }) {
      for (let made = 0; made < count && left > 0; made++, left--) {
        genomes.reserve(1)[genomes.end] = word;
        genomes.append(genomes.end + 1);
      }
    },
  };
}

/** How many candidates each emitter makes. */
function countsOf(shares: Shares, total: number): number[] {
  const ends: number[] = [];
  shares.emit(total, loopOf().emission(), new Candidates(), ends);
  return ends.map((end, index) => end - (ends[index - 1] ?? 0));
}

const weights = fc.array(fc.double({ min: 0.01, max: 10, noNaN: true }), { minLength: 1, maxLength: 6 });

it("shares every batch completely, and over batches in proportion to the weights", () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 100 }), (parts, total) => {
      const shares = new Shares(
        parts.map((_, index) => wordEmitter(index)),
        parts,
      );
      const sum = parts.reduce((all, part) => all + part);
      const made = parts.map(() => 0);
      for (let batch = 1; batch <= 20; batch++) {
        const counts = countsOf(shares, total);
        expect(counts.reduce((all, count) => all + count)).toBe(total);
        counts.forEach((count, index) => {
          made[index]! += count;
        });
      }
      // Later emitters share what rounding left, so all of their roundings add up.
      made.forEach((count, index) => {
        expect(Math.abs(count - (20 * total * parts[index]!) / sum)).toBeLessThan(1 + parts.length);
      });
    }),
    { numRuns: cases(300) },
  );
});

describe("an emitter with nothing left", () => {
  it("leaves its part to the emitters after it", () => {
    const shares = new Shares([seeds(["1", "2", "3"]), wordEmitter(9), wordEmitter(8)], [2, 1, 1]);
    expect(countsOf(shares, 100)).toEqual([3, 49, 48]);
    expect(countsOf(shares, 100)).toEqual([0, 50, 50]);
  });

  it("leaves its part to the others from the next batch on, if it is the last", () => {
    const shares = new Shares([wordEmitter(9), wordEmitter(8, 10)], [1, 1]);
    expect(countsOf(shares, 40)).toEqual([20, 10]);
    expect(countsOf(shares, 40)).toEqual([40, 0]);
  });

  it("ends the search together with all others", () => {
    const shares = new Shares([wordEmitter(9, 5), seeds(["1"])], [1, 1]);
    expect(countsOf(shares, 40)).toEqual([5, 1]);
    expect(countsOf(shares, 40)).toEqual([0, 0]);
  });
});

describe("learned parts", () => {
  /** Additions in which every candidate of emitter 0 improves the archive, and none of the others. */
  function additionsOf(counts: readonly number[]): Additions {
    const total = counts.reduce((all, count) => all + count);
    const status = Uint8Array.from({ length: total }, (_, index) => (index < counts[0]! ? 1 : 0));
    const [value, cell] = [new Float64Array(total).fill(1), new Int32Array(total)];
    return { status, value, cell, added: 0, improved: counts[0]! };
  }

  const learning = () =>
    new Shares([wordEmitter(1), wordEmitter(2), wordEmitter(3)], [1, 1, 1], { floor: 0.3 });

  function step(shares: Shares): number[] {
    const counts = countsOf(shares, 90);
    shares.tell(additionsOf(counts), [counts[0]!, counts[0]! + counts[1]!, 90]);
    return counts;
  }

  it("grow with success down to the floor of the others", () => {
    const shares = learning();
    expect(step(shares)).toEqual([30, 30, 30]);
    for (let batch = 0; batch < 30; batch++) step(shares);
    const [first, second, third] = step(shares);
    expect(first).toBeGreaterThan(60);
    expect(Math.min(second!, third!)).toBeGreaterThanOrEqual(9);
    expect(shares.history().rates.length).toBe(3 * 32);
  });

  it("go on from their state in the same way", () => {
    const [shares, other] = [learning(), learning()];
    for (let batch = 0; batch < 5; batch++) step(shares);
    other.restore(shares.state());
    for (let batch = 0; batch < 5; batch++) expect(step(other)).toEqual(step(shares));
    expect(other.state()).toEqual(shares.state());
  });
});

it("tells emitters apart by their index", () => {
  const loop = loopOf();
  const candidates = new Candidates();
  new Shares([seeds(["1", "2"]), evolve()], [1, 1]).emit(10, loop.emission(), candidates, []);
  expect([...candidates.emitters.subarray(0, 10)]).toEqual([0, 0, ...Array(8).fill(1)]);
});

it("refuses other states", () => {
  const shares = new Shares([wordEmitter(1)], [1]);
  const other = new Shares([wordEmitter(1), wordEmitter(2)], [1, 1]);
  expect(codeOf(() => shares.restore(other.state()))).toBe("FILE_FORMAT");
  expect(codeOf(() => shares.restore({ values: {}, arrays: {} }))).toBe("FILE_FORMAT");
});
