// How well models rank programs that they have not seen, from what they learned of the programs before.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Linear, Neighbours, Table, Trees, Watch } from "@mm-ptx/learn";
import { ESTIMATES, evolvedPrograms, FEATURES, PROBES, randomPrograms } from "./learning-programs.mjs";
import { TARGETS } from "./program-targets.mjs";
import { LEARNING, runPython } from "./python.mjs";

/** The programs that are ranked, and where these begin: after each place, for each target. */
const RANKED = 2000;
const STARTS = [4000, 8000];
/** The programs before that models learn from. Static features say less of a program, so they need more. */
const LEARNED = { static: 2000, probes: 500 };
/** Searches for each target, which find different programs. */
const SEEDS = 3;
/** In words. */
export const USED = `${TARGETS.length} targets, ${SEEDS} searches for each, ${RANKED} programs after each of the first ${STARTS.join(" and ")}, learned from the ${LEARNED.static} before (static features) or ${LEARNED.probes} (probes)`;
const COLUMNS = { static: FEATURES, probes: PROBES };
/** Neighbours need no training, so they may have more rows. */
const MANY = 4000;

const predicted = (model, rows) => {
  const scores = new Float32Array(RANKED);
  model.predictInto(rows, scores);
  return scores;
};
const trees =
  (form, label) =>
  ({ table, rows }) => {
    const model = new Trees(table, { form, label });
    model.fit();
    return predicted(model, rows);
  };
/** The scores that models give the programs of a test. @type {Record<string, (test: Test) => Float32Array>} */
const MODELS = {
  trees: trees("oblivious", "value"),
  "general trees": trees("general", "value"),
  "trees, best tenth": trees("oblivious", "best tenth"),
  "general trees, best tenth": trees("general", "best tenth"),
  linear: ({ table, rows }) => {
    const model = new Linear({ columns: table.columns });
    model.fit(table);
    return predicted(model, rows);
  },
  neighbours: ({ table, rows }) => predicted(new Neighbours(table), rows),
  "neighbours, 4,000 rows": ({ many, rows }) => predicted(new Neighbours(many), rows),
};

/**
 * Programs to rank by some of their features: those that a model learns from, and what is true of the others.
 *
 * @typedef {{ set: string, features: "static" | "probes", table: Table, many: Table, rows: Float32Array, truths: Float32Array,
 *   estimates: Float32Array[] }} Test
 */

/** The tests of all sets. @returns {Promise<Test[]>} */
export async function rankingTests() {
  const random = await randomPrograms(1);
  const sets = random.fitness.map((fitness) => ({ set: "random", programs: random, fitness }));
  for (let target = 0; target < TARGETS.length; target++) {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const evolved = await evolvedPrograms(target, seed * TARGETS.length + target);
      sets.push({ set: "evolved", programs: evolved, fitness: evolved.fitness[0] });
    }
  }
  return sets.flatMap(({ set, programs, fitness: [all, ...parts] }) =>
    STARTS.flatMap((start) =>
      Object.keys(LEARNED).map((features) => {
        const columns = COLUMNS[features];
        const rowsOf = (from, to) => programs[features].subarray(from * columns, to * columns);
        const tableOf = (capacity) => {
          const table = new Table({ columns, capacity });
          table.addAll(rowsOf(start - capacity, start), all.subarray(start - capacity, start));
          return table;
        };
        const end = start + RANKED;
        return {
          ...{ set, features, table: tableOf(LEARNED[features]), many: tableOf(MANY) },
          ...{ rows: rowsOf(start, end), truths: all.subarray(start, end) },
          estimates: parts.map((part) => part.subarray(start, end)),
        };
      }),
    ),
  );
}

/** How well scores rank: the rank correlation, and the shares of the best tenth in the first tenth and the first quarter. */
function ranking(scores, truths) {
  const watch = new Watch({ window: truths.length });
  scores.forEach((score, row) => {
    watch.add(score, truths[row]);
  });
  const { rho, recall } = watch.report();
  const best = truths.toSorted((a, b) => b - a)[truths.length / 10 - 1];
  const quarter = Array.from(scores.keys())
    .sort((a, b) => scores[b] - scores[a] || a - b)
    .slice(0, truths.length / 4);
  const found = quarter.filter((row) => truths[row] >= best).length;
  return { rho, tenth: recall, quarter: Math.min(1, found / (truths.length / 10)) };
}

/** The mean of rankings, by the set and the features of the tests. @param {readonly Test[]} tests */
function meanRankings(tests, scoresOf) {
  const means = {};
  for (const set of ["evolved", "random"]) {
    for (const features of Object.keys(LEARNED)) {
      const all = tests
        .filter((test) => test.set === set && test.features === features)
        .map((test) => ranking(scoresOf(test), test.truths));
      const mean = (name) => all.reduce((sum, each) => sum + each[name], 0) / all.length;
      means[`${set}, ${features}`] = { rho: mean("rho"), tenth: mean("tenth"), quarter: mean("quarter") };
    }
  }
  return means;
}

/** The rankings by models, by their names. @param {readonly Test[]} tests */
export const modelRankings = (tests) =>
  Object.fromEntries(Object.entries(MODELS).map(([name, scoresOf]) => [name, meanRankings(tests, scoresOf)]));

/** The ranking by the fitness on some of the rows, without a model. */
export const estimateRankings = (tests) =>
  Object.fromEntries(
    ESTIMATES.map((rows, index) => [rows, meanRankings(tests, (test) => test.estimates[index])]),
  );

/** The rankings by models of Python, by their names; none if they cannot be installed. @param {readonly Test[]} tests */
export function pythonRankings(tests) {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-learn-"));
  try {
    tests.forEach(({ table, rows }, index) => {
      const learned = Float32Array.from({ length: table.count * table.columns }, (_, at) => table.values[at]);
      writeFileSync(join(folder, `${index}.learned`), learned);
      writeFileSync(join(folder, `${index}.labels`), table.labels.slice(0, table.count));
      writeFileSync(join(folder, `${index}.rows`), rows);
    });
    const names = runPython("learning_ranking.py", [folder, tests.length], LEARNING.models) ?? [];
    return Object.fromEntries(
      names.map((name) => [
        name,
        meanRankings(tests, (test) => {
          const bytes = readFileSync(join(folder, `${tests.indexOf(test)}.${name}`));
          return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
        }),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
