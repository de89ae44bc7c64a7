// Archives whose axes are principal components: how elites are placed again, what the archive depends on, and what is refused.
import { describe, expect, it } from "vitest";
import {
  Candidates,
  evolve,
  functionEvaluator,
  type ProjectedArchive,
  projectedArchive,
  Search,
  vectorSpace,
} from "../../src/index.js";
import { fails, hashOf, runFor } from "../support/recorded.js";

const COLUMNS = 12;

/** Behaviors of two parameters. */
const behavior = (a: number, b: number): number[] =>
  Array.from(
    { length: COLUMNS },
    (_, column) => 3 * a * Math.cos(column) + b * (column - 5.5) + a * b * 0.01,
  );

function add(
  archive: ProjectedArchive,
  points: readonly (readonly [number, number])[],
  serial: number,
): void {
  const candidates = new Candidates();
  for (const [index] of points.entries()) candidates.genomes.appendCopy(Uint32Array.of(serial + index));
  archive.add(
    candidates.genomes,
    {
      status: new Uint8Array(points.length),
      objective: Float64Array.from(points, ([a, b]) => a + b),
      measures: Float64Array.from(points.flatMap(([a, b]) => behavior(a, b))),
    },
    serial,
  );
}

const points = (from: number, count: number): [number, number][] =>
  Array.from({ length: count }, (_, index) => [
    (((from + index) * 7919) % 1009) / 504.5 - 1,
    (((from + index) * 6101) % 1013) / 506.5 - 1,
  ]);

const search = () =>
  new Search({
    space: vectorSpace({ dimensions: 2, bounds: [-1, 1] }),
    archive: projectedArchive({ columns: COLUMNS, bins: 8, every: 100 }),
    emitters: [evolve()],
    evaluator: functionEvaluator({
      name: "behavior",
      measures: Array.from({ length: COLUMNS }, (_, column) => `behavior ${column}`),
      score: (words) => {
        const [a, b] = new Float32Array(words.slice().buffer) as unknown as [number, number];
        return { objective: 2 - a * a - b * b, measures: behavior(a, b) };
      },
    }),
    ...{ seed: 2, batchSize: 40 },
  });

describe("a projected archive", () => {
  it("places all elites again when its projection changes", () => {
    const archive = projectedArchive({ columns: COLUMNS, bins: 8, every: 64 });
    let changes = 0;
    let version = 0;
    for (let batch = 0; batch < 20; batch++) {
      add(archive, points(50 * batch, 50), 50 * batch);
      if (archive.version !== version) changes++;
      version = archive.version;
      const seen = new Set<number>();
      const { measures } = archive.rows();
      for (let elite = 0; elite < archive.count; elite++) {
        const cell = archive.cell(elite);
        expect(archive.cellOf(measures, elite * COLUMNS)).toBe(cell);
        expect(archive.at(cell)).toBe(elite);
        expect(seen.has(cell)).toBe(false);
        seen.add(cell);
      }
    }
    // At the start, and after 64, 128, 256 and 512 others.
    expect(changes).toBeGreaterThanOrEqual(4);
    expect(changes).toBeLessThan(8);
    expect(archive.explained).toBeGreaterThan(0.99);
    expect(archive.count).toBeGreaterThan(20);
    expect(Math.max(...archive.descriptors(archive.best).map(Math.abs))).toBeGreaterThan(0);
  });

  it("keeps the best of those that come into one cell", () => {
    const archive = projectedArchive({ columns: COLUMNS, bins: 8, every: 64 });
    const all = points(0, 1000);
    for (let batch = 0; batch < 20; batch++) add(archive, all.slice(50 * batch, 50 * batch + 50), 50 * batch);
    // The best of all is an elite whatever happened to its cell.
    expect(archive.objective(archive.best)).toBe(Math.max(...all.map(([a, b]) => a + b)));
  });

  it("goes on from a state, and depends on what is added alone", async () => {
    const [whole, first, second] = [search(), search(), search()];
    await runFor(whole, 16);
    await runFor(first, 7);
    second.restore(structuredClone(first.state()));
    expect(hashOf(second)).toBe(hashOf(first));
    await runFor(second, 9);
    expect(hashOf(second)).toBe(hashOf(whole));
    expect((second.archive as ProjectedArchive).version).toBe((whole.archive as ProjectedArchive).version);
    expect((whole.archive as ProjectedArchive).version).toBeGreaterThan(2);
  });

  it("has one descriptor where behaviors vary in nothing else", () => {
    const archive = projectedArchive({ columns: COLUMNS });
    add(archive, [[0.5, 0.5]], 0);
    add(archive, [[0.5, 0.5]], 1);
    expect(archive.count).toBe(1);
  });

  it.each<[string, object, RegExp]>([
    ["no columns", {}, /columns/],
    ["too many components", { columns: 3, components: 4 }, /at most 3 components/],
    ["too many cells", { columns: 8, components: 4, bins: 100 }, /cells/],
    ["an infinite range", { columns: 8, range: Number.POSITIVE_INFINITY }, /finite `range`/],
    ["thresholds", { columns: 8, threshold: { learningRate: 1, min: 0 } }, /threshold/],
  ])("refuses %s", (_, options, message) => {
    expect(() => projectedArchive(options as never)).toThrow(fails("INVALID_ARGUMENT", message));
  });

  it("refuses the state of another projection", () => {
    const archive = projectedArchive({ columns: COLUMNS });
    add(archive, points(0, 20), 0);
    const other = projectedArchive({ columns: COLUMNS, components: 3 });
    expect(() => other.restore(archive.state())).toThrow(
      fails("FILE_FORMAT", /the projection of an archive/),
    );
  });
});
