// Forged models, whose checksums match: all backends reject the same ones, and compute the same with the others.
import fc from "fast-check";
import { expect, it } from "vitest";
import { Linear, Mlp, Pca, Table, Trees } from "../src/index.js";
import { syntheticRows } from "./support/data.js";
import { FORGED_KINDS, forged, forgedModels, outcomeOf } from "./support/forged.js";

it.each(FORGED_KINDS)(
  "%s: refuses forged models, or has the same bits with them in every version",
  (kind) => {
    let taken = 0;
    fc.assert(
      fc.property(forgedModels(kind), ({ bytes, rows }) => {
        const [one, other] = (["javascript", "webassembly"] as const).map((backend) =>
          outcomeOf(kind, bytes, rows, backend),
        );
        expect(other).toEqual(one);
        if (one !== "BAD_MODEL") taken++;
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(30);
  },
);

const { rows, labels } = syntheticRows(10, 1, 3);
const REFUSED = "expected learned parameters";
const wordOf = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;

it("perceptrons have parameters and moments that steps lead to", () => {
  const model = new Mlp({ columns: 1, hidden: [4], backend: "javascript" });
  model.step(rows, labels);
  const saved = model.save();
  // After the head, 15 numbers; a layer of 4 from 1 and one of 1 (padded to 4) from 4, and the biases of both.
  const parameters = 8 + 2 * 15;
  const [means, squares] = [parameters + 28, parameters + 56];
  const load = (words: Readonly<Record<number, number>>) => Mlp.load(forged(saved, words));
  load({ [parameters]: wordOf(-(2 ** 24)) });
  expect(() => load({ [parameters]: wordOf(2 ** 24 + 2) })).toThrow(REFUSED);
  load({ [means]: wordOf(-7.9), [squares]: wordOf(1) });
  expect(() => load({ [means]: wordOf(-8.1), [squares]: wordOf(1) })).toThrow(REFUSED);
  load({ [means]: wordOf(0), [squares]: wordOf(0) });
  expect(() => load({ [squares]: wordOf(-1) })).toThrow(REFUSED);
  expect(() => load({ [squares]: wordOf(Number.NaN) })).toThrow(REFUSED);
});

it("components have zeros after their columns", () => {
  const map = new Pca({ columns: 1, components: 1, backend: "javascript" });
  map.update(rows);
  const saved = map.save();
  // After the head, four numbers: a shift of four f32, and sums, products and components of four f64 each.
  for (const place of [17, 19, 22, 27, 30, 35, 38, 43]) {
    expect(() => Pca.load(forged(saved, { [place]: 1 })), `${place}`).toThrow("finite sums");
  }
});

it("components of more rows than 32 bits can count have the same bits", () => {
  const map = new Pca({ columns: 1, components: 1, backend: "javascript" });
  map.update(rows);
  const halves = new Uint32Array(Float64Array.of(2 ** 40 + 1).buffer);
  const bytes = forged(map.save(), { 12: halves[0]!, 13: halves[1]! });
  const [one, other] = (["javascript", "webassembly"] as const).map((backend) =>
    outcomeOf("pca", bytes, rows, backend),
  );
  expect(one).not.toBe("BAD_MODEL");
  expect(other).toEqual(one);
});

it("trees have splits in the order of a fit", () => {
  const table = new Table({ columns: 1, capacity: 10 });
  table.addAll(rows, labels);
  const model = new Trees(table, { trees: 3, depth: 2, backend: "javascript" });
  model.fit();
  const saved = model.save();
  // After the head, 13 numbers, of which the last one is the number of splits; their columns, and their thresholds.
  const splits = new Float64Array(saved.slice(4 * 32).buffer, 0, 1)[0]!;
  expect(splits).toBeGreaterThan(1);
  const thresholds = 34 + splits;
  const load = (words: Readonly<Record<number, number>>) => Trees.load(forged(saved, words));
  load({ [thresholds + splits - 1]: wordOf(Number.POSITIVE_INFINITY) });
  for (const [place, value] of [
    [0, Number.NaN],
    [0, Number.NEGATIVE_INFINITY],
    [0, Number.POSITIVE_INFINITY],
    [1, -1e30],
  ] as const) {
    expect(() => load({ [thresholds + place]: wordOf(value) })).toThrow("expected a threshold from");
  }
  expect(() => load({ 34: 1 })).toThrow("a column of a split");
});

it("models have learned no more rows than they can count", () => {
  const batch = new Mlp({ columns: 1, hidden: [4], backend: "javascript" });
  batch.step(rows, labels);
  const line = new Linear({ columns: 1, features: 4, warmup: 1, backend: "javascript" });
  labels.forEach((label, row) => void line.update(rows.subarray(row, row + 1), label));
  const map = new Pca({ columns: 1, components: 1, backend: "javascript" });
  map.update(rows);
  for (const [name, saved, place, load] of [
    ["mlp: steps", batch.save(), 22, Mlp.load],
    ["mlp: rows", batch.save(), 24, Mlp.load],
    ["linear", line.save(), 18, Linear.load],
    ["pca: rows", map.save(), 12, Pca.load],
    ["pca: version", map.save(), 14, Pca.load],
  ] as const) {
    const counting = (count: number) => {
      const [low, high] = new Uint32Array(Float64Array.of(count).buffer);
      return forged(saved, { [place]: low!, [place + 1]: high! });
    };
    load(counting(2 ** 52));
    for (const count of [2 ** 52 + 1, Number.MAX_SAFE_INTEGER])
      expect(() => load(counting(count)), name).toThrow(`found ${count}`);
  }
});
