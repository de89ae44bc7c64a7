// Whole searches on columns, candidate by candidate: made, compared with earlier ones, compiled, evaluated and archived. pyoperon and
// gplearn search with the same operators and rows, on one thread too.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./lib/measure.mjs";
import { runPython } from "./lib/python.mjs";

const ROUNDS = 3;
const MILLION = 1e6;
const SEARCHING = fileURLToPath(new URL("lib/searching.mjs", import.meta.url));

/** The round with the median of a figure. */
function measured(args, figure = "microseconds", other = () => undefined) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(
      JSON.parse(execFileSync(process.execPath, [SEARCHING, ...args.map(String)], { encoding: "utf8" })),
    );
    other();
  }
  const middle = median(rounds.map((each) => each[figure]));
  return rounds.find((each) => each[figure] === middle);
}

const speed = (microseconds) => `${Math.round(MILLION / microseconds / 1000)} k/s`;

/** A row whose bar is a number of evaluations a second. */
function atLeast(name, { microseconds, nodes }, perSecond) {
  return {
    name: `${name}, ${nodes.toFixed(1)} nodes: ${speed(microseconds)} of CPU time (yardstick: ${perSecond / 1000} k/s)`,
    ours: microseconds,
    yardstick: MILLION / perSecond,
    ratio: (microseconds * perSecond) / MILLION,
    budget: 1,
    unit: "us",
    pass: microseconds <= MILLION / perSecond,
    hard: true,
  };
}

function against(name, ours, theirs, times) {
  if (theirs.length === 0) return [];
  const yardstick = median(theirs);
  const ratio = ours / yardstick;
  return [
    { name, ours, yardstick, ratio, budget: 1 / times, unit: "us", pass: ratio <= 1 / times, hard: true },
  ];
}

function withPython(args) {
  const times = [];
  return {
    times,
    run: () => {
      const result = runPython("regression.py", args);
      if (result !== undefined) times.push(result.microseconds);
    },
  };
}

export async function run() {
  const operon = withPython(["operon", 1000, 0, 200_000]);
  const gplearn = withPython(["gplearn", 1000]);
  const plain = measured([1000, 400_000, 1], "microseconds", operon.run);
  gplearn.run();
  const few = measured([20, 2_000_000, 1]);
  const tuning = withPython(["operon", 1000, 5, 20_000]);
  const tuned = measured([1000, 60_000, 1, 5], "microseconds", tuning.run);
  const [one, two] = [1, 2].map((workers) => measured([1000, 1_000_000, workers], "wall").wall);
  return [
    atLeast("a search on 1,000 rows of 5", plain, 100_000),
    ...against("the same (yardstick: an individual of pyoperon)", plain.microseconds, operon.times, 1.3),
    ...against("the same (yardstick: a program of gplearn)", plain.microseconds, gplearn.times, 40),
    atLeast("a search on 20 rows of 5", few, 400_000),
    atLeast("a search on 1,000 rows, constants fitted in 5 iterations", tuned, 15_000),
    ...against("the same (yardstick: pyoperon, 5 iterations)", tuned.microseconds, tuning.times, 1),
    {
      name: `a search on 1,000 rows, two workers: ${(one / two).toFixed(2)} times one (yardstick: one thread)`,
      ours: two,
      yardstick: one,
      ratio: two / one,
      budget: 1 / 1.9,
      unit: "us",
      pass: two / one <= 1 / 1.9,
      hard: true,
    },
  ];
}
