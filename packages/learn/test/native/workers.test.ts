// Native code divides rows among threads, with the same bits for any number of them.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { type ComputeOptions, Linear, Mlp, Neighbours, Table, Trees } from "../../src/index.js";
import { type Addon, findAddon } from "../../src/native/addon.js";
import { hashOf, syntheticRows } from "../support/data.js";
import { codeOf } from "../support/errors.js";

const COLUMNS = 5;
/** Enough rows for four threads of every model, and not in whole blocks. */
const { rows, labels } = syntheticRows(4200, COLUMNS, 3);
/** A ring whose oldest row is not the first. */
const table = new Table({ columns: COLUMNS, capacity: 1100 });
table.addAll(rows.subarray(0, 1300 * COLUMNS), labels.subarray(0, 1300));

/** Fits a model and predicts; returns a hash of the model and its predictions. */
const MODELS = {
  trees(options: ComputeOptions): string {
    const model = new Trees(table, { trees: 20, ...options });
    model.fit();
    return hashAll([model.save(), scoresOf(model)]);
  },
  linear(options: ComputeOptions): string {
    const model = new Linear({ columns: COLUMNS, features: 30, ...options });
    model.fit(table);
    const [means, deviations] = [new Float32Array(labels.length), new Float32Array(labels.length)];
    model.predictInto(rows, means, deviations);
    return hashAll([model.save(), means, deviations]);
  },
  mlp(options: ComputeOptions): string {
    const model = new Mlp({ columns: COLUMNS, hidden: [20, 9], batch: 50, ...options });
    model.fit(table, 5);
    return hashAll([model.save(), scoresOf(model), scoresOf(Mlp.load(model.save(), options))]);
  },
  neighbours(options: ComputeOptions): string {
    const model = new Neighbours(table, { k: 6, ...options });
    const some = rows.subarray(0, 700 * COLUMNS);
    const [means, novelty] = [new Float32Array(700), new Float32Array(700)];
    model.predictInto(some, means);
    model.noveltyInto(some, novelty);
    return hashAll([means, novelty]);
  },
};

function scoresOf(model: { predictInto(rows: Float32Array, scores: Float32Array): void }): Float32Array {
  const scores = new Float32Array(labels.length);
  model.predictInto(rows, scores);
  return scores;
}

const hashAll = (parts: readonly (Float32Array | Uint8Array)[]): string =>
  parts
    .map(({ buffer, byteOffset, byteLength }) => hashOf(new Uint8Array(buffer, byteOffset, byteLength)))
    .join(" ");

const { addon } = findAddon();

describe("models with workers", () => {
  const goldens = {
    trees: "552d471c bf71ce6b",
    linear: "ffb2c078 189b3663 fa7bc498",
    mlp: "6c51010e 8c9d358c 8c9d358c",
    neighbours: "8996c78e 442faa82",
  };
  it.each(Object.keys(MODELS) as (keyof typeof MODELS)[])("%s: the same bits in every version", (name) => {
    expect(MODELS[name]({ backend: "webassembly", workers: 3 })).toBe(goldens[name]);
    if (addon === undefined) return;
    for (const workers of [1, 2, 3, 4, 64])
      expect(MODELS[name]({ backend: "native", workers }), `${workers}`).toBe(goldens[name]);
  });

  it("refuse numbers that are not whole or out of range", () => {
    for (const workers of [0, 65, 1.5, "2" as never]) {
      expect(codeOf(() => new Linear({ columns: 1, workers }))).toBe("INVALID_ARGUMENT");
      expect(codeOf(() => new Trees(table, { workers }))).toBe("INVALID_ARGUMENT");
      expect(codeOf(() => new Neighbours(table, { workers }))).toBe("INVALID_ARGUMENT");
      expect(codeOf(() => new Mlp({ columns: 1, workers }))).toBe("INVALID_ARGUMENT");
    }
  });

  it.skipIf(addon === undefined)("take memory for each thread in native code alone", () => {
    const bytesOf = (options: ComputeOptions) => new Linear({ columns: 3, ...options }).bytes;
    const [one, two, three] = [1, 2, 3].map((workers) => bytesOf({ backend: "native", workers }));
    expect(two! - one!).toBe(three! - two!);
    expect(two! - one!).toBeGreaterThan(0);
    for (const backend of ["javascript", "webassembly"] as const)
      expect(bytesOf({ backend, workers: 3 })).toBe(bytesOf({ backend }));
  });
});

/** The file of the addon. */
const path = join(
  process.env.MM_PTX_NATIVE_DIR ||
    fileURLToPath(new URL(`../../npm/${process.platform}-${process.arch}`, import.meta.url)),
  "mmptx-learn.node",
);

it.skipIf(addon === undefined)("a thread can load the addon again", () => {
  const require = createRequire(import.meta.url);
  const expected = predictions(addon!, rows, labels);
  for (let time = 0; time < 2; time++) {
    delete require.cache[require.resolve(path)];
    expect(predictions(require(path) as Addon, rows, labels)).toEqual(expected);
  }
});

it.skipIf(addon === undefined)(
  "threads of Node use the pool at the same time, and end without it",
  async () => {
    const source = `
    const { parentPort, workerData: { path, rows, labels } } = require("node:worker_threads");
    parentPort.postMessage((${predictions})(require(path), rows, labels));
  `;
    const workers = [1, 2, 3].map(
      () => new Worker(source, { eval: true, workerData: { path, rows, labels } }),
    );
    const results = await Promise.all(
      workers.map((worker) => new Promise((resolve) => worker.once("message", resolve))),
    );
    const expected = predictions(createRequire(import.meta.url)(path) as Addon, rows, labels);
    expect(results).toEqual([expected, expected, expected]);
    await Promise.all(workers.map((worker) => worker.terminate()));
    expect(predictions(addon!, rows, labels)).toEqual(expected);
  },
);

/** What neighbours predict with four workers, again and again: the sums of their means. It runs in other threads as well. */
function predictions(native: Addon, values: Float32Array, targets: Float32Array): number[] {
  const numbers = Float64Array.of(5, targets.length, 6, 1, 0, 0, 0, 0, 0, 0);
  const memory = new Uint8Array(native.bytes(5, numbers, 4));
  native.init(5, numbers, memory);
  native.fit(memory, values, targets, 0, targets.length, 0, 4);
  const means = new Float32Array(300);
  return Array.from({ length: 20 }, (_, index) => {
    const queries = values.subarray(index * 500, index * 500 + 1500);
    if (native.predict(memory, queries, means, false, 4) !== 0) return Number.NaN;
    return means.reduce((sum, mean) => sum + mean, 0);
  });
}
