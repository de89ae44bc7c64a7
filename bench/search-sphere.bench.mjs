// Searches of pyribs' sphere, of an arm and of the Rastrigin function: QD scores and coverage beside those of pyribs 0.12.0. Every finished
// search is stored, so the benchmark can be stopped and taken up again; the whole table is written to out/bench/search-sphere.md.
//
// pyribs' CMA-ES multiplies the rank-one update of the covariance by its learning rate twice and does not divide its path by the step size,
// and its archives compare all candidates of a batch with the archive before. So CMA-ME is measured in two ways: as this package does it,
// beside pyribs as it is; and compared with the archive before the batch, beside pyribs with the update of the tutorial of CMA-ES.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SPHERE_SEARCHES } from "@mm-ptx/search/yardsticks";
import { Finished } from "./lib/finished.mjs";
import { ROWS, searchRow } from "./lib/illuminating.mjs";
import { runPython } from "./lib/python.mjs";

const TABLE = fileURLToPath(new URL("../out/bench/search-sphere.md", import.meta.url));
const CENTROIDS = fileURLToPath(new URL("../out/bench/centroids.json", import.meta.url));
/** What determines the results. */
const SOURCES = {
  search: /^(archives|emitters|search|spaces\/vector|candidates|draws|normal)/,
  types: /^(code|internal)/,
};
/** Standard errors of the difference of means. */
const MOST_ERRORS = 2;

/**
 * Means and standard deviations of the QD scores of pyribs 0.12.0 by the number of evaluations, and of its coverage at the end, of as many
 * seeds as ours. CMA-MAE: the figures of pyribs' tutorial, of one run.
 */
const PYRIBS = {
  ...Object.fromEntries(SPHERE_SEARCHES.map(({ key, scores, coverage }) => [key, { ...scores, coverage }])),
  cma20: { 54000: [46.17, 1.05], 108000: [56.28, 0.61], coverage: [71.24] },
  mae100: { 270000: [43.46], coverage: [52.55] },
};

/** @param {readonly number[]} values */
function statistics(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [mean, Math.sqrt(squares / Math.max(1, values.length - 1))];
}

/** Means and deviations of a row, as in `PYRIBS`. */
function summary(results) {
  const last = results[0].length - 1;
  const scores = results[0].map(({ evaluations }, at) => [
    evaluations,
    statistics(results.map((each) => each[at].score)),
  ]);
  return {
    ...Object.fromEntries(scores),
    coverage: statistics(results.map((each) => each[last].coverage)),
  };
}

function compare(row, ours, theirs) {
  const points = [
    ...row.evaluations.map((count) => [count, `QD score a cell at ${count.toLocaleString("en")}`]),
  ];
  points.push(["coverage", "coverage at the end, %"]);
  return points.map(([point, what]) => {
    const [mean, deviation] = ours[point];
    const [yardstick, other] = theirs?.[point] ?? [];
    const name = `${row.name}, ${what}`;
    const text = `${name} (${mean.toFixed(2)} +- ${deviation.toFixed(2)}${yardstick === undefined ? "" : `; pyribs ${yardstick.toFixed(2)}${other === undefined ? "" : ` +- ${other.toFixed(2)}`}`})`;
    if (other === undefined) return { name: text, ours: mean, yardstick };
    // Both means are of as many seeds.
    const error = Math.sqrt((deviation ** 2 + other ** 2) / row.seeds);
    const ratio = (mean - yardstick) / error;
    return {
      name: text,
      ours: mean,
      yardstick,
      ratio,
      budget: MOST_ERRORS,
      pass: Math.abs(ratio) <= MOST_ERRORS,
    };
  });
}

/**
 * What pyribs finds, if it can be installed, for the rows that it is run for here.
 *
 * @param {string} key
 * @param {import("./lib/illuminating.mjs").Row} row
 */
async function anchor(finished, key, { problem, seeds }) {
  const { centroids } = problem.archive();
  if (centroids !== undefined) writeFileSync(CENTROIDS, JSON.stringify([...centroids]));
  const results = [];
  for (let seed = 0; seed < seeds; seed++) {
    const found = await finished.result(`${key} ${seed}`, () =>
      runPython("pyribs.py", [key, seed, CENTROIDS]),
    );
    if (found === undefined) return undefined;
    results.push(
      Object.entries(found).map(([count, [score, coverage]]) => ({
        evaluations: Number(count),
        score,
        coverage,
      })),
    );
  }
  return summary(results);
}

export async function run() {
  const finished = new Finished("search-sphere", SOURCES);
  const anchors = new Finished("search-sphere-pyribs", {});
  const rows = [];
  for (const [key, row] of Object.entries(ROWS)) {
    const results = [];
    for (let seed = 0; seed < row.seeds; seed++) {
      results.push(await finished.result(`${key} ${seed}`, () => searchRow(row, seed)));
    }
    rows.push(...compare(row, summary(results), PYRIBS[key] ?? (await anchor(anchors, key, row))));
  }
  const lines = rows.map(
    ({ name, ratio, pass }) =>
      `| ${name} | ${ratio === undefined ? "" : ratio.toFixed(1)} | ${pass === undefined ? "" : pass ? "met" : "missed"} |`,
  );
  writeFileSync(
    TABLE,
    ["| search | difference in standard errors | |", "|---|---|---|", ...lines, ""].join("\n"),
  );
  return rows;
}
