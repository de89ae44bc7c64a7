// Native code has the bits of JavaScript, with every instruction set of this processor.
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Linear, Mlp, Neighbours, Pca, Table, Trees } from "../../src/index.js";
import { findAddon } from "../../src/native/addon.js";
import { bitsOf, hashOf, syntheticRows } from "../support/data.js";
import { FORGED_KINDS, forgedModels, outcomeOf } from "../support/forged.js";

const { addon } = findAddon();
const isas = addon?.isas() ?? [];
afterAll(() => void addon?.chooseIsa(isas[0]!));

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
      sample: fc.constantFrom("half" as const, "all" as const),
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
      count: fc.integer({ min: 1, max: 150 }),
      columns: fc.integer({ min: 1, max: 17 }),
      hidden: fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1, maxLength: 2 }),
      activation: fc.constantFrom("relu" as const, "tanh" as const),
      batch: fc.integer({ min: 1, max: 140 }),
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
      k: fc.integer({ min: 1, max: 70 }),
      ties: fc.boolean(),
      scale: fc.constantFrom("deviation" as const, "none" as const),
      size: fc.constantFrom(1, 1e30, 0),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, k, ties, scale, size, seed }) => {
        const { rows: drawn, labels } = syntheticRows(count, columns, seed);
        const rows = ties ? drawn.map(Math.round) : drawn;
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

  it("loads what JavaScript saved, and continues in the same way", () => {
    const { rows, labels } = syntheticRows(60, 4, 3);
    const table = tableOf(rows, labels);
    for (const [from, to] of [
      ["javascript", "native"],
      ["native", "javascript"],
    ] as const) {
      const mlp = new Mlp({ columns: 4, hidden: [7], batch: 16, backend: from });
      mlp.fit(table, 4);
      const linear = new Linear({ columns: 4, features: 20, backend: from });
      linear.fit(table);
      const pca = new Pca({ columns: 4, components: 2, backend: from });
      pca.update(rows);
      const trees = new Trees(table, { trees: 5, form: "general", backend: from });
      trees.fit();
      const loaded = [
        Mlp.load(mlp.save(), { backend: to }),
        Linear.load(linear.save(), { backend: to }),
        Pca.load(pca.save(), { backend: to }),
        Trees.load(trees.save(), { rows: table, backend: to }),
      ] as const;
      expect(loaded.map(({ backend }) => backend)).toEqual([to, to, to, to]);
      expect(loaded[0].fit(table, 3)).toBe(mlp.fit(table, 3));
      for (const model of [linear, loaded[1]]) model.update(rows.subarray(0, 4), 0.7);
      for (const model of [pca, loaded[2]]) model.update(rows.subarray(0, 40));
      expect(loaded[2].explained).toBe(pca.explained);
      const [scores, again] = [new Float32Array(60), new Float32Array(60)];
      trees.predictInto(rows, scores);
      loaded[3].predictInto(rows, again);
      expect(bitsOf(again)).toEqual(bitsOf(scores));
      loaded[3].fit();
      [mlp, linear, pca, trees].forEach((model, index) => {
        expect(loaded[index]!.save()).toEqual(model.save());
      });
    }
  });

  it.each(FORGED_KINDS)("%s: refuses forged models, or computes the same with them", (kind) => {
    fc.assert(
      fc.property(forgedModels(kind), ({ bytes, rows }) =>
        same((backend) => outcomeOf(kind, bytes, rows, backend)),
      ),
      { numRuns: 50 },
    );
  });

  it("returns a status for memory without a model, and arrays of another kind or size", () => {
    const { bytes, init, fit, step, update, predict } = addon!;
    const numbers = Float64Array.of(2, 4, 3, 2, 4, 0, 0, 0, 0.1, 1);
    const memory = new Uint8Array(new ArrayBuffer(bytes(1, numbers)));
    const [rows, labels] = [Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), Float32Array.of(1, 2, 3, 4)];
    const scores = new Float32Array(4);
    expect(bytes(9, numbers)).toBe(0);
    expect(bytes(1, numbers.subarray(1))).toBe(0);
    for (const found of [memory, new Uint8Array(3), rows, undefined, null, {}] as never[]) {
      expect(fit(found, rows, labels, 0, 4, 0)).toBe(4);
      expect(step(found, rows, labels)).toBe(4);
      expect(update(found, rows, 1)).toBe(4);
      expect(predict(found, rows, scores, undefined)).toBe(4);
    }
    expect(init(1, numbers, memory.subarray(1))).toBe(3);
    expect(init(1, numbers, memory.subarray(0, 64))).toBe(3);
    expect(init(1, numbers, memory)).toBe(0);
    expect(predict(memory, rows, scores, undefined)).toBe(7);
    for (const [values, first, count] of [
      [rows, 0, 5],
      [rows, 4, 1],
      [rows, -1, 4],
      [rows, 0, Number.NaN],
      [rows.subarray(1), 0, 4],
      [[1, 2], 0, 4],
    ] as never[][]) {
      expect(fit(memory, values!, labels, first!, count!, 0)).toBe(5);
    }
    expect(fit(memory, rows, labels, 2, 4, 0)).toBe(0);
    expect(predict(memory, rows, scores.subarray(1), undefined)).toBe(5);
    expect(predict(memory, rows.subarray(1), scores, undefined)).toBe(5);
    expect(predict(memory.subarray(0, 256), rows, scores, undefined)).toBe(4);
    expect(step(memory, rows, labels)).toBe(4);
    expect(predict(memory, rows, scores, undefined)).toBe(0);
  });

  it("is not used if the environment names another instruction set", async () => {
    vi.stubEnv("MM_PTX_LEARN_ISA", "mmx");
    vi.resetModules();
    try {
      const { chooseBackend } = await import("../../src/model/backend.js");
      expect(chooseBackend()).toBe("webassembly");
      expect(() => chooseBackend("native")).toThrow(
        /expected the native addon, found none:\n {2}.*found mmx/,
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
