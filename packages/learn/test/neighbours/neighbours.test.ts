import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Neighbours, Table } from "../../src/index.js";
import { bitsOf, explained, hashOf, syntheticRows } from "../support/data.js";
import { codeOf } from "../support/errors.js";

function tableOf(rows: Float32Array, labels: Float32Array): Table {
  const table = new Table({ columns: rows.length / labels.length, capacity: labels.length });
  table.addAll(rows, labels);
  return table;
}

describe("nearest neighbours", () => {
  it("predict a smooth function", () => {
    const { rows, labels } = syntheticRows(3000, 4, 1);
    const test = syntheticRows(300, 4, 2);
    const means = new Float32Array(300);
    new Neighbours(tableOf(rows, labels), { k: 8 }).predictInto(test.rows, means);
    expect(explained(test.labels, means)).toBeGreaterThan(0.85);
  });

  it("are those of sorting all distances", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 60 }),
      columns: fc.integer({ min: 1, max: 20 }),
      k: fc.integer({ min: 1, max: 12 }),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, k, seed }) => {
        const { rows, labels } = syntheticRows(count, columns, seed);
        const { rows: queries } = syntheticRows(5, columns, seed + 1);
        const model = new Neighbours(tableOf(rows, labels), { k, scale: "none" });
        const [means, novelty] = [new Float32Array(5), new Float32Array(5)];
        model.predictInto(queries, means);
        model.noveltyInto(queries, novelty);
        for (let query = 0; query < 5; query++) {
          const nearest = Array.from(labels, (label, row) => {
            let square = 0;
            for (let column = 0; column < columns; column++) {
              square += (queries[query * columns + column]! - rows[row * columns + column]!) ** 2;
            }
            return { label, square };
          })
            .sort((a, b) => a.square - b.square)
            .slice(0, k);
          const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
          expect(means[query]).toBeCloseTo(mean(nearest.map(({ label }) => label)), 5);
          expect(novelty[query]).toBeCloseTo(mean(nearest.map(({ square }) => Math.sqrt(square))), 5);
        }
      }),
    );
  });

  it("have the same bits in JavaScript and WebAssembly", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 90 }),
      columns: fc.integer({ min: 1, max: 17 }),
      k: fc.integer({ min: 1, max: 20 }),
      scale: fc.constantFrom("deviation" as const, "none" as const),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, k, scale, seed }) => {
        const { rows, labels } = syntheticRows(count, columns, seed);
        const { rows: queries } = syntheticRows(7, columns, seed + 1);
        const [one, other] = (["javascript", "webassembly"] as const).map((backend) => {
          const model = new Neighbours(tableOf(rows, labels), { k, scale, backend });
          const [means, novelty] = [new Float32Array(7), new Float32Array(7)];
          model.predictInto(queries, means);
          model.noveltyInto(queries, novelty);
          return [bitsOf(means), bitsOf(novelty)];
        });
        expect(one).toEqual(other);
      }),
    );
  });

  it("are the same in every version", () => {
    const { rows, labels } = syntheticRows(500, 17, 4);
    const { rows: queries } = syntheticRows(100, 17, 5);
    for (const [scale, hash] of [
      ["deviation", "975b55d6"],
      ["none", "00501e58"],
    ] as const) {
      for (const backend of ["javascript", "webassembly"] as const) {
        const model = new Neighbours(tableOf(rows, labels), { k: 7, scale, backend });
        const results = new Float32Array(200);
        model.predictInto(queries, results.subarray(0, 100));
        model.noveltyInto(queries, results.subarray(100));
        expect(hashOf(new Uint8Array(results.buffer)), backend).toBe(hash);
      }
    }
  });

  it("count a row as soon as the table has it, and not once it has left", () => {
    const table = new Table({ columns: 1, capacity: 2 });
    const model = new Neighbours(table, { k: 1 });
    const means = new Float32Array(1);
    const at = (value: number) => {
      model.predictInto(Float32Array.of(value), means);
      return means[0];
    };
    table.add(Float32Array.of(0), 10);
    expect(at(5)).toBe(10);
    table.add(Float32Array.of(4), 20);
    expect(at(5)).toBe(20);
    expect(at(0)).toBe(10);
    table.add(Float32Array.of(9), 30);
    expect(at(0)).toBe(20);
    table.setLabel(1, 25);
    expect(at(0)).toBe(25);
  });

  it("scale columns by their deviations, and ignore those without spread", () => {
    const rows = Float32Array.of(0, 0, 7, 1000, 0, 7, 0, 1, 7, 1000, 1, 7);
    const model = new Neighbours(tableOf(rows, Float32Array.of(1, 2, 3, 4)), { k: 1 });
    const means = new Float32Array(1);
    model.predictInto(Float32Array.of(400, 0.9, -50), means);
    expect(means[0]).toBe(3);
  });

  it("take the older of rows at equal distances", () => {
    const model = new Neighbours(tableOf(Float32Array.of(1, -1, 1, -1), Float32Array.of(1, 2, 3, 4)), {
      k: 2,
    });
    const means = new Float32Array(1);
    model.predictInto(Float32Array.of(0), means);
    expect(means[0]).toBe(1.5);
  });

  it("have the same bits with equal distances, distances beyond the range, and more neighbours than rows of a block", () => {
    const columns = 90;
    const values = (count: number, of: (index: number) => number) =>
      Float32Array.from({ length: count * columns }, (_, at) => of(Math.floor(at / columns)));
    const rows = values(75, (row) => (row % 7 === 0 ? 1e18 : row % 3));
    const queries = values(5, (query) => (query === 2 ? -1e18 : query));
    const labels = Float32Array.from({ length: 75 }, (_, row) => row * row);
    for (const k of [1, 3, 4, 5, 16, 17, 40, 74, 75, 100]) {
      const [one, other] = (["javascript", "webassembly"] as const).map((backend) => {
        const model = new Neighbours(tableOf(rows, labels), { k, scale: "none", backend });
        // The model keeps nothing of the queries before.
        return [queries, queries.subarray(2 * columns, 3 * columns), queries].map((some) => {
          const [means, novelty] = [
            new Float32Array(some.length / columns),
            new Float32Array(some.length / columns),
          ];
          model.predictInto(some, means);
          model.noveltyInto(some, novelty);
          return [bitsOf(means), bitsOf(novelty)];
        });
      });
      expect(one).toEqual(other);
      expect(one![2]).toEqual(one![0]);
    }
  });

  it("give finite results at the ends of the range", () => {
    const rows = Float32Array.of(3.4e38, -3.4e38, 1e-45, 0);
    for (const scale of ["deviation", "none"] as const) {
      const model = new Neighbours(tableOf(rows, Float32Array.of(3.4e38, 3.4e38, 3.4e38, 1)), { scale });
      const results = new Float32Array(2);
      model.predictInto(Float32Array.of(3.4e38, 0), results);
      expect(results.every(Number.isFinite)).toBe(true);
      model.noveltyInto(Float32Array.of(3.4e38, 0), results);
      expect(results.every(Number.isFinite)).toBe(true);
    }
  });

  it("refuse what they cannot predict, and write nothing", () => {
    const table = new Table({ columns: 2, capacity: 4 });
    const model = new Neighbours(table);
    const means = Float32Array.of(9);
    expect(codeOf(() => model.predictInto(new Float32Array(2), means))).toBe("NOT_FITTED");
    table.add(Float32Array.of(1, 2), 3);
    expect(codeOf(() => model.predictInto(Float32Array.of(1, Number.NaN), means))).toBe("NOT_FINITE");
    expect(codeOf(() => model.noveltyInto(new Float32Array(4), means))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => model.noveltyInto(new Float32Array(3), means))).toBe("INVALID_ARGUMENT");
    expect(means[0]).toBe(9);
    expect(codeOf(() => new Neighbours(table, { k: 0 }))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => new Neighbours([] as never))).toBe("INVALID_ARGUMENT");
  });
});
