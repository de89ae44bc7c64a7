// What a model is worth in a search, at equal numbers of evaluations: MAP-Elites over Stack PTX programs without a model, with random
// candidates in excess, screened by models, and with races on a part of the rows. Figures are medians over targets and seeds.
//   MM_PTX_SEEDS  seeds of each of the four targets; 3 by default, and 20 for figures that mean something

import { median } from "./lib/measure.mjs";
import { FILTERS, POINTS, searchOnce, TARGET_COUNT } from "./lib/screened-searches.mjs";

const SEEDS = Number(process.env.MM_PTX_SEEDS ?? 3);
/** The QD score at 1,000 evaluations against none, with as many candidates as pay when an evaluation takes a millisecond. */
const BUDGETS = { "static x16, linear": 1.4, "probes x32": 1.7 };
const BAR = POINTS.indexOf(1000);

export async function run() {
  /** @type {Record<string, Awaited<ReturnType<typeof searchOnce>>[]>} */
  const found = Object.fromEntries(Object.keys(FILTERS).map((filter) => [filter, []]));
  const cpu = Object.fromEntries(Object.keys(FILTERS).map((filter) => [filter, 0]));
  for (let seed = 1; seed <= SEEDS; seed++) {
    for (let target = 0; target < TARGET_COUNT; target++) {
      for (const filter of Object.keys(FILTERS)) {
        const before = process.cpuUsage();
        found[filter].push(await searchOnce(filter, target, seed));
        const { user, system } = process.cpuUsage(before);
        cpu[filter] += (user + system) / 1e6;
      }
    }
  }
  const qd = (filter, point) => median(found[filter].map(({ points }) => points[point].qd));
  const best = (filter) => median(found[filter].map(({ points }) => points.at(-1).best));
  const runs = SEEDS * TARGET_COUNT;
  return Object.keys(FILTERS).flatMap((filter) => {
    const ours = qd(filter, BAR);
    const yardstick = qd("none", BAR);
    const ratio = ours / yardstick;
    const budget = BUDGETS[filter];
    const course = POINTS.map((_, point) => qd(filter, point).toFixed(1)).join(" / ");
    const share = found[filter].reduce((sum, { filtered }) => sum + filtered, 0) / runs;
    return [
      {
        name: `${filter}: QD at 1,000 evaluations, ${runs} runs; at ${POINTS.join(", ")}: ${course}; batches screened: ${(100 * share).toFixed(0)} %`,
        ...{ ours, yardstick, ratio },
        ...(budget !== undefined && { budget, pass: ratio >= budget }),
      },
      {
        name: `${filter}: best after ${POINTS.at(-1)}; CPU of all runs ${cpu[filter].toFixed(1)} s`,
        ...{ ours: best(filter), yardstick: best("none"), ratio: best(filter) / best("none") },
        ...(budget !== undefined && { budget: 1, pass: best(filter) >= best("none") }),
      },
    ];
  });
}
