// The CVT archive: nearest centroids against brute force, where centroids are, states and wrong options.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { haltonPoints, moveToMeans, randomPoints } from "../../src/archives/centroids.js";
import { NearestPoint } from "../../src/archives/nearest.js";
import { type CvtArchiveOptions, cvtArchive } from "../../src/index.js";
import { genomesOf, isError, scoresOf } from "./support.js";

const UNIT = { ranges: ["a", "b"].map((name) => ({ name, min: 0, max: 1 })) };

/** The first of the nearest points. */
function nearestByForce(points: Float64Array, query: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  let nearest = -1;
  for (let index = 0; index * query.length < points.length; index++) {
    let distance = 0;
    query.forEach((value, axis) => {
      const step = value - points[index * query.length + axis]!;
      distance += step * step;
    });
    if (distance < least) {
      least = distance;
      nearest = index;
    }
  }
  return nearest;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean distance of random points from the nearest of the centroids. */
function spread(centroids: Float64Array): number {
  const tree = new NearestPoint(centroids, 2);
  const points = randomPoints(5000, 2, 99);
  return mean(
    Array.from({ length: 5000 }, (_, point) => {
      const nearest = tree.nearest(points, 2 * point);
      return Math.hypot(
        points[2 * point]! - centroids[2 * nearest]!,
        points[2 * point + 1]! - centroids[2 * nearest + 1]!,
      );
    }),
  );
}

describe("nearest centroids", () => {
  it("are those that brute force finds, the first of several", () => {
    // Coordinates of few values give equal points and equal distances.
    const coarse = fc.integer({ min: -3, max: 3 });
    const fine = fc.double({ min: -2, max: 2, noNaN: true });
    const points = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()).chain(([dimensions, isCoarse]) =>
      fc.record({
        dimensions: fc.constant(dimensions),
        points: fc.array(
          fc.array(isCoarse ? coarse : fine, { minLength: dimensions, maxLength: dimensions }),
          {
            minLength: 1,
            maxLength: 80,
          },
        ),
        queries: fc.array(
          fc.array(fc.oneof(coarse, fine), { minLength: dimensions, maxLength: dimensions }),
          {
            maxLength: 20,
          },
        ),
      }),
    );
    fc.assert(
      fc.property(points, ({ dimensions, points, queries }) => {
        const flat = Float64Array.from(points.flat());
        const tree = new NearestPoint(flat, dimensions);
        for (const query of queries) {
          expect(tree.nearest(Float64Array.from([7, ...query]), 1)).toBe(nearestByForce(flat, query));
        }
      }),
      { numRuns: cases(1000) },
    );
  });
});

describe("centroids", () => {
  it("of the Halton sequence fill the square evenly", () => {
    const points = haltonPoints(1000, 2, 5);
    expect(points.every((value) => value >= 0 && value < 1)).toBe(true);
    // Of 1,000 points, each of 10 x 10 squares has about 10.
    const counts = new Map<number, number>();
    for (let point = 0; point < 1000; point++) {
      const square = Math.floor(10 * points[2 * point]!) * 10 + Math.floor(10 * points[2 * point + 1]!);
      counts.set(square, (counts.get(square) ?? 0) + 1);
    }
    expect(counts.size).toBe(100);
    expect(Math.min(...counts.values())).toBeGreaterThan(4);
    expect(Math.max(...counts.values())).toBeLessThan(17);
    expect(haltonPoints(10, 2, 5)).toEqual(points.subarray(0, 20));
    expect(haltonPoints(10, 2, 6)).not.toEqual(points.subarray(0, 20));
  });

  it("of k-means are nearer to random points than those they began with", () => {
    const first = haltonPoints(100, 2, 1);
    const means = moveToMeans(first, randomPoints(5000, 2, 1), 2, 20);
    expect(spread(means)).toBeLessThan(spread(first));
    expect(spread(first)).toBeLessThan(spread(randomPoints(100, 2, 3)));
  });
});

describe("cvtArchive", () => {
  it("keeps the best of each region, also beyond the ranges", () => {
    const archive = cvtArchive({
      ranges: [
        { name: "a", min: 0, max: 10 },
        { name: "b", min: 0, max: 1000 },
      ],
      centroids: [
        [2, 500],
        [8, 500],
      ],
    });
    expect([archive.cells, archive.dimensions, ...archive.centroids]).toEqual([2, 2, 2, 500, 8, 500]);
    expect([...archive.extents!]).toEqual([10, 1000]);
    const batch = [
      { status: 0, objective: 1, measures: [4, 1e300], words: [1] },
      { status: 0, objective: 2, measures: [9, 1], words: [2] },
      { status: 0, objective: 3, measures: [6.5, 900], words: [3] },
      { status: 1, objective: 9, measures: [0, 0], words: [4] },
      // As far from one as from the other.
      { status: 0, objective: 2, measures: [5, 500], words: [5] },
    ];
    const { status, cell, added, improved } = archive.add(genomesOf(batch), scoresOf(batch), 0);
    expect([...status.subarray(0, 5)]).toEqual([2, 2, 1, 0, 1]);
    expect([...cell.subarray(0, 5)]).toEqual([0, 1, 1, -1, 0]);
    expect([added, improved, archive.qdScore]).toEqual([2, 2, 5]);
    const restored = cvtArchive({ ...UNIT, cells: 2 });
    restored.restore(archive.state());
    expect(restored.hash()).toEqual(archive.hash());
  });

  it("has the same centroids for the same seed, and says what determines them", () => {
    const options: CvtArchiveOptions = { ...UNIT, cells: 64, centroids: "k-means", samples: 1000, rounds: 3 };
    const [one, two] = [cvtArchive(options), cvtArchive(options)];
    expect(one.centroids).toEqual(two.centroids);
    expect(one.description).toEqual(two.description);
    const points = Array.from({ length: 64 }, (_, cell) => [
      ...one.centroids.subarray(2 * cell, 2 * cell + 2),
    ]);
    const given = cvtArchive({ ...UNIT, centroids: points });
    expect(given.centroids).toEqual(one.centroids);
    const others = [
      given,
      cvtArchive({ ...UNIT, cells: 64 }),
      cvtArchive({ ...UNIT, cells: 64, seed: 1 }),
      one,
    ];
    expect(new Set(others.map(({ description }) => JSON.stringify(description))).size).toBe(4);
  });

  it.each([
    ["no ranges", { ranges: [], cells: 3 }],
    ["an empty range", { ranges: [{ name: "a", min: 1, max: 1 }], cells: 3 }],
    ["a range twice", { ranges: [1, 1].map((max) => ({ name: "a", min: 0, max })), cells: 3 }],
    ["no number of cells", UNIT],
    ["no cells", { ...UNIT, cells: 0 }],
    ["other centroids", { ...UNIT, cells: 3, centroids: "sobol" }],
    ["no centroids", { ...UNIT, centroids: [] }],
    ["centroids without all coordinates", { ...UNIT, centroids: [[1, 2], [3]] }],
    ["infinite centroids", { ...UNIT, centroids: [[1, Infinity]] }],
    ["a number of cells that is not that of the centroids", { ...UNIT, cells: 2, centroids: [[1, 2]] }],
  ])("refuses %s", (_, options) => {
    expect(() => cvtArchive(options as CvtArchiveOptions)).toThrow(isError("INVALID_ARGUMENT"));
  });
});
