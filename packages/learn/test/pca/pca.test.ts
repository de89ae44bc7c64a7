import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pca, type PcaOptions } from "../../src/index.js";
import { diagonalize } from "../../src/pca/matrices.js";
import { wordAt } from "../../src/random.js";
import { bitsOf, hashOf } from "../support/data.js";
import { codeOf } from "../support/errors.js";
import { forged } from "../support/forged.js";

const uniform = (seed: number, index: number) => (wordAt(seed, index) / 2 ** 32) * 2 - 1;

/** Rows that vary in three directions with different deviations, and in all others a little. */
function rowsOf(count: number, columns: number, seed: number): Float32Array {
  const rows = new Float32Array(count * columns);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < columns; column++) {
      let value = 0.01 * uniform(seed, 3 * count + row * columns + column) + 4;
      for (let part = 0; part < 3; part++) {
        value += (3 - part) * uniform(seed, row * 3 + part) * uniform(99, part * columns + column);
      }
      rows[row * columns + column] = value;
    }
  }
  return rows;
}

/** The share of the variance that the first components have, by rotations of the whole covariance in f64. */
function exactly(rows: Float32Array, columns: number, components: number): number {
  const count = rows.length / columns;
  const means = Array.from({ length: columns }, (_, column) => {
    let sum = 0;
    for (let row = 0; row < count; row++) sum += rows[row * columns + column]!;
    return sum / count;
  });
  // The eigenvectors follow the covariance.
  const covariance = new Float64Array(2 * columns * columns);
  for (let row = 0; row < count; row++) {
    for (let a = 0; a < columns; a++) {
      for (let b = 0; b < columns; b++) {
        const product = (rows[row * columns + a]! - means[a]!) * (rows[row * columns + b]! - means[b]!);
        covariance[a * columns + b]! += product / count;
      }
    }
  }
  diagonalize(covariance, 0, columns * columns, columns);
  const variances = means.map((_, column) => covariance[column * (columns + 1)]!).sort((a, b) => b - a);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return sum(variances.slice(0, components)) / sum(variances);
}

describe("principal components", () => {
  it("find the directions of the largest variances", () => {
    const map = new Pca({ columns: 12, components: 3 });
    const rows = rowsOf(500, 12, 9);
    for (let batch = 0; batch < 5; batch++) map.update(rows.subarray(batch * 1200, (batch + 1) * 1200));
    expect(map.explained).toBeGreaterThan(0.99);
    const projected = new Float32Array(500 * 3);
    map.projectInto(rows, projected);
    const moments = [0, 1, 2].map((a) =>
      [0, 1, 2].map((b) => {
        let sum = 0;
        for (let row = 0; row < 500; row++) sum += projected[row * 3 + a]! * projected[row * 3 + b]!;
        return sum / 500;
      }),
    );
    expect(moments[0]![0]).toBeGreaterThan(moments[1]![1]!);
    expect(moments[1]![1]).toBeGreaterThan(moments[2]![2]!);
    expect(Math.abs(moments[0]![1]!)).toBeLessThan(0.001 * moments[1]![1]!);
  });

  it("explain as much as the exact components of all rows, within a thousandth", () => {
    for (const [columns, seed] of [
      [8, 3],
      [30, 4],
    ] as const) {
      const rows = new Float32Array(2000 * columns);
      for (let index = 0; index < rows.length; index++) {
        const column = index % columns;
        // Variances that fall, and columns that depend on their neighbors.
        rows[index] = uniform(seed, index) * 0.8 ** column + (column > 0 ? 0.5 * rows[index - 1]! : 0) + 3;
      }
      const map = new Pca({ columns, components: 4 });
      for (let start = 0; start < rows.length; start += 250 * columns)
        map.update(rows.subarray(start, start + 250 * columns));
      expect(Math.abs(map.explained - exactly(rows, columns, 4))).toBeLessThan(0.001);
    }
  });

  it("find small variances beside large ones, and none where columns depend on others", () => {
    const sizes = [1e4, 1, 1, 0];
    const rows = Float32Array.from({ length: 4000 }, (_, index) => uniform(5, index) * sizes[index % 4]!);
    for (let row = 0; row < 1000; row++) rows[4 * row + 3] = rows[4 * row + 1]! - 3 * rows[4 * row + 2]!;
    const map = new Pca({ columns: 4, components: 4 });
    for (let start = 0; start < 4000; start += 400) map.update(rows.subarray(start, start + 400));
    const projected = new Float32Array(4000);
    map.projectInto(rows, projected);
    const variances = [0, 1, 2, 3].map(
      (component) =>
        Array.from({ length: 1000 }, (_, row) => projected[4 * row + component]! ** 2).reduce(
          (a, b) => a + b,
        ) / 1000,
    );
    // In thirds: 10^8, and the eigenvalues of [[1, 0, 1], [0, 1, -3], [1, -3, 10]].
    [1e8, 11, 1].forEach((size, component) => {
      expect((3 * variances[component]!) / size).toBeCloseTo(1, 0);
    });
    expect(variances[3]).toBe(0);
  });

  it("have the same bits in JavaScript and WebAssembly, for every shape", () => {
    const shape = fc.record({
      counts: fc.array(fc.integer({ min: 1, max: 140 }), { minLength: 1, maxLength: 4 }),
      columns: fc.integer({ min: 1, max: 37 }),
      components: fc.integer({ min: 1, max: 9 }),
      size: fc.constantFrom(1, 1e-30, 1e38),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ counts, columns, components, size, seed }) => {
        const queries = rowsOf(9, columns, seed);
        const [one, other] = (["javascript", "webassembly"] as const).map((backend) => {
          const map = new Pca({ columns, components: Math.min(columns, components), backend });
          for (const [batch, count] of counts.entries())
            map.update(rowsOf(count, columns, seed + batch).map((value) => (value * size) / 10));
          const projected = new Float32Array(9 * map.components);
          map.projectInto(queries, projected);
          expect(projected.every(Number.isFinite)).toBe(true);
          return [hashOf(map.save()), bitsOf(projected), map.explained];
        });
        expect(one).toEqual(other);
      }),
      { numRuns: 60 },
    );
  });

  it("are the same in every version, and after they were saved and loaded", () => {
    const map = new Pca({ columns: 6, components: 2 });
    map.update(rowsOf(50, 6, 1));
    const loaded = Pca.load(map.save());
    for (const each of [map, loaded]) each.update(rowsOf(50, 6, 2));
    expect(loaded.save()).toEqual(map.save());
    expect([loaded.version, loaded.learned]).toEqual([2, 100]);
    expect(hashOf(map.save())).toBe("145fcbf2");
  });

  it("count a version with each update", () => {
    const map = new Pca({ columns: 2, components: 1 });
    expect([map.version, map.fitted, map.explained]).toEqual([0, false, 0]);
    map.update(Float32Array.of(1, 2, 3, 4));
    expect([map.version, map.fitted]).toEqual([1, true]);
  });

  it("are 0 where rows do not vary, until they do", () => {
    const map = new Pca({ columns: 3, components: 2 });
    map.update(new Float32Array(9).fill(5));
    const projected = new Float32Array(2).fill(9);
    map.projectInto(Float32Array.of(1, 2, 3), projected);
    expect([Array.from(projected), map.explained]).toEqual([[0, 0], 0]);
    map.update(Float32Array.of(1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 2, 0));
    map.projectInto(Float32Array.of(1, 2, 3), projected);
    expect(projected.every((value) => value !== 0)).toBe(true);
    expect(map.explained).toBeGreaterThan(0.9);
  });

  it("give finite values at the ends of the range", () => {
    const map = new Pca({ columns: 2, components: 2 });
    map.update(Float32Array.of(3.4e38, -3.4e38, -3.4e38, 3.4e38, 1e-45, 0));
    const projected = new Float32Array(4);
    map.projectInto(Float32Array.of(3.4e38, 3.4e38, -3.4e38, 3.4e38), projected);
    expect(projected.every(Number.isFinite)).toBe(true);
  });

  it("refuse what they cannot learn or project, and write nothing", () => {
    const map = new Pca({ columns: 2, components: 1 });
    const projected = Float32Array.of(9);
    expect(codeOf(() => map.projectInto(new Float32Array(2), projected))).toBe("NOT_FITTED");
    expect(codeOf(() => map.save())).toBe("NOT_FITTED");
    expect(codeOf(() => map.update(new Float32Array()))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => map.update(Float32Array.of(1, Number.NaN)))).toBe("NOT_FINITE");
    map.update(Float32Array.of(1, 2));
    expect(codeOf(() => map.projectInto(Float32Array.of(1, Number.NaN), projected))).toBe("NOT_FINITE");
    expect(codeOf(() => map.projectInto(new Float32Array(4), projected))).toBe("INVALID_ARGUMENT");
    expect(projected[0]).toBe(9);
    expect(codeOf(() => new Pca({ columns: 2, components: 3 }))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => new Pca({ columns: 2 } as PcaOptions))).toBe("INVALID_ARGUMENT");
    const saved = map.save();
    // A sum that is finite, but whose square is not, with the checksum that fits: the upper word of the first one, after four numbers.
    expect(() => Pca.load(forged(saved, { [8 + 8 + 4 + 1]: 0x7fefffff }))).toThrow(
      "saved model: expected finite sums",
    );
    saved[40]! ^= 1;
    expect(codeOf(() => Pca.load(saved))).toBe("BAD_MODEL");
  });
});
