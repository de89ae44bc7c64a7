// How much faster models of @mm-ptx/learn predict and learn on two threads, in native code.

import { Linear, Mlp, Neighbours, Trees } from "@mm-ptx/learn";
import { data, tableOf } from "./learning.mjs";

const ROUNDS = 21;

/** Rows of the benchmark: each call on two threads beside the same on one. */
export function workerRows() {
  const [one, two] = [callsOf(1), callsOf(2)];
  return Object.keys(one).map((name) => {
    const [yardstick, ours] = [leastTime(one[name]), leastTime(two[name])];
    return {
      ...{ name: `${name}, native, two threads (one thread)`, ours, yardstick },
      ...{ ratio: yardstick / ours, unit: "ms" },
    };
  });
}

/** @param {number} workers */
function callsOf(workers) {
  const options = { backend: "native", workers };
  const training = tableOf(data(2000, 16, 1));
  const many = tableOf(data(8192, 32, 3));
  const queries = data(10_000, 16, 2).rows;
  const wide = data(10_000, 32, 4).rows;
  const scores = new Float32Array(10_000);
  const near = new Neighbours(training, { k: 15, ...options });
  const trees = new Trees(training, options);
  trees.fit();
  const linear = new Linear({ columns: 32, ...options });
  const mlp = new Mlp({ columns: 32, ...options });
  mlp.fit(many, 1);
  return {
    "neighbours: 10,000 queries in 2,000 x 16": () => near.predictInto(queries, scores),
    "trees: 10,000 rows to scores": () => trees.predictInto(queries, scores),
    "MLP: 10,000 rows to scores": () => mlp.predictInto(wide, scores),
    "linear: 8,192 rows to weights, 128 features": () => linear.fit(many),
  };
}

/** The least time of a call, by the clock, in milliseconds. */
function leastTime(run) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
