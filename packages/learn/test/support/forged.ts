// Forged models: saved ones whose numbers were changed, with checksums that match again.
import fc from "fast-check";
import { expect } from "vitest";
import { type BackendOption, type LearnError, Linear, Mlp, Pca, Table, Trees } from "../../src/index.js";
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

/** What a test does with a model of any kind. */
interface Subject {
  save(): Uint8Array;
  learn(): unknown;
  predicted(): readonly Float32Array[];
}

/** A kind of models: where the numbers begin that are no options, how many of these come before the blocks, and models of this kind. */
interface Kind {
  readonly start: number;
  statistics(columns: number): number;
  make(columns: number, size: number, rows: Float32Array, labels: Float32Array): Uint8Array;
  load(bytes: Uint8Array, backend: BackendOption, rows: Float32Array): Subject;
}

function tableOf(rows: Float32Array, labels: Float32Array): Table {
  const table = new Table({ columns: rows.length / ROWS, capacity: ROWS });
  table.addAll(rows, labels);
  return table;
}

const KINDS = {
  linear: {
    start: 20,
    statistics: (columns) => 4 * (columns + 1),
    make(columns, features, rows, labels) {
      const model = new Linear({ columns, features, warmup: 5, backend: "javascript" });
      labels.forEach((label, row) => {
        model.update(rows.subarray(row * columns, (row + 1) * columns), label);
      });
      return model.save();
    },
    load(bytes, backend, rows) {
      const model = Linear.load(bytes, { backend });
      return {
        save: () => model.save(),
        learn: () => model.update(rows.subarray(0, model.columns), 0.3),
        predicted() {
          const [means, deviations] = [new Float32Array(ROWS), new Float32Array(ROWS)];
          model.predictInto(rows, means, deviations);
          return [means, deviations];
        },
      };
    },
  },
  mlp: {
    start: 30,
    statistics: (columns) => 4 * (columns + 1),
    make(columns, width, rows, labels) {
      const model = new Mlp({ columns, hidden: [width, 3], batch: ROWS, backend: "javascript" });
      model.step(rows, labels);
      model.step(rows, labels);
      return model.save();
    },
    load(bytes, backend, rows) {
      const model = Mlp.load(bytes, { backend });
      return {
        save: () => model.save(),
        learn: () => model.step(rows.subarray(0, model.columns), Float32Array.of(0.3)),
        predicted() {
          const scores = new Float32Array(ROWS);
          model.predictInto(rows, scores);
          return [scores];
        },
      };
    },
  },
  pca: {
    start: 12,
    // The number of rows, the version, the shift and the sums.
    statistics: (columns) => 4 + 3 * ((columns + 3) & ~3),
    make(columns, components, rows) {
      const model = new Pca({ columns, components: Math.min(columns, components), backend: "javascript" });
      model.update(rows);
      return model.save();
    },
    load(bytes, backend, rows) {
      const model = Pca.load(bytes, { backend });
      return {
        save: () => model.save(),
        learn: () => model.update(rows),
        predicted() {
          const projected = new Float32Array(ROWS * model.components);
          model.projectInto(rows, projected);
          return [projected, Float32Array.of(model.explained)];
        },
      };
    },
  },
  trees: {
    start: 26,
    // The mean, the unit, and the numbers of rows and splits.
    statistics: () => 8,
    make(_, depth, rows, labels) {
      const form = depth % 2 === 0 ? "oblivious" : "general";
      const trees = new Trees(tableOf(rows, labels), {
        trees: 9,
        depth: 1 + (depth & 3),
        form,
        backend: "javascript",
      });
      trees.fit();
      return trees.save();
    },
    load(bytes, backend, rows) {
      const labels = rows.filter((_, index) => index % (rows.length / ROWS) === 0);
      const model = Trees.load(bytes, { backend, rows: tableOf(rows, labels) });
      return {
        save: () => model.save(),
        learn: () => model.fit(),
        predicted() {
          const scores = new Float32Array(ROWS);
          model.predictInto(rows, scores);
          return [scores];
        },
      };
    },
  },
} satisfies Readonly<Record<string, Kind>>;

export const FORGED_KINDS = Object.keys(KINDS) as (keyof typeof KINDS)[];

/** Models of a kind of which up to three words were changed: their bytes, and rows of their columns. */
export function forgedModels(kind: keyof typeof KINDS) {
  const { start, statistics, make }: Kind = KINDS[kind];
  return fc
    .record({
      columns: fc.integer({ min: 1, max: 5 }),
      size: fc.integer({ min: 2, max: 11 }),
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
    .map(({ columns, size, changes }) => {
      const { rows, labels } = syntheticRows(ROWS, columns, size);
      const saved = make(columns, size, rows, labels);
      const blocks = start + statistics(columns);
      const words = changes.map(({ inStatistics, place, word, negative }) => {
        const [from, to] = inStatistics ? [start, blocks] : [blocks, saved.length / 4];
        return [from + (place % (to - from)), (word | (negative ? 2 ** 31 : 0)) >>> 0] as const;
      });
      return { bytes: forged(saved, Object.fromEntries(words)), rows };
    });
}

/** The bits of what a saved model predicts before and after it learns, and of the model then; `BAD_MODEL` if it is refused. */
export function outcomeOf(
  kind: keyof typeof KINDS,
  bytes: Uint8Array,
  rows: Float32Array,
  backend: BackendOption,
) {
  let model: Subject;
  try {
    model = KINDS[kind].load(bytes, backend, rows);
  } catch (error) {
    expect((error as LearnError).code).toBe("BAD_MODEL");
    return "BAD_MODEL";
  }
  const before = model.predicted().map(bitsOf);
  model.learn();
  return [before, model.predicted().map(bitsOf), Array.from(model.save())];
}
