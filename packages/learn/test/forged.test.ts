// Forged models, whose checksums match: all backends reject the same ones, and compute the same with the others.
import fc from "fast-check";
import { expect, it } from "vitest";
import { Mlp, Pca } from "../src/index.js";
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
