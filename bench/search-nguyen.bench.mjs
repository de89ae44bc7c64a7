// Recovers the formulas of Nguyen, Nguyen with constants, Jin and Livermore from 20 points (as many as published), with at most 2,000,000
// evaluations a run, on one thread. Each finished run is stored; the named benchmark goes on with the others:
//   npm run bench -- search-nguyen
// MM_PTX_RUNS is the number of runs of each problem (30), MM_PTX_ONLY a list of problems or sets, each of which begins a name.

import { problemsOf, recover, sets } from "@mm-ptx/search/yardsticks";
import { isNamed, stored } from "./lib/stored.mjs";

const NAME = "search-nguyen";
const RUNS = Number(process.env.MM_PTX_RUNS ?? 30);
const ONLY = process.env.MM_PTX_ONLY?.split(",");

/** What is demanded of each set, in percent, and the CPU seconds of a run that are published. */
const DEMANDED = {
  nguyen: { budget: 93, seconds: 157.9 },
  "nguyen-constants": { budget: 100 },
  jin: { budget: 100 },
  livermore: { budget: 71 },
};
const SETS = Object.entries(sets).map(([set, { title, published }]) => ({
  ...{ set, title, best: Math.max(...Object.values(published)) },
  ...DEMANDED[set],
}));
/** CPU seconds of a run of Nguyen, on average. */
const SECONDS_BUDGET = 5;

const chosen = SETS.flatMap(({ set }) => problemsOf(set));

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export async function run() {
  const results = stored(NAME);
  if (isNamed(NAME)) {
    for (let seed = 1; seed <= RUNS; seed++) {
      for (const problem of chosen) {
        const key = `${problem.name}/${seed}`;
        const isWanted =
          ONLY?.some((start) => problem.name.startsWith(start) || problem.set === start) ?? true;
        if (!isWanted || results.get(key) !== undefined) continue;
        const result = await recover(problem, seed);
        results.put(key, result);
        const { isRecovered, formula, loss, evaluations, seconds } = result;
        console.error(
          `${key}: ${isRecovered ? "recovered" : "missed"} after ${evaluations} evaluations and ${seconds.toFixed(1)} s: ${formula} (1 - R² ${loss?.toExponential(1)})`,
        );
      }
    }
  }
  const rows = [];
  for (const { set, title, best, budget, seconds: published } of SETS) {
    const tables = chosen
      .filter((problem) => problem.set === set)
      .map((problem) => {
        const runs = [];
        for (let seed = 1; seed <= RUNS; seed++) {
          const result = results.get(`${problem.name}/${seed}`);
          if (result !== undefined) runs.push(result);
        }
        return { problem, runs };
      });
    const done = tables.filter(({ runs }) => runs.length > 0);
    if (done.length === 0) continue;
    const rates = done.map(({ runs }) => 100 * mean(runs.map(({ isRecovered }) => Number(isRecovered))));
    const seconds = done.map(({ runs }) => mean(runs.map((each) => each.seconds)));
    for (const [index, { problem, runs }] of done.entries()) {
      const { mcts, nggp, pysr } = problem.published ?? {};
      const others = mcts === undefined ? "" : `; published: MCTS ${mcts}, NGGP ${nggp}, PySR ${pysr}`;
      console.error(
        `${problem.name} ${problem.formula}: ${rates[index].toFixed(0)} % of ${runs.length}, ${seconds[index].toFixed(1)} CPU s${others}`,
      );
    }
    const isWhole = done.length === tables.length && done.every(({ runs }) => runs.length >= RUNS);
    const least = Math.min(...done.map(({ runs }) => runs.length));
    const what = `${done.length} of ${tables.length} problems, ${least} runs each or more`;
    rows.push({
      name: `${title}: recovered (${what})`,
      ours: mean(rates),
      yardstick: best,
      ratio: mean(rates) / best,
      budget,
      unit: "%",
      pass: isWhole ? mean(rates) >= budget : undefined,
      hard: false,
    });
    rows.push({
      name: `${title}: CPU time of a run`,
      ours: mean(seconds),
      yardstick: published,
      ratio: published && mean(seconds) / published,
      budget: set === "nguyen" ? SECONDS_BUDGET : undefined,
      unit: "s",
      pass: isWhole && set === "nguyen" ? mean(seconds) <= SECONDS_BUDGET : undefined,
      hard: false,
    });
  }
  return rows;
}
