import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Linear, type LinearOptions, Table } from "../../src/index.js";
import { normalAt } from "../../src/random.js";
import { bitsOf, explained, hashOf, syntheticRows } from "../support/data.js";
import { codeOf } from "../support/errors.js";
import { forged } from "../support/forged.js";

const BACKENDS = ["javascript", "webassembly"] as const;

function updated(options: LinearOptions, rows: Float32Array, labels: Float32Array): Linear {
  const model = new Linear(options);
  const { columns } = options;
  for (let row = 0; row < labels.length; row++) {
    model.update(rows.subarray(row * columns, (row + 1) * columns), labels[row]!);
  }
  return model;
}

function predicted(model: Linear, rows: Float32Array) {
  const means = new Float32Array(rows.length / model.columns);
  const deviations = new Float32Array(means.length);
  model.predictInto(rows, means, deviations);
  return { means, deviations };
}

describe("a linear model on random features", () => {
  const { rows, labels } = syntheticRows(1500, 6, 1);
  const test = syntheticRows(500, 6, 2);

  it("learns a function that is not linear, row by row", () => {
    const { means, deviations } = predicted(updated({ columns: 6 }, rows, labels), test.rows);
    expect(explained(test.labels, means)).toBeGreaterThan(0.85);
    expect(Math.min(...deviations)).toBeGreaterThan(0);
  });

  it("is less certain far from what it has learned", () => {
    const model = updated({ columns: 6 }, rows, labels);
    const near = predicted(model, new Float32Array(6)).deviations[0]!;
    const far = predicted(model, new Float32Array(6).fill(3)).deviations[0]!;
    expect(far).toBeGreaterThan(2 * near);
  });

  it("has the same bits in JavaScript and WebAssembly, in every version", () => {
    const models = BACKENDS.map((backend) => updated({ columns: 6, seed: 7, backend }, rows, labels));
    expect(models.map((model) => hashOf(model.save()))).toEqual(["bc651b71", "bc651b71"]);
    const [one, other] = models.map((model) => predicted(model, test.rows));
    expect(bitsOf(one!.means)).toEqual(bitsOf(other!.means));
    expect(bitsOf(one!.deviations)).toEqual(bitsOf(other!.deviations));
  });

  it("has the same bits for every shape, also with more features than rows", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      columns: fc.integer({ min: 1, max: 17 }),
      features: fc.integer({ min: 2, max: 70 }),
      warmup: fc.integer({ min: 1, max: 40 }),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, features, warmup, seed }) => {
        fc.pre(warmup <= count);
        const data = syntheticRows(count, columns, seed);
        const [one, other] = BACKENDS.map((backend) => {
          const model = updated({ columns, features, warmup, seed, backend }, data.rows, data.labels);
          const { means, deviations } = predicted(model, data.rows);
          expect(means.every(Number.isFinite)).toBe(true);
          return [hashOf(model.save()), bitsOf(means), bitsOf(deviations)];
        });
        expect(one).toEqual(other);
      }),
      { numRuns: 50 },
    );
  });

  it("is the solution of the ridge regression in f64", () => {
    const count = 200;
    const features = 24;
    const data = syntheticRows(count, 3, 5);
    const options = { columns: 3, features, warmup: count, ridge: 0.5, seed: 3 };
    const table = new Table({ columns: 3, capacity: count });
    table.addAll(data.rows, data.labels);
    const fitted = new Linear(options);
    fitted.fit(table);
    const probe = syntheticRows(60, 3, 6);
    for (const model of [updated(options, data.rows, data.labels), fitted]) {
      const reference = ridge(model, data, probe.rows, options);
      const { means, deviations } = predicted(model, probe.rows);
      means.forEach((mean, row) => {
        expect(mean).toBeCloseTo(reference[row]!.mean, 3);
        expect(deviations[row]! / reference[row]!.deviation).toBeCloseTo(1, 3);
      });
    }
  });

  it("is but for rounding the same as after a fit to its table", () => {
    const table = new Table({ columns: 6, capacity: 300 });
    table.addAll(rows.subarray(0, 300 * 6), labels.subarray(0, 300));
    const fitted = new Linear({ columns: 6, warmup: 300 });
    fitted.fit(table);
    const online = updated({ columns: 6, warmup: 300 }, rows.subarray(0, 300 * 6), labels.subarray(0, 300));
    const [one, other] = [fitted, online].map((model) => predicted(model, test.rows));
    one!.means.forEach((mean, row) => {
      expect(Math.abs(mean - other!.means[row]!)).toBeLessThan(1e-3);
      expect(Math.abs(one!.deviations[row]! - other!.deviations[row]!)).toBeLessThan(1e-3);
    });
  });

  it("has the same bits after a fit in JavaScript and WebAssembly, for every shape", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 150 }),
      columns: fc.integer({ min: 1, max: 9 }),
      features: fc.integer({ min: 2, max: 40 }),
      // With the smallest, some factors have to be made row by row.
      ridge: fc.constantFrom(2 ** -20, 1),
      constant: fc.boolean(),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    let rowByRow = 0;
    fc.assert(
      fc.property(shape, ({ count, columns, features, ridge, constant, seed }) => {
        const data = syntheticRows(count, columns, seed);
        if (constant) data.rows.fill(2);
        const table = new Table({ columns, capacity: count });
        table.addAll(data.rows, data.labels);
        const [one, other, online] = [...BACKENDS, "webassembly" as const].map((backend, index) => {
          const model = new Linear({ columns, features, ridge, seed, backend, warmup: count });
          if (index < 2) model.fit(table);
          else
            for (let row = 0; row < count; row++)
              model.update(data.rows.slice(row * columns, (row + 1) * columns), data.labels[row]!);
          const { means, deviations } = predicted(model, data.rows);
          expect([...means, ...deviations].every(Number.isFinite)).toBe(true);
          return { bits: [hashOf(model.save()), bitsOf(means), bitsOf(deviations)], means };
        });
        expect(one!.bits).toEqual(other!.bits);
        if (other!.bits[0] === online!.bits[0]) rowByRow++;
      }),
      { numRuns: 60 },
    );
    expect(rowByRow).toBeGreaterThan(0);
  });

  it("continues after it was saved and loaded", () => {
    const model = updated({ columns: 6, features: 32 }, rows.subarray(0, 600), labels.subarray(0, 100));
    const loaded = Linear.load(model.save());
    for (const each of [model, loaded]) each.update(test.rows.subarray(0, 6), test.labels[0]!);
    expect(loaded.save()).toEqual(model.save());
    expect([loaded.learned, loaded.features]).toEqual([101, 32]);
    expect(predicted(loaded, test.rows)).toEqual(predicted(model, test.rows));
  });

  it("drifts little in 100,000 updates", () => {
    const model = new Linear({ columns: 3, features: 16 });
    const data = syntheticRows(1000, 3, 9);
    for (let round = 0; round < 100; round++) {
      for (let row = 0; row < 1000; row++) {
        model.update(data.rows.subarray(row * 3, (row + 1) * 3), data.labels[row]!);
      }
    }
    const once = updated({ columns: 3, features: 16, ridge: 0.01 }, data.rows, data.labels);
    const [many, few] = [model, once].map((each) => predicted(each, data.rows).means);
    many!.forEach((mean, row) => {
      expect(Math.abs(mean - few![row]!)).toBeLessThan(0.02);
    });
    // A fit to a table restores what rounding has changed.
    const table = new Table({ columns: 3, capacity: 1000 });
    table.addAll(data.rows, data.labels);
    const fresh = new Linear({ columns: 3, features: 16 });
    for (const each of [model, fresh]) each.fit(table);
    expect(model.save()).toEqual(fresh.save());
  });

  it.each([
    ["constant columns", (row: number) => [1, row % 7]],
    ["equal columns", (row: number) => [row % 5, row % 5]],
    ["dependent columns", (row: number) => [row % 5, -3 * (row % 5)]],
    ["values at the end of the range", (row: number) => [row % 2 === 0 ? 3.4e38 : -3.4e38, row]],
    ["tiny values", (row: number) => [row * 1e-45, row]],
  ])("gives finite predictions for %s", (_what, valuesOf) => {
    const all = Float32Array.from({ length: 50 }, (_, row) => row);
    const flat = Float32Array.from(Array.from(all).flatMap(valuesOf));
    const model = updated({ columns: 2, features: 20 }, flat, all);
    const { means, deviations } = predicted(model, flat);
    expect(means.every(Number.isFinite) && deviations.every(Number.isFinite)).toBe(true);
  });

  it("predicts the label if all are equal", () => {
    const model = updated(
      { columns: 1, warmup: 3 },
      Float32Array.of(1, 2, 3, 4),
      Float32Array.of(7, 7, 7, 7),
    );
    expect(Array.from(predicted(model, Float32Array.of(0, 9)).means)).toEqual([7, 7]);
  });

  it("refuses what it cannot learn or predict, and writes nothing", () => {
    const model = new Linear({ columns: 2, warmup: 2 });
    const row = Float32Array.of(1, 2);
    const means = Float32Array.of(9);
    expect(codeOf(() => model.predictInto(row, means))).toBe("NOT_FITTED");
    expect(codeOf(() => model.save())).toBe("NOT_FITTED");
    expect(codeOf(() => model.fit(new Table({ columns: 2, capacity: 2 })))).toBe("TOO_FEW_ROWS");
    expect(codeOf(() => model.fit(new Table({ columns: 1, capacity: 2 })))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => model.update(Float32Array.of(1, Number.NaN), 1))).toBe("NOT_FINITE");
    expect(codeOf(() => model.update(row, 1e39))).toBe("NOT_FINITE");
    expect(codeOf(() => model.update(Float32Array.of(1), 1))).toBe("INVALID_ARGUMENT");
    model.update(row, 1);
    model.update(Float32Array.of(3, 5), 2);
    expect(codeOf(() => model.predictInto(Float32Array.of(Number.POSITIVE_INFINITY, 1), means))).toBe(
      "NOT_FINITE",
    );
    expect(codeOf(() => model.predictInto(row, means, new Float32Array(2)))).toBe("INVALID_ARGUMENT");
    expect(means[0]).toBe(9);
    expect(codeOf(() => new Linear({} as LinearOptions))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => new Linear({ columns: 2, ridge: 0 }))).toBe("INVALID_ARGUMENT");
  });

  it("refuses saved models that are damaged, and names the column of a factor that is not positive", () => {
    const saved = updated(
      { columns: 2, features: 4, warmup: 2 },
      rows.subarray(0, 8),
      labels.subarray(0, 4),
    ).save();
    for (let bit = 0; bit < saved.length * 8; bit += 5) {
      const flipped = saved.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(codeOf(() => Linear.load(flipped))).toBe("BAD_MODEL");
    }
    // After the head and 12 numbers, the diagonal of column 1 is at 1 + 8.
    const factor = 8 + 24;
    const [tiny, huge] = new Uint32Array(Float32Array.of(2 ** -19, 2 ** 40).buffer);
    expect(() => Linear.load(forged(saved, { [factor + 9]: 0 }))).toThrow(
      "the diagonal in column 1 of the factor from 0.0000019073486328125 to 1099511627776, found 0",
    );
    expect(() => Linear.load(forged(saved, { [factor + 8]: tiny! }))).toThrow(
      "0 outside the triangle in column 1 of the factor",
    );
    expect(() => Linear.load(forged(saved, { [factor + 10]: huge! + 1 }))).toThrow(
      "an entry in column 1 of the factor",
    );
    expect(() => Linear.load(forged(saved, { [factor + 4 * 8 + 4]: 0x80000000 }))).toThrow(
      "a positive diagonal in column 4 of the factor, found -0",
    );
    // The upper words of the first column's mean and deviation.
    expect(() => Linear.load(forged(saved, { [8 + 13]: 0x7fefffff }))).toThrow("a mean from");
    expect(() => Linear.load(forged(saved, { [8 + 15]: 0xbff00000 }))).toThrow("a deviation from 0");
    // A factor that is valid and makes infinite weights: predictions are the mean of the labels then.
    const steep = Object.fromEntries(
      [0, 1, 2, 3].flatMap((column) => [
        [factor + 9 * column, tiny!],
        ...Array.from({ length: 4 - column }, (_, row) => [factor + 9 * column + row + 1, huge!]),
      ]),
    );
    const { means, deviations } = predicted(Linear.load(forged(saved, steep)), rows.subarray(0, 40));
    expect([...means, ...deviations].some(Number.isNaN)).toBe(false);
  });
});

/**
 * The predictions of ridge regression by Gaussian elimination in f64, on the same features. A deviation is the root of the mean squared error
 * with the penalty of the weights, times the length of a row's features by the inverse of the covariance.
 */
function ridge(
  model: Linear,
  { rows, labels }: { rows: Float32Array; labels: Float32Array },
  probes: Float32Array,
  {
    columns,
    features,
    ridge: lambda,
    seed,
  }: { columns: number; features: number; ridge: number; seed: number },
): { mean: number; deviation: number }[] {
  const statistics = Array.from({ length: columns + 1 }, (_, column) => {
    const values =
      column === columns ? Array.from(labels) : Array.from(labels, (_, row) => rows[row * columns + column]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      mean,
      deviation: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
    };
  });
  const scaled = (column: number, value: number) =>
    Math.max(-5, Math.min(5, (value - statistics[column]!.mean) / statistics[column]!.deviation));
  const phi = (values: Float32Array, row: number) =>
    Array.from({ length: features }, (_, feature) => {
      if (feature === 0) return 1;
      let sum = normalAt(seed, feature * (columns + 1));
      for (let column = 0; column < columns; column++) {
        const weight = normalAt(seed, feature * (columns + 1) + 1 + column) / Math.sqrt(columns);
        sum += scaled(column, values[row * columns + column]!) * weight;
      }
      return Math.max(0, sum);
    });
  expect(model.learned).toBe(labels.length);
  const matrix = Array.from({ length: features }, (_, i) =>
    // The covariance, the products with the labels, and what becomes the inverse.
    Array.from({ length: 2 * features + 1 }, (_, j) => (i === j ? lambda : Number(j === features + 1 + i))),
  );
  const moments = new Array<number>(features).fill(0);
  let squares = 0;
  labels.forEach((label, row) => {
    const values = [...phi(rows, row), scaled(columns, label)];
    squares += values[features]! ** 2;
    for (let i = 0; i < features; i++) {
      moments[i]! += values[i]! * values[features]!;
      for (let j = 0; j <= features; j++) matrix[i]![j]! += values[i]! * values[j]!;
    }
  });
  for (let pivot = 0; pivot < features; pivot++) {
    for (let row = 0; row < features; row++) {
      if (row === pivot) continue;
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!;
      for (let j = pivot; j <= 2 * features; j++) matrix[row]![j]! -= factor * matrix[pivot]![j]!;
    }
  }
  const weights = matrix.map((row, pivot) => row[features]! / row[pivot]!);
  return Array.from({ length: probes.length / columns }, (_, row) => {
    const values = phi(probes, row);
    const dot = (a: readonly number[]) => a.reduce((sum, one, feature) => sum + one * values[feature]!, 0);
    const inverse = matrix.map((entries, i) =>
      entries.slice(features + 1).map((entry) => entry / entries[i]!),
    );
    const { mean, deviation } = statistics[columns]!;
    const error = squares - weights.reduce((sum, weight, feature) => sum + weight * moments[feature]!, 0);
    return {
      mean: mean + dot(weights) * deviation,
      deviation: deviation * Math.sqrt((error / labels.length) * dot(inverse.map(dot))),
    };
  });
}
