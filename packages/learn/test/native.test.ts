// Native code has the bits of JavaScript, with every instruction set of this processor.
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Linear, Mlp, Neighbours, Pca, Table, Trees } from "../src/index.js";
import { findAddon } from "../src/native/addon.js";
import { bitsOf, hashOf, syntheticRows } from "./support/data.js";

const { addon } = findAddon();
const isas = addon?.isas() ?? [];
afterAll(() => void (addon && addon.chooseIsa(isas[0]!)));

function tableOf(rows: Float32Array, labels: Float32Array): Table {
  const table = new Table({ columns: rows.length / labels.length, capacity: labels.length });
  table.addAll(rows, labels);
  return table;
}

/** Compares what JavaScript computes with native code for each instruction set. */
function same(compute: (backend: "javascript" | "native") => unknown): void {
  const expected = compute("javascript");
  for (const isa of isas) {
    expect(addon!.chooseIsa(isa)).toBe(0);
    expect(compute("native"), isa).toEqual(expected);
  }
}

describe.skipIf(addon === undefined)("native code", () => {
  it("grows the same trees", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 70 }),
      columns: fc.integer({ min: 1, max: 17 }),
      trees: fc.integer({ min: 1, max: 5 }),
      depth: fc.integer({ min: 1, max: 4 }),
      bins: fc.integer({ min: 2, max: 40 }),
      form: fc.constantFrom("oblivious" as const, "general" as const),
      label: fc.constantFrom("value" as const, "best tenth" as const),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, seed, ...options }) => {
        const data = syntheticRows(count, columns, seed);
        const table = tableOf(data.rows, data.labels);
        same((backend) => {
          const model = new Trees(table, { ...options, backend });
          model.fit();
          const scores = new Float32Array(count);
          model.predictInto(data.rows, scores);
          return [hashOf(model.save()), bitsOf(scores)];
        });
      }),
      { numRuns: 60 },
    );
  });

  it("takes the same steps", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 20 }),
      columns: fc.integer({ min: 1, max: 17 }),
      hidden: fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1, maxLength: 2 }),
      activation: fc.constantFrom("relu" as const, "tanh" as const),
      batch: fc.integer({ min: 1, max: 9 }),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    });
    fc.assert(
      fc.property(shape, ({ count, ...options }) => {
        const { rows, labels } = syntheticRows(count, options.columns, options.seed);
        const first = rows.slice(0, options.columns);
        same((backend) => {
          const model = new Mlp({ ...options, backend });
          const errors = [model.fit(tableOf(rows, labels), 3), model.step(first, labels.slice(0, 1))];
          const scores = new Float32Array(count);
          model.predictInto(rows, scores);
          return [errors, hashOf(model.save()), bitsOf(scores)];
        });
      }),
      { numRuns: 60 },
    );
  });

  it("updates and fits the same linear models", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 150 }),
      columns: fc.integer({ min: 1, max: 17 }),
      features: fc.integer({ min: 2, max: 75 }),
      warmup: fc.integer({ min: 1, max: 20 }),
      ridge: fc.constantFrom(2 ** -20, 1, 100),
      fit: fc.boolean(),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    });
    fc.assert(
      fc.property(shape, ({ count, fit, ...options }) => {
        const { columns } = options;
        const { rows, labels } = syntheticRows(count, columns, options.seed);
        same((backend) => {
          const model = new Linear({ ...options, backend });
          if (fit) model.fit(tableOf(rows, labels));
          for (let row = 0; row < count; row++)
            model.update(rows.subarray(row * columns, (row + 1) * columns), labels[row]! + 0.1);
          if (!model.fitted) return [];
          const [means, deviations] = [new Float32Array(count), new Float32Array(count)];
          model.predictInto(rows, means, deviations);
          return [model.learned, hashOf(model.save()), bitsOf(means), bitsOf(deviations)];
        });
      }),
      { numRuns: 60 },
    );
  });

  it("finds the same components", () => {
    const shape = fc.record({
      counts: fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 3 }),
      columns: fc.integer({ min: 1, max: 40 }),
      components: fc.integer({ min: 1, max: 8 }),
      size: fc.constantFrom(1, 1e-30, 1e38),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ counts, columns, components, size, seed }) => {
        same((backend) => {
          const model = new Pca({ columns, components: Math.min(components, columns), backend });
          counts.forEach((count, batch) => {
            model.update(syntheticRows(count, columns, seed + batch).rows.map((value) => value * size));
          });
          const { rows } = syntheticRows(5, columns, seed);
          const projected = new Float32Array(5 * model.components);
          model.projectInto(rows, projected);
          return [model.explained, model.version, model.learned, hashOf(model.save()), bitsOf(projected)];
        });
      }),
      { numRuns: 60 },
    );
  });

  it("finds the same neighbours", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 90 }),
      columns: fc.integer({ min: 1, max: 9 }),
      k: fc.integer({ min: 1, max: 20 }),
      scale: fc.constantFrom("deviation" as const, "none" as const),
      size: fc.constantFrom(1, 1e30, 0),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, k, scale, size, seed }) => {
        const { rows, labels } = syntheticRows(count, columns, seed);
        const queries = syntheticRows(9, columns, seed + 1).rows.map((value) => value * size);
        same((backend) => {
          const table = new Table({ columns, capacity: Math.max(1, count - 10) });
          table.addAll(rows, labels);
          const model = new Neighbours(table, { k, scale, backend });
          const [means, novelty] = [new Float32Array(9), new Float32Array(9)];
          model.predictInto(queries, means);
          model.noveltyInto(queries, novelty);
          return [bitsOf(means), bitsOf(novelty)];
        });
      }),
      { numRuns: 60 },
    );
  });
});
