// Searches for the Feynman equations and the bonus equations without noise, from 1,000 points. Each finished problem is stored; the
// named benchmark goes on with the others:
//   npm run bench -- search-feynman
// MM_PTX_SECONDS is the time for each problem on each thread (60), counted as CPU time, so that other work of the machine does not
// matter; MM_PTX_WORKERS the number of threads (2); MM_PTX_ONLY a list of problems, each of which begins a name; MM_PTX_SEED the seed (1);
// MM_PTX_MAP=0 searches without a map: one equation of each complexity.

import { Regression } from "@mm-ptx/search/regress";
import { formulaOf, functions, isEqualFormula, problems, rowsOf } from "@mm-ptx/search/yardsticks";
import { withSimpleConstants } from "./lib/simple-constants.mjs";
import { isNamed, stored } from "./lib/stored.mjs";

const NAME = "search-feynman";
const SECONDS = Number(process.env.MM_PTX_SECONDS ?? 60);
const WORKERS = Number(process.env.MM_PTX_WORKERS ?? 2);
const ONLY = process.env.MM_PTX_ONLY?.split(",");
const SEED = Number(process.env.MM_PTX_SEED ?? 1);
const HAS_MAP = process.env.MM_PTX_MAP !== "0";
/** A search ends when 1 - R² is below this: f32 has not much more. */
const EXACT = 1e-13;
/** The simplest equation is taken of those whose loss on held-out rows is at most 10 times the least. */
const NEAR_BEST = 10;
const R2 = 0.999;
const R2_BUDGET = 93;
const EXACT_BUDGET = 56;
/** The best that SRBench has for R² on test rows, and for exact formulas (Operon and AI Feynman), in percent. */
const PUBLISHED = { r2: 86.2, exact: 55.8 };

/** Those that SRBench has: not the three with arcsine or arccosine, nor II.11.17, which the data sets of PMLB lack. */
const chosen = problems.filter(({ set, outside }) => set.startsWith("feynman") && outside === undefined);

/** R² in f64 at points that the search has not seen. */
function testedR2(problem, formula, seed) {
  const { names, columns, target } = rowsOf(problem, seed, "fresh");
  const value = formulaOf(formula, names);
  const mean = target.reduce((sum, each) => sum + each, 0) / target.length;
  let [errors, squares] = [0, 0];
  for (let row = 0; row < target.length; row++) {
    const error = value(columns.map((column) => column[row])) - target[row];
    errors += error * error;
    squares += (target[row] - mean) ** 2;
  }
  return 1 - errors / squares;
}

export async function fitProblem(problem, seed) {
  const { names, columns, target } = rowsOf(problem, seed);
  const began = process.cpuUsage();
  const spent = () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e6;
  };
  const regression = new Regression({
    inputs: names,
    columns,
    target,
    functions: functions[problem.functions].filter((name) => name !== "constant"),
    constraints: { nesting: [{ outer: ["sin", "cos"], inner: ["sin", "cos"] }] },
    map: HAS_MAP,
    seed,
    workers: WORKERS,
    ahead: 1,
  });
  const { search } = regression;
  for await (const event of search.run({ target: -EXACT })) {
    void event;
    if (spent() >= SECONDS * WORKERS) break;
  }
  const seconds = spent();
  const front = await regression.front();
  const least = Math.min(...front.map(({ heldOut }) => heldOut));
  const found = front.find(({ heldOut }) => heldOut <= NEAR_BEST * least);
  const formulas = [found.formula, withSimpleConstants(found.formula)];
  return {
    r2: testedR2(problem, found.formula, seed),
    isExact: formulas.some((formula) => isEqualFormula(problem, formula, seed)),
    formula: found.formula,
    loss: found.loss,
    evaluations: search.evaluations,
    seconds,
    limit: SECONDS * WORKERS,
  };
}

const percent = (list, fits) => (100 * list.filter(fits).length) / list.length;

export async function run() {
  const results = stored(NAME);
  const keyOf = ({ name }) => `${name}/${SEED}/${SECONDS * WORKERS}/${HAS_MAP ? "map" : "front"}`;
  if (isNamed(NAME)) {
    for (const problem of chosen) {
      const key = keyOf(problem);
      const isWanted = ONLY?.some((start) => problem.name.startsWith(start)) ?? true;
      if (!isWanted || results.get(key) !== undefined) continue;
      const result = await fitProblem(problem, SEED);
      results.put(key, result);
      const { r2, isExact, seconds, formula } = result;
      console.error(
        `${key}: ${isExact ? "exact" : r2 > R2 ? "good" : "missed"}, R² ${r2.toFixed(6)} after ${seconds.toFixed(1)} CPU s: ${formula}`,
      );
    }
  }
  const done = chosen.filter((problem) => results.get(keyOf(problem)) !== undefined);
  if (done.length === 0) return [];
  const found = done.map((problem) => results.get(keyOf(problem)));
  const missed = done.filter((_, index) => !(found[index].r2 > R2)).map(({ name }) => name);
  const inexact = done.filter((_, index) => !found[index].isExact).map(({ name }) => name);
  console.error(`R² of at most ${R2}: ${missed.join(", ")}\nnot exact: ${inexact.join(", ")}`);
  const seconds = found.map((each) => each.seconds).sort((a, b) => a - b);
  const what = `Feynman${HAS_MAP ? "" : " without a map"}, ${done.length} of ${chosen.length} problems, ${SECONDS} s on ${WORKERS}`;
  const isWhole = done.length === chosen.length && HAS_MAP;
  const row = (name, ours, yardstick, budget) => ({
    name: `${what}: ${name}`,
    ...{ ours, yardstick, ratio: ours / yardstick, budget, unit: "%", hard: false },
    pass: isWhole ? ours >= budget : undefined,
  });
  return [
    row(
      `R² > ${R2} on test points`,
      percent(found, ({ r2 }) => r2 > R2),
      PUBLISHED.r2,
      R2_BUDGET,
    ),
    row(
      "exact",
      percent(found, ({ isExact }) => isExact),
      PUBLISHED.exact,
      EXACT_BUDGET,
    ),
    {
      name: `${what}: CPU time of a problem, median`,
      ours: seconds[seconds.length >> 1],
      unit: "s",
      hard: false,
    },
  ];
}
