import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Table, Trees, type TreesOptions } from "../../src/index.js";
import { halvesOf } from "../../src/trees/layout.js";
import { bitsOf, explained, hashOf, OBLIVIOUS_TREES, syntheticRows } from "../support/data.js";
import { codeOf } from "../support/errors.js";

function tableOf(rows: Float32Array, labels: Float32Array): Table {
  const table = new Table({ columns: rows.length / labels.length, capacity: labels.length });
  table.addAll(rows, labels);
  return table;
}

function fitted(table: Table, options: TreesOptions): Trees {
  const trees = new Trees(table, options);
  trees.fit();
  return trees;
}

function scoresOf(trees: Trees, rows: Float32Array): Float32Array {
  const scores = new Float32Array(rows.length / trees.columns);
  trees.predictInto(rows, scores);
  return scores;
}

describe("boosted trees", () => {
  const { rows, labels } = syntheticRows(2000, 8, 1);
  const test = syntheticRows(1000, 8, 2);
  const table = tableOf(rows, labels);

  it.each(["oblivious", "general"] as const)("learn a function with interactions and steps: %s", (form) => {
    expect(explained(test.labels, scoresOf(fitted(table, { form }), test.rows))).toBeGreaterThan(0.9);
  });

  it("follow noise less with splits from half of the rows", () => {
    const noise = syntheticRows(2000, 8, 3).rows;
    const truth = (values: Float32Array) =>
      Float32Array.from({ length: values.length / 8 }, (_, row) => 0.3 * values[8 * row]!);
    const noisy = tableOf(
      rows,
      truth(rows).map((label, row) => label + 2 * noise[8 * row]!),
    );
    for (const form of ["oblivious", "general"] as const) {
      const [half, all] = (["half", "all"] as const).map((sample) =>
        explained(truth(test.rows), scoresOf(fitted(noisy, { sample, form }), test.rows)),
      );
      expect(half).toBeGreaterThan(all! + 0.1);
    }
  });

  it("learn their splits from random halves: words are different, and half of their bits are set", () => {
    const words = Array.from({ length: 8 * 512 }, (_, index) => halvesOf(index >> 9, 32 * (index & 511)));
    expect(new Set(words).size).toBe(words.length);
    for (let bit = 0; bit < 32; bit++) {
      const ones = words.filter((word) => (word >>> bit) & 1).length;
      expect(Math.abs(ones / words.length - 0.5)).toBeLessThan(0.03);
    }
  });

  it("find the best tenth", () => {
    const scores = scoresOf(fitted(table, { label: "best tenth" }), test.rows);
    const first = (values: Float32Array) =>
      new Set(
        Array.from(values.keys())
          .sort((a, b) => values[b]! - values[a]! || a - b)
          .slice(0, 100),
      );
    const best = first(test.labels);
    expect([...first(scores)].filter((each) => best.has(each)).length).toBeGreaterThan(60);
  });

  it("have the same bits in JavaScript and WebAssembly, in every version", () => {
    for (const [form, sample, hash] of [
      ["oblivious", "half", OBLIVIOUS_TREES],
      ["oblivious", "all", "9906238e"],
      ["general", "half", "18eb049e"],
      ["general", "all", "2c0d2ef3"],
    ] as const) {
      const models = (["javascript", "webassembly"] as const).map((backend) =>
        fitted(table, { backend, form, sample }),
      );
      expect(models.map(({ backend }) => backend)).toEqual(["javascript", "webassembly"]);
      expect(models.map((model) => hashOf(model.save()))).toEqual([hash, hash]);
      const scores = models.map((model) => bitsOf(scoresOf(model, test.rows)));
      expect(scores[0]).toEqual(scores[1]);
    }
  });

  it("have the same bits for every shape", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 70 }),
      columns: fc.integer({ min: 1, max: 17 }),
      trees: fc.integer({ min: 1, max: 5 }),
      depth: fc.integer({ min: 1, max: 4 }),
      bins: fc.integer({ min: 2, max: 40 }),
      best: fc.boolean(),
      form: fc.constantFrom("oblivious" as const, "general" as const),
      sample: fc.constantFrom("half" as const, "all" as const),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, best, seed, ...options }) => {
        const data = syntheticRows(count, columns, seed);
        const label = best ? "best tenth" : "value";
        const [one, other] = (["javascript", "webassembly"] as const).map((backend) => {
          const model = fitted(tableOf(data.rows, data.labels), { ...options, label, backend });
          return [hashOf(model.save()), bitsOf(scoresOf(model, data.rows))];
        });
        expect(one).toEqual(other);
      }),
      { numRuns: 50 },
    );
  });

  it("predict the same after they were saved and loaded", () => {
    const model = fitted(table, { trees: 30 });
    const loaded = Trees.load(model.save());
    expect(bitsOf(scoresOf(loaded, test.rows))).toEqual(bitsOf(scoresOf(model, test.rows)));
    expect(loaded.save()).toEqual(model.save());
    const again = Trees.load(model.save(), { rows: table });
    again.fit();
    expect(again.save()).toEqual(model.save());
    expect(codeOf(() => loaded.fit())).toBe("INVALID_ARGUMENT");
  });

  it.each([1, 2, 3, 4])(
    "find the splits with the largest gains, as an exhaustive search does, at depth %i",
    (depth) => {
      const data = syntheticRows(40, 3, 7);
      for (const form of ["oblivious", "general"] as const) {
        const options = { form, depth, sample: "all", trees: 1, rate: 1, bins: 64, lambda: 1 } as const;
        const scores = scoresOf(fitted(tableOf(data.rows, data.labels), options), data.rows);
        const expected = exhaustive(data.rows, data.labels, depth, form);
        scores.forEach((score, row) => {
          expect(score).toBeCloseTo(expected[row]!, 2);
        });
      }
    },
  );

  it("take the first column of equal ones", () => {
    const half = Float32Array.from({ length: 40 }, (_, row) => row / 40);
    const rows = Float32Array.from({ length: 80 }, (_, index) => half[index >> 1]!);
    const model = fitted(tableOf(rows, half), { trees: 3 });
    const moved = Float32Array.from(rows, (value, index) => (index % 2 === 1 ? -5 : value));
    expect(bitsOf(scoresOf(model, moved))).toEqual(bitsOf(scoresOf(model, rows)));
  });

  it("predict the label if all are equal, and the mean if no column has two values", () => {
    const rows = Float32Array.of(1, 2, 3);
    expect(Array.from(scoresOf(fitted(tableOf(rows, Float32Array.of(7, 7, 7)), {}), rows))).toEqual([
      7, 7, 7,
    ]);
    const constant = Float32Array.of(4, 4, 4);
    const scores = scoresOf(fitted(tableOf(constant, Float32Array.of(1, 2, 6)), {}), constant);
    for (const score of scores) expect(score).toBeCloseTo(3, 2);
  });

  it("learn from one row", () => {
    const rows = Float32Array.of(1);
    expect(Array.from(scoresOf(fitted(tableOf(rows, Float32Array.of(5)), {}), rows))).toEqual([5]);
  });

  it.each([1e-45, 3e38])("give finite scores for labels and values of the size %f", (size) => {
    const rows = Float32Array.of(-size, 0, size, size);
    const scores = scoresOf(
      fitted(tableOf(rows, Float32Array.of(-size, size, -size, size)), { rate: 1 }),
      rows,
    );
    expect(scores.every(Number.isFinite)).toBe(true);
  });

  it("count 65,536 rows with residuals at the end of the range", () => {
    const rows = Float32Array.from({ length: 65_536 }, (_, row) => row % 2);
    const labels = Float32Array.from(rows, (value) => (value === 0 ? -1 : 1));
    const big = tableOf(rows, labels);
    const [js, wasm] = (["javascript", "webassembly"] as const).map((backend) =>
      fitted(big, { trees: 2, depth: 1, rate: 1, backend }),
    );
    expect(js!.save()).toEqual(wasm!.save());
    expect(scoresOf(js!, Float32Array.of(0, 1)).map(Math.round)).toEqual(Float32Array.of(-1, 1));
  });

  it("have leaves of 16 bits for every label: also for one that is far from all others", () => {
    const data = syntheticRows(300, 2, 5);
    const far = Float32Array.from(data.labels, (_, row) => (row === 7 ? 1e30 : -1e30));
    const options = { trees: 40, rate: 1, lambda: 2 ** -10, form: "general" } as const;
    const models = (["javascript", "webassembly"] as const).map((backend) =>
      fitted(tableOf(data.rows, far), { ...options, backend }),
    );
    expect(models[0]!.save()).toEqual(models[1]!.save());
    const scores = scoresOf(models[0]!, data.rows);
    // What is more than five deviations from the mean is learned as five.
    const least = -1e30 + 2e30 / 300;
    const deviation = 2e30 * Math.sqrt(1 / 300 - 1 / 300 ** 2);
    expect(scores[7]! / (least + 5 * deviation)).toBeCloseTo(1, 2);
    expect(Math.max(...scores)).toBe(scores[7]);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(Math.fround(-1.001e30));
  });

  it("refuse what they cannot learn or predict, and write nothing", () => {
    const empty = new Table({ columns: 2, capacity: 4 });
    const model = new Trees(empty);
    const scores = Float32Array.of(9);
    expect(codeOf(() => model.fit())).toBe("TOO_FEW_ROWS");
    expect(codeOf(() => model.predictInto(new Float32Array(2), scores))).toBe("NOT_FITTED");
    expect(codeOf(() => model.save())).toBe("NOT_FITTED");
    empty.add(Float32Array.of(1, 2), 3);
    model.fit();
    expect(codeOf(() => model.predictInto(Float32Array.of(1, Number.NaN), scores))).toBe("NOT_FINITE");
    expect(codeOf(() => model.predictInto(new Float32Array(3), scores))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => model.predictInto(new Float32Array(4), scores))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => model.predictInto([1, 2] as never, scores))).toBe("INVALID_ARGUMENT");
    expect(scores[0]).toBe(9);
    expect(codeOf(() => new Trees({} as never))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => new Trees(empty, { depth: 5 }))).toBe("INVALID_ARGUMENT");
  });

  it("refuse bytes of another kind or version, and bytes with any changed bit", () => {
    const saved = fitted(tableOf(rows.slice(0, 80), labels.slice(0, 10)), { trees: 2 }).save();
    const changed = (word: number, value: number) => {
      const words = new Uint32Array(saved.slice().buffer);
      words[word] = value;
      return new Uint8Array(words.buffer);
    };
    expect(() => Trees.load(changed(0, 1))).toThrow("saved model: expected the first word of a saved model");
    expect(() => Trees.load(changed(1, 2))).toThrow("saved model: expected version 1, found 2");
    expect(() => Trees.load(changed(2, 4))).toThrow(
      "saved model: expected a model of kind 1 (`trees`), found 4",
    );
    expect(codeOf(() => Trees.load(saved.slice(0, 60)))).toBe("BAD_MODEL");
    expect(codeOf(() => Trees.load(saved.slice(0, 61)))).toBe("BAD_MODEL");
    expect(codeOf(() => Trees.load("model" as never))).toBe("INVALID_ARGUMENT");
    for (let bit = 0; bit < saved.length * 8; bit += 7) {
      const flipped = saved.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(codeOf(() => Trees.load(flipped))).toBe("BAD_MODEL");
    }
  });
});

/** What one tree with a rate and a lambda of 1 predicts for its rows of three columns, by trying all splits in f64. */
function exhaustive(
  rows: Float32Array,
  labels: Float32Array,
  depth: number,
  form: "general" | "oblivious",
): number[] {
  const mean = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  const sumOf = (leaf: readonly number[]) => leaf.reduce((sum, row) => sum + labels[row]! - mean, 0);
  const gainOf = (leaf: readonly number[]) => sumOf(leaf) ** 2 / (leaf.length + 1);
  const gainsOf = (leaves: readonly (readonly number[])[]) =>
    leaves.reduce((sum, leaf) => sum + gainOf(leaf), 0);
  /** Divides leaves by the same split, the one with the largest gain. */
  const divided = (leaves: readonly (readonly number[])[]) => {
    let best = leaves;
    for (let column = 0; column < 3; column++) {
      for (const limit of labels.keys()) {
        const isAbove = (row: number) => rows[row * 3 + column]! > rows[limit * 3 + column]!;
        const halves = leaves.flatMap((leaf) => [leaf.filter((row) => !isAbove(row)), leaf.filter(isAbove)]);
        if (gainsOf(halves) > gainsOf(best) + 1e-9) best = halves;
      }
    }
    return best;
  };
  let leaves: readonly (readonly number[])[] = [Array.from(labels.keys())];
  for (let level = 0; level < depth; level++) {
    leaves = form === "oblivious" ? divided(leaves) : leaves.flatMap((leaf) => divided([leaf]));
  }
  const values: number[] = [];
  for (const leaf of leaves) {
    for (const row of leaf) values[row] = mean + sumOf(leaf) / (leaf.length + 1);
  }
  return values;
}
