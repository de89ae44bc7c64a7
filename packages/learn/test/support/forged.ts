// Saved models that were changed by someone who knows the format.
import fc from "fast-check";
import { expect } from "vitest";
import { type BackendOption, type LearnError, Linear } from "../../src/index.js";
import { bitsOf, syntheticRows } from "./data.js";

const CHECKSUM = 7;

/** Saved bytes with other words, and the checksum that fits. */
export function forged(saved: Uint8Array, words: Readonly<Record<number, number>>): Uint8Array {
  const all = new Uint32Array(saved.slice().buffer);
  for (const [index, word] of Object.entries(words)) all[Number(index)] = word;
  all[CHECKSUM] = all.reduce(
    (sum, word, at) => (at === CHECKSUM ? sum : Math.imul(sum ^ word, 0x01000193)),
    0x811c9dc5,
  );
  return new Uint8Array(all.buffer);
}

/** Words that forgers would choose: numbers that a factor could have, the ends of the range, subnormals and zeros. */
const TELLING_WORDS = new Uint32Array(
  Float32Array.of(0, 1, 1e-45, 1e-38, 2 ** -19, 2 ** 40, 1e-20, 1e20, 3.4e38).buffer,
);
const ROWS = 10;

/** Linear models of which up to three words were changed: their bytes, and rows of their columns. */
export const forgedLinear = fc
  .record({
    columns: fc.integer({ min: 1, max: 5 }),
    features: fc.integer({ min: 2, max: 11 }),
    changes: fc.array(
      fc.record({
        // Statistics are a small part of the words.
        inStatistics: fc.boolean(),
        place: fc.nat(),
        word: fc.oneof(
          fc.constantFrom(...TELLING_WORDS),
          fc.integer({ min: 0x3b000000, max: 0x50000000 }),
          fc.nat(),
        ),
        negative: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ columns, features, changes }) => {
    const { rows, labels } = syntheticRows(ROWS, columns, features);
    const model = new Linear({ columns, features, warmup: 5, backend: "javascript" });
    labels.forEach((label, row) => {
      model.update(rows.subarray(row * columns, (row + 1) * columns), label);
    });
    const saved = model.save();
    const [statistics, factor] = [20, 20 + 4 * (columns + 1)];
    const words = changes.map(({ inStatistics, place, word, negative }) => {
      const [from, to] = inStatistics ? [statistics, factor] : [factor, saved.length / 4];
      return [from + (place % (to - from)), (word | (negative ? 2 ** 31 : 0)) >>> 0] as const;
    });
    return { bytes: forged(saved, Object.fromEntries(words)), rows };
  });

/** The bits of what a saved linear model predicts before and after an update, and of the model then; `BAD_MODEL` if it is refused. */
export function outcomeOf(bytes: Uint8Array, rows: Float32Array, backend: BackendOption) {
  let model: Linear;
  try {
    model = Linear.load(bytes, { backend });
  } catch (error) {
    expect((error as LearnError).code).toBe("BAD_MODEL");
    return "BAD_MODEL";
  }
  const predicted = () => {
    const [means, deviations] = [new Float32Array(ROWS), new Float32Array(ROWS)];
    model.predictInto(rows, means, deviations);
    return [bitsOf(means), bitsOf(deviations)];
  };
  const before = predicted();
  model.update(rows.subarray(0, model.columns), 0.3);
  return [before, predicted(), Array.from(model.save())];
}
