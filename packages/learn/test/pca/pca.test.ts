import { describe, expect, it } from "vitest";
import { Pca, type PcaOptions } from "../../src/index.js";
import { wordAt } from "../../src/random.js";
import { hashOf } from "../support/data.js";
import { codeOf } from "../support/errors.js";

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

  it("explain as much as the exact components", () => {
    // Independent columns: the exact components are the columns with the largest variances.
    const columns = 8;
    const rows = new Float32Array(4000 * columns);
    for (let index = 0; index < rows.length; index++)
      rows[index] = uniform(3, index) * (1 + (index % columns));
    const map = new Pca({ columns, components: 2 });
    for (let start = 0; start < rows.length; start += 500 * columns)
      map.update(rows.subarray(start, start + 500 * columns));
    const variances = Array.from({ length: columns }, (_, column) => (1 + column) ** 2);
    const exact = (variances[7]! + variances[6]!) / variances.reduce((sum, variance) => sum + variance, 0);
    expect(Math.abs(map.explained - exact)).toBeLessThan(0.01);
  });

  it("have the same bits in JavaScript and WebAssembly", () => {
    for (const columns of [1, 2, 7, 12]) {
      const saved = (["javascript", "webassembly"] as const).map((backend) => {
        const map = new Pca({ columns, components: Math.min(columns, 3), backend });
        for (const count of [1, 37, 16, 8]) map.update(rowsOf(count, columns, count));
        return hashOf(map.save());
      });
      expect(saved[0]).toBe(saved[1]);
    }
  });

  it("are the same in every version, and after they were saved and loaded", () => {
    const map = new Pca({ columns: 6, components: 2 });
    map.update(rowsOf(50, 6, 1));
    const loaded = Pca.load(map.save());
    for (const each of [map, loaded]) each.update(rowsOf(50, 6, 2));
    expect(loaded.save()).toEqual(map.save());
    expect([loaded.version, loaded.learned]).toEqual([2, 100]);
    expect(hashOf(map.save())).toBe("cc189045");
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
    saved[40]! ^= 1;
    expect(codeOf(() => Pca.load(saved))).toBe("BAD_MODEL");
  });
});
