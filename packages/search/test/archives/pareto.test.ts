// The Pareto archive: against brute force, within a capacity, and after its state was restored.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { type ParetoArchiveOptions, paretoArchive } from "../../src/index.js";
import { genomesOf, isError, type ScoredCandidate, scoresOf } from "./support.js";

const OPTIONS: ParetoArchiveOptions = {
  measures: [
    { name: "lines", goal: "min" },
    { name: "range", goal: "max" },
  ],
};

const candidate = fc.record({
  status: fc.constantFrom(0, 0, 0, 1),
  objective: fc.integer({ min: 0, max: 4 }),
  measures: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })),
  words: fc.array(fc.nat(9), { maxLength: 3 }),
});
const batches = fc.array(fc.array(candidate, { maxLength: 20 }), { maxLength: 5 });

/** Objective and measures so that higher is better. */
const keyOf = ({ objective, measures: [lines, range] }: ScoredCandidate) => [objective, -lines!, range!];

const dominates = (a: ScoredCandidate, b: ScoredCandidate) => {
  const [left, right] = [keyOf(a), keyOf(b)];
  return (
    left.every((value, index) => value >= right[index]!) && left.some((value, index) => value > right[index]!)
  );
};

const isSame = (a: ScoredCandidate, b: ScoredCandidate) => keyOf(a).join() === keyOf(b).join();

/** What no other candidate dominates, and of equal candidates the first. */
const frontOf = (all: readonly ScoredCandidate[]) =>
  all.flatMap((each, index) => {
    const isFirst = all.findIndex((other) => isSame(each, other)) === index;
    return isFirst && !all.some((other) => dominates(other, each)) ? [index] : [];
  });

describe("paretoArchive", () => {
  it("keeps what brute force keeps", () => {
    fc.assert(
      fc.property(batches, (all) => {
        const archive = paretoArchive(OPTIONS);
        const seen: ScoredCandidate[] = [];
        for (const batch of all) {
          const { status, cell } = archive.add(genomesOf(batch), scoresOf(batch), seen.length);
          for (const [index, each] of batch.entries()) {
            const isBeaten =
              each.status !== 0 ||
              seen.some((other) => other.status === 0 && (dominates(other, each) || isSame(other, each)));
            expect(status[index] === 0).toBe(isBeaten);
            expect(cell[index]).toBe(-1);
            seen.push(each);
          }
          const valid = seen.map((each, index) => ({ ...each, index })).filter((each) => each.status === 0);
          const expected = frontOf(valid).map((place) => valid[place]!.index);
          const { serial, count, objective, measures } = archive.rows();
          expect([...serial].sort((a, b) => a - b)).toEqual(expected);
          for (let elite = 0; elite < count; elite++) {
            const { objective: found, measures: own, words } = seen[serial[elite]!]!;
            expect([objective[elite], ...measures.subarray(2 * elite, 2 * elite + 2)]).toEqual([
              found,
              ...own,
            ]);
            const genome = { words: new Uint32Array(0), start: 0, end: 0 };
            archive.genome(elite, genome);
            expect([...genome.words.subarray(genome.start, genome.end)]).toEqual(words);
          }
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it("does not count differences within steps, and keeps the best of each", () => {
    const archive = paretoArchive({ measures: [{ name: "error", goal: "min", epsilon: 0.5 }], epsilon: 10 });
    const batch = [
      [11, 0.6],
      [12, 0.9],
      [11.5, 0.55],
      [25, 0.7],
      [9, 0.4],
    ].map(([objective, error]) => ({ status: 0, objective: objective!, measures: [error!], words: [] }));
    const { status, value } = archive.add(genomesOf(batch), scoresOf(batch), 0);
    expect([...status.subarray(0, 5)]).toEqual([2, 1, 0, 1, 2]);
    expect([...value.subarray(0, 5)]).toEqual([11, 1, -0.5, 13, 9]);
    expect([...archive.rows().objective]).toEqual([25, 9]);
  });

  it("removes the most crowded beyond the capacity, and says that they were not added", () => {
    const archive = paretoArchive({ measures: [{ name: "cost", goal: "min" }], capacity: 4 });
    // All on a line; 3 and 3.1 are the nearest neighbours of each other.
    const front = [0, 1, 2, 3, 3.1, 10].map((cost) => ({
      status: 0,
      objective: cost,
      measures: [cost],
      words: [cost * 10],
    }));
    const { status, added } = archive.add(genomesOf(front), scoresOf(front), 100);
    const costs = [...archive.rows().measures].sort((a, b) => a - b);
    expect(costs).toEqual([0, 2, 3.1, 10]);
    expect([...status.subarray(0, 6)]).toEqual([2, 0, 2, 0, 2, 2]);
    expect(added).toBe(4);
  });

  it("is the same after its state was restored, also with a capacity", () => {
    fc.assert(
      fc.property(batches, batches, (before, after) => {
        const options = { ...OPTIONS, capacity: 5 };
        const [archive, restored] = [paretoArchive(options), paretoArchive(options)];
        let serial = 0;
        for (const batch of before) {
          archive.add(genomesOf(batch), scoresOf(batch), serial);
          serial += batch.length;
        }
        archive.hash();
        restored.restore(archive.state());
        for (const batch of after) {
          const { status, value } = archive.add(genomesOf(batch), scoresOf(batch), serial);
          const other = restored.add(genomesOf(batch), scoresOf(batch), serial);
          expect(other.status.subarray(0, batch.length)).toEqual(status.subarray(0, batch.length));
          expect(other.value.subarray(0, batch.length)).toEqual(value.subarray(0, batch.length));
          serial += batch.length;
        }
        expect(archive.count).toBeLessThanOrEqual(5);
        expect(restored.hash()).toEqual(archive.hash());
        expect(restored.rows()).toEqual(archive.rows());
        expect(restored.qdScore).toBe(archive.qdScore);
        expect(restored.best).toBe(archive.best);
      }),
      { numRuns: cases(300) },
    );
  });

  it.each([
    ["no measures", { measures: [] }],
    ["a measure without a goal", { measures: [{ name: "a" }] }],
    ["another goal", { measures: [{ name: "a", goal: "least" }] }],
    ["a measure twice", { measures: [OPTIONS.measures[0], OPTIONS.measures[0]] }],
    ["a step of 0", { ...OPTIONS, epsilon: 0 }],
    ["no capacity", { ...OPTIONS, capacity: 0 }],
  ])("refuses %s", (_, options) => {
    expect(() => paretoArchive(options as ParetoArchiveOptions)).toThrow(isError("INVALID_ARGUMENT"));
  });
});
