// Defects that screened searches were reported to have (Helion, pytorch/helion#3518), and inputs at the ends of what is allowed, for all models.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Linear, Mlp, Neighbours, Pca, type Predictor, Screen, Table, Trees, Watch } from "../src/index.js";
import { findAddon } from "../src/native/addon.js";
import { wordAt } from "../src/random.js";

const BACKENDS = (["javascript", "webassembly", "native"] as const).filter(
  (backend) => backend !== "native" || findAddon().addon !== undefined,
);

const uniform = (seed: number, index: number) => (wordAt(seed, index) / 2 ** 32) * 2 - 1;

/** A search that screens its candidates, which are numbers; the best is the largest. */
function search({ model, watch, seed, label }: SearchOptions) {
  const table = new Table({ columns: 2, capacity: 500 });
  const trees = new Trees(table, { trees: 20 });
  const screen = new Screen({ model: model ?? trees, ...(watch && { watch }), explore: 0.1, seed });
  const candidates = new Float32Array(2 * 40);
  const chosen = new Uint32Array(5);
  let drawn = 0;
  const learned = new Set<number>();
  let [incumbent, best] = [Float32Array.of(-2, 0), Number.NEGATIVE_INFINITY];
  const bests: number[] = [];
  for (let round = 0; round < 100; round++) {
    for (let index = 0; index < candidates.length; index++) candidates[index] = uniform(seed, drawn++);
    candidates.set(incumbent);
    const count = screen.choose(candidates, 5, chosen, 1);
    expect(count).toBe(5);
    expect(chosen[0]).toBe(0);
    const truths = Float32Array.from(chosen, (place) =>
      label(candidates[2 * place]!, candidates[2 * place + 1]!),
    );
    screen.tell(truths);
    truths.forEach((truth, place) => {
      const row = candidates.slice(2 * chosen[place]!, 2 * chosen[place]! + 2);
      learned.add(chosen[place]!);
      table.add(row, truth);
      if (truth > best) [incumbent, best] = [row, truth];
    });
    bests.push(best);
    trees.fit();
  }
  return { learned, bests, watch };
}

interface SearchOptions {
  readonly model?: Predictor;
  readonly watch?: Watch;
  readonly seed: number;
  readonly label: (first: number, second: number) => number;
}

describe("a screened search", () => {
  const label = (first: number, second: number) => Math.fround(first * 2 - second * second);

  it("keeps the incumbent: its best never falls", () => {
    const { bests } = search({ seed: 1, label });
    expect(bests.every((best, round) => round === 0 || best >= bests[round - 1]!)).toBe(true);
  });

  it("learns candidates of every place, also those that it would reject", () => {
    expect(search({ seed: 2, label }).learned.size).toBeGreaterThan(30);
  });

  it("chooses as many as it was asked to, and some at random with a quota of 1 of 5", () => {
    const model: Predictor = { columns: 1, fitted: true, predictInto: (rows, scores) => scores.set(rows) };
    const screen = new Screen({ model, explore: 0.2, seed: 3 });
    const candidates = Float32Array.from({ length: 50 }, (_, index) => index);
    const chosen = new Uint32Array(5);
    for (let round = 0; round < 100; round++) {
      expect(screen.choose(candidates, 5, chosen)).toBe(5);
      // The best four, and one that is random.
      expect(Array.from(chosen.subarray(0, 4))).toEqual([49, 48, 47, 46]);
      expect(chosen[4]).toBeLessThan(46);
    }
  });

  it("learns from corrected labels as if they had been the first", () => {
    const rows = Float32Array.from({ length: 60 }, (_, index) => uniform(4, index));
    const truths = Float32Array.from({ length: 30 }, (_, row) => label(rows[2 * row]!, rows[2 * row + 1]!));
    const [corrected, right] = [true, false].map((isWrong) => {
      const table = new Table({ columns: 2, capacity: 30 });
      const tickets = Array.from(truths, (truth, row) =>
        table.add(rows.subarray(2 * row, 2 * row + 2), isWrong && row % 3 === 0 ? 9 : truth),
      );
      if (isWrong) for (const ticket of tickets) table.setLabel(ticket, truths[ticket]!);
      const trees = new Trees(table, { trees: 10 });
      const linear = new Linear({ columns: 2, features: 8 });
      trees.fit();
      linear.fit(table);
      return [trees.save(), linear.save()];
    });
    expect(corrected).toEqual(right);
  });

  it("turns itself off within 500 rows when labels are shuffled, and has a worth of 1 when a label leaks", () => {
    let drawn = 0;
    const shuffled = search({ seed: 5, watch: new Watch(), label: () => uniform(77, drawn++) }).watch!;
    expect(shuffled.useful).toBe(false);
    expect(shuffled.report().worth).toBeLessThan(0.15);
    // The first value of a candidate is its label.
    const leak: Predictor = {
      columns: 2,
      fitted: true,
      predictInto: (rows, scores) => scores.set(rows.filter((_, index) => index % 2 === 0)),
    };
    const { worth, rho } = search({
      seed: 5,
      model: leak,
      watch: new Watch(),
      label: (first) => first,
    }).watch!.report();
    expect([worth, rho]).toEqual([1, 1]);
  });
});

describe("values at the ends of f32", () => {
  const special = fc.constantFrom(0, -0, 1e-45, -1e-45, 1.1754942e-38, 3.4028234e38, -3.4028234e38, 1, -1);
  const shape = fc.integer({ min: 1, max: 4 }).chain((columns) =>
    fc.integer({ min: 1, max: 40 }).chain((count) =>
      fc.record({
        columns: fc.constant(columns),
        values: fc.array(special, { minLength: columns * count, maxLength: columns * count }),
        labels: fc.oneof(
          fc.array(special, { minLength: count, maxLength: count }),
          special.map((label) => new Array<number>(count).fill(label)),
        ),
        backend: fc.constantFrom(...BACKENDS),
      }),
    ),
  );

  it("give finite scores in every model: one row, one column, equal labels, more features than rows", () => {
    fc.assert(
      fc.property(shape, ({ columns, values, labels, backend }) => {
        const [rows, truths] = [Float32Array.from(values), Float32Array.from(labels)];
        const table = new Table({ columns, capacity: truths.length });
        table.addAll(rows, truths);
        const linear = new Linear({ columns, features: 9, backend });
        linear.fit(table);
        const mlp = new Mlp({ columns, hidden: [5], batch: 16, backend });
        mlp.fit(table, 3);
        const models: Predictor[] = [linear, mlp, new Neighbours(table, { k: 3, backend })];
        for (const form of ["oblivious", "general"] as const) {
          for (const label of ["value", "best tenth"] as const) {
            const trees = new Trees(table, { trees: 4, form, label, backend });
            trees.fit();
            models.push(trees);
          }
        }
        const scores = new Float32Array(truths.length);
        for (const model of models) {
          scores.fill(Number.NaN);
          model.predictInto(rows, scores);
          expect(scores.every(Number.isFinite), model.constructor.name).toBe(true);
        }
        if (truths.every((truth) => truth === truths[0])) {
          models[3]!.predictInto(rows, scores);
          expect(Array.from(scores, (score) => score + 0)).toEqual(Array.from(truths, (truth) => truth + 0));
        }
        const map = new Pca({ columns, components: columns, backend });
        map.update(rows);
        const projected = new Float32Array(rows.length);
        map.projectInto(rows, projected);
        expect(projected.every(Number.isFinite)).toBe(true);
        expect(map.explained).toBeLessThanOrEqual(1 + 1e-6);
      }),
      { numRuns: 40 },
    );
  });
});
