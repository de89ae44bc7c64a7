// Times of the models of @mm-ptx/learn, and how much they explain of a function with interactions. bench/lib/learning.py has the same data.

import { Linear, Mlp, Neighbours, Pca, Table, Trees } from "@mm-ptx/learn";
import { median } from "./measure.mjs";
import { runNode } from "./npm.mjs";

const ROUNDS = 21;

/** Rows of uniform values from -1 to 1 and their labels, the same as in Python. */
export function data(count, columns, seed) {
  let state = seed;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647) * 2 - 1;
  };
  const rows = Float32Array.from({ length: count * columns }, next);
  const labels = Float32Array.from({ length: count }, (_, row) => {
    const [a, b, c, d, e, f] = rows.subarray(row * columns, row * columns + 6);
    return 2 * a * b + (c > 0.3 ? 1 : 0) + d * d + e * f + 0.1 * next();
  });
  return { rows, labels };
}

/** For this long a call is repeated before it is measured: engines compile what runs often again, on threads whose time would count. */
const WARMING_MS = 200;

/** The median of this process's CPU time of a call, in milliseconds. */
export function time(run, calls = 1, rounds = ROUNDS) {
  const warm = performance.now() + WARMING_MS;
  do run();
  while (performance.now() < warm);
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call++) run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / calls;
  });
  return median(times);
}

/** A table of rows and labels. */
export function tableOf({ rows, labels }) {
  const table = new Table({ columns: rows.length / labels.length, capacity: labels.length });
  table.addAll(rows, labels);
  return table;
}

/** Milliseconds or microseconds of the models with a backend. @param {"native" | "webassembly"} backend */
export function modelTimes(backend) {
  const training = data(2000, 16, 1);
  const queries = data(10_000, 16, 2);
  const scores = new Float32Array(10_000);
  const trees = new Trees(tableOf(training), { backend });
  const general = new Trees(tableOf(training), { backend, form: "general" });
  const one = [queries.rows.slice(0, 16), new Float32Array(1)];
  const neighbours = (rows) => {
    const near = new Neighbours(tableOf(rows), { k: 15, scale: "none", backend });
    return () => near.predictInto(queries.rows, scores);
  };
  const wide = data(1024, 32, 3);
  const linear = new Linear({ columns: 32, backend });
  const wideTable = tableOf({ rows: wide.rows.subarray(0, 32_000), labels: wide.labels.subarray(0, 1000) });
  const mlp = new Mlp({ columns: 32, batch: 1024, backend });
  const step = (count) => {
    const batch = [wide.rows.slice(0, count * 32), wide.labels.slice(0, count)];
    return () => mlp.step(...batch);
  };
  const behaviors = data(256, 64, 4);
  const map = new Pca({ columns: 64, components: 8, backend });
  const update = (features) => {
    const model = new Linear({ columns: 32, features, backend });
    model.fit(wideTable);
    const row = wide.rows.slice(0, 32);
    return 1000 * time(() => model.update(row, 0.5), 500);
  };
  return {
    treesFit: time(() => trees.fit()),
    treesPredict: time(() => trees.predictInto(queries.rows, scores)),
    treesOne: 1000 * time(() => trees.predictInto(...one), 500),
    generalFit: time(() => general.fit()),
    generalPredict: time(() => general.predictInto(queries.rows, scores)),
    update64: update(64),
    update128: update(128),
    update256: update(256),
    linearFit: time(() => linear.fit(wideTable)),
    pca: 1000 * time(() => map.update(behaviors.rows), 5),
    neighbours: time(neighbours(training)),
    neighbours10000: time(neighbours(data(10_000, 16, 5)), 1, 7),
    mlp32: 1000 * time(step(32), 100),
    mlp256: 1000 * time(step(256), 20),
    mlp1024: 1000 * time(step(1024), 5),
  };
}

/** The bytes that models take. @param {"native" | "webassembly"} backend */
export const modelSizes = (backend) => ({
  mlp32: new Mlp({ columns: 32, batch: 32, backend }).bytes,
  mlp256: new Mlp({ columns: 32, backend }).bytes,
  trees: new Trees(new Table({ columns: 16, capacity: 16_384 }), { backend }).bytes,
});

const STARTS = 5;
const START = new URL("./learning-start.mjs", import.meta.url);

/**
 * The least milliseconds until a new process has the package, and until it has a small model in WebAssembly then, of the slowest kind: these
 * are times of clocks, so other processes add to them.
 */
export function startTimes() {
  const starts = ["trees", "linear", "neighbours", "pca", "mlp"].map((kind) =>
    Array.from({ length: STARTS }, () => runNode(START, [kind])),
  );
  return {
    imported: Math.min(...starts.flat().map(({ imported }) => imported)),
    made: Math.max(...starts.map((each) => Math.min(...each.map(({ made }) => made)))),
  };
}

/** The share of the variance that trees explain, the better form of both, beside those of others. @param {Record<string, number | undefined>} others */
export function accuracy(others) {
  const training = data(2000, 16, 1);
  const { rows, labels } = data(10_000, 16, 2);
  const ours = Math.max(
    ...["oblivious", "general"].map((form) => {
      const scores = new Float32Array(10_000);
      const trees = new Trees(tableOf(training), { form });
      trees.fit();
      trees.predictInto(rows, scores);
      return explained(labels, scores);
    }),
  );
  return Object.entries(others).map(([name, theirs]) => ({
    name: `trees: share of the variance explained, 2,000 rows (${name})`,
    ours,
    ...(theirs !== undefined && {
      yardstick: theirs,
      ratio: ours / theirs,
      budget: 0.98,
      pass: ours / theirs >= 0.98,
    }),
  }));
}

function explained(labels, scores) {
  const mean = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  let [left, all] = [0, 0];
  labels.forEach((label, row) => {
    left += (label - scores[row]) ** 2;
    all += (label - mean) ** 2;
  });
  return 1 - left / all;
}
