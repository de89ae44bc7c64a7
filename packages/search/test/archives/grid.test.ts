// The grid archive: batches against a naive archive, axes, thresholds, states and hashes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { AdditionStatus, type Archive, type GridArchiveOptions, gridArchive } from "../../src/index.js";
import { genomesOf, isError, scoresOf } from "./support.js";

const OPTIONS: GridArchiveOptions = {
  axes: [
    { name: "size", min: 0, max: 1, bins: 3 },
    { name: "lines", min: -1, max: 2 },
    { name: "unit", values: ["fma", "mufu"] },
  ],
};

/** A candidate: its status, objective, three measures and the words of its genome. */
const candidate = fc.record({
  status: fc.constantFrom(0, 0, 0, 0, 1),
  objective: fc.integer({ min: -4, max: 4 }).map((value) => value / 2),
  measures: fc.tuple(
    fc.double({ min: -0.5, max: 1.5, noNaN: true }),
    fc.integer({ min: -3, max: 4 }),
    fc.integer({ min: 0, max: 1 }),
  ),
  words: fc.array(fc.nat(9), { maxLength: 5 }),
});
type Candidate = typeof candidate extends fc.Arbitrary<infer Value> ? Value : never;
const batches = fc.array(fc.array(candidate, { maxLength: 30 }), { maxLength: 6 });

interface Elite {
  readonly objective: number;
  readonly measures: readonly number[];
  readonly words: readonly number[];
  readonly serial: number;
  readonly threshold: number;
}

function cellOf([size, lines, unit]: readonly number[]): number {
  const bin = Math.min(2, Math.max(0, Math.floor(size! * 3)));
  const line = Math.min(2, Math.max(-1, lines!)) + 1;
  return (bin * 4 + line) * 2 + unit!;
}

/** What a grid archive does, as plainly as possible. */
function addNaively(
  cells: Map<number, Elite>,
  batch: readonly Candidate[],
  serial: number,
  rate = 1,
  min?: number,
) {
  return batch.map(({ status, objective, measures, words }, index) => {
    if (status !== 0) return { status: AdditionStatus.rejected, cell: -1, value: -Infinity };
    const cell = cellOf(measures);
    const old = cells.get(cell);
    const bar = old?.threshold ?? min ?? 0;
    const value = objective - bar;
    if ((old !== undefined || min !== undefined) && value <= 0) {
      return { status: AdditionStatus.rejected, cell, value };
    }
    const threshold = bar + rate * value;
    cells.set(cell, { objective, measures, words, serial: serial + index, threshold });
    return { status: old ? AdditionStatus.improved : AdditionStatus.added, cell, value };
  });
}

/** Adds batches to an archive and to the naive one, and compares everything after each. */
function compareWithNaive(
  archive: Archive,
  all: readonly (readonly Candidate[])[],
  rate?: number,
  min?: number,
) {
  const cells = new Map<number, Elite>();
  let serial = 0;
  for (const batch of all) {
    const expected = addNaively(cells, batch, serial, rate, min);
    const { status, cell, value } = archive.add(genomesOf(batch), scoresOf(batch), serial);
    const found = batch.map((_, i) => ({ status: status[i], cell: cell[i], value: value[i] }));
    expect(found).toEqual(expected);
    serial += batch.length;
    compareElites(archive, cells);
  }
}

function compareElites(archive: Archive, cells: ReadonlyMap<number, Elite>) {
  const { count, cell, objective, measures, serial, genomes } = archive.rows();
  expect(count).toBe(cells.size);
  const elites = Array.from({ length: count }, (_, elite) => ({
    cell: cell[elite],
    objective: objective[elite],
    measures: [...measures.subarray(3 * elite, 3 * elite + 3)],
    words: [...genomes.words.subarray(genomes.offsets[elite], genomes.offsets[elite + 1])],
    serial: serial[elite],
  }));
  const expected = [...cells].map(([cell, { threshold: _, ...elite }]) => ({ cell, ...elite }));
  expect(elites).toEqual(expected);
  const objectives = expected.map((elite) => elite.objective);
  expect(archive.best).toBe(objectives.indexOf(Math.max(...objectives)));
  expect(archive.qdScore).toBeCloseTo(objectives.reduce((sum, value) => sum + value, 0) + 2 * count, 10);
  for (const [index, elite] of expected.entries()) {
    expect(archive.at(elite.cell)).toBe(index);
    expect(archive.cellOf(Float64Array.from([9, ...elite.measures]), 1)).toBe(elite.cell);
  }
}

describe("gridArchive", () => {
  it("does what a naive archive does", () => {
    fc.assert(
      fc.property(batches, (all) => compareWithNaive(gridArchive({ ...OPTIONS, qdOffset: -2 }), all)),
      { numRuns: cases(500) },
    );
  });

  it("does what a naive archive with thresholds does", () => {
    const threshold = { learningRate: 0.25, min: -1 };
    fc.assert(
      fc.property(batches, (all) =>
        compareWithNaive(gridArchive({ ...OPTIONS, threshold, qdOffset: -2 }), all, 0.25, -1),
      ),
      { numRuns: cases(500) },
    );
  });

  it("is the same after its state was restored, and goes on in the same way", () => {
    fc.assert(
      fc.property(batches, batches, fc.boolean(), (before, after, withThreshold) => {
        const options = withThreshold ? { ...OPTIONS, threshold: { learningRate: 0.5, min: -2 } } : OPTIONS;
        const archive = gridArchive(options);
        const restored = gridArchive(options);
        const add = (to: Archive, all: typeof before) => {
          for (const batch of all) to.add(genomesOf(batch), scoresOf(batch), 0);
        };
        add(archive, before);
        // Hashes of archives that were asked for a hash before are kept up to date.
        archive.hash();
        add(archive, after);
        restored.restore(archive.state());
        for (const all of [[], before]) {
          add(archive, all);
          add(restored, all);
          expect(restored.hash()).toEqual(archive.hash());
          expect(restored.rows()).toEqual(archive.rows());
          expect([restored.qdScore, restored.best]).toEqual([archive.qdScore, archive.best]);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("has another hash for another objective, measure, genome, serial number or cell", () => {
    const hashOf = (change: Partial<Candidate>, serial = 0) => {
      const archive = gridArchive(OPTIONS);
      const one = { status: 0, objective: 1, measures: [0.1, 0, 0], words: [1, 2], ...change } as Candidate;
      archive.add(genomesOf([one]), scoresOf([one]), serial);
      return archive.hash().join();
    };
    const hashes = [
      hashOf({}),
      hashOf({ objective: 2 }),
      hashOf({ measures: [0.2, 0, 0] }),
      hashOf({ measures: [0.1, 1, 0] }),
      hashOf({ words: [1, 2, 0] }),
      hashOf({ words: [1, 3] }),
      hashOf({}, 1),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf({})).toBe(hashes[0]);
  });

  it("keeps fields and cases of elites", () => {
    const archive = gridArchive({ ...OPTIONS, fields: ["size"], cases: 2 });
    const all: Candidate[] = [1, 3, 2].map((objective) => ({
      status: 0,
      objective,
      measures: [0.5, 0, 0],
      words: [objective],
    }));
    const fields = { size: Float64Array.of(7, 8, 9) };
    archive.add(genomesOf(all), { ...scoresOf(all), fields, cases: Float64Array.of(1, 2, 3, 4, 5, 6) }, 5);
    expect(archive.rows().fields).toEqual({ size: Float64Array.of(8) });
    expect(archive.cases(0)).toEqual(Float64Array.of(3, 4));
    expect(archive.serial(0)).toBe(6);
    const restored = gridArchive({ ...OPTIONS, fields: ["size"], cases: 2 });
    restored.restore(archive.state());
    expect(restored.cases(0)).toEqual(Float64Array.of(3, 4));
    expect(restored.rows()).toEqual(archive.rows());
  });

  it("puts each integer into its own bin, and widths of them into one", () => {
    const archive = gridArchive({ axes: [{ name: "n", min: -20, max: 1000, width: 7 }] });
    expect(archive.bins).toEqual([146]);
    for (let n = -20; n <= 1000; n++) {
      expect(archive.cellOf(Float64Array.of(n), 0)).toBe(Math.floor((n + 20) / 7));
    }
  });

  it.each([
    ["no axes", { axes: [] }],
    ["no range", { axes: [{ name: "a", min: 1, max: 1, bins: 3 }] }],
    ["a negative range", { axes: [{ name: "a", min: 2, max: 1 }] }],
    ["a range without a number", { axes: [{ name: "a", min: Number.NaN, max: 1, bins: 2 }] }],
    ["no bins", { axes: [{ name: "a", min: 0, max: 1, bins: 0 }] }],
    ["an unknown name", { axes: [{ name: "a", min: 0, max: 1, bin: 3 }] }],
    ["an axis twice", { axes: [1, 2].map(() => ({ name: "a", min: 0, max: 1, bins: 3 })) }],
    ["no values", { axes: [{ name: "a", values: [] }] }],
    ["too many cells", { axes: ["a", "b"].map((name) => ({ name, min: 0, max: 1, bins: 1e5 })) }],
    ["a threshold without a least one", { ...OPTIONS, threshold: { learningRate: 0.1 } }],
    ["a field twice", { ...OPTIONS, fields: ["a", "a"] }],
  ])("refuses %s", (_, options) => {
    expect(() => gridArchive(options as GridArchiveOptions)).toThrow(isError("INVALID_ARGUMENT"));
  });

  it("refuses scores that are no numbers, and batches of other sizes, before it changes anything", () => {
    const good: Candidate = { status: 0, objective: 1, measures: [0.5, 0, 0], words: [1] };
    const bad = [
      { ...good, objective: Number.NaN },
      { ...good, measures: [Number.NaN, 0, 0] },
      { ...good, measures: [0, Infinity, 0] },
      { ...good, measures: [0, 0, 2] },
      { ...good, words: [1, 2, 3, 4] },
    ] as Candidate[];
    const archive = gridArchive({ ...OPTIONS, genomeWords: 3 });
    for (const each of bad) {
      const batch = [good, each];
      expect(() => archive.add(genomesOf(batch), scoresOf(batch), 0)).toThrow(isError("INVALID_ARGUMENT"));
    }
    expect(() => archive.add(genomesOf([good, good]), scoresOf([good]), 0)).toThrow(
      isError("INVALID_ARGUMENT"),
    );
    expect(archive.count).toBe(0);
  });

  it("refuses states of other archives and damaged ones", () => {
    const archive = gridArchive(OPTIONS);
    const one: Candidate = { status: 0, objective: 1, measures: [0.5, 0, 0], words: [1] };
    archive.add(genomesOf([one]), scoresOf([one]), 0);
    const { values, arrays } = archive.state();
    const damaged = [
      { values: { ...values, kind: "cvt" }, arrays },
      { values: { ...values, count: 2 }, arrays },
      { values: { ...values, dimensions: 2 }, arrays },
      { values, arrays: { ...arrays, cell: Int32Array.of(24) } },
      { values, arrays: { ...arrays, words: new Uint32Array(3) } },
      { values, arrays: { ...arrays, objective: Float64Array.of(Number.NaN) } },
      { values, arrays: { ...arrays, measures: Uint8Array.of(1, 2, 3) } },
    ];
    const hash = archive.hash();
    for (const state of damaged) expect(() => archive.restore(state)).toThrow(isError("FILE_FORMAT"));
    expect(archive.hash()).toEqual(hash);
    archive.clear();
    expect([archive.count, archive.best, archive.qdScore, archive.at(0)]).toEqual([0, -1, 0, -1]);
  });
});
