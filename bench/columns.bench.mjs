// Programs on columns of data: what a program that was not seen before costs, from its words to its loss, on one thread. pyoperon
// runs its whole search, without tuning, with the same operators and rows; gplearn does too; numexpr and numba evaluate expressions
// of the same size and their loss.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./lib/measure.mjs";
import { runPython } from "./lib/python.mjs";

const ROUNDS = 3;
const MILLION = 1e6;
const EVALUATING = new URL("lib/evaluating.mjs", import.meta.url);
const EVALUATING_THREADS = new URL("lib/evaluating-threads.mjs", import.meta.url);
const EVALUATING_STACK = new URL("lib/evaluating-stack.mjs", import.meta.url);

/** What the script prints, of the round with the median of its figures. */
function measured(script, args, theirs) {
  const path = fileURLToPath(script);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(
      JSON.parse(execFileSync(process.execPath, [path, ...args.map(String)], { encoding: "utf8" })),
    );
    theirs?.(round);
  }
  const middle = median(rounds.map(({ microseconds }) => microseconds));
  return rounds.find(({ microseconds }) => microseconds === middle);
}

/** A row whose budget is an absolute figure. */
const absolute = (name, ours, bar) => ({
  name,
  ours,
  yardstick: bar,
  ratio: ours / bar,
  budget: 1,
  unit: "us",
  pass: ours <= bar,
  hard: true,
});

function compared(rows, evaluations, perSecond) {
  const times = [];
  const { microseconds } = measured(EVALUATING, ["division", rows], () => {
    const result = runPython("regression.py", ["operon", rows, 0, evaluations]);
    if (result !== undefined) times.push(result.microseconds);
  });
  const speed = Math.round(MILLION / microseconds / 1000);
  const name = `new programs of 24 nodes, ${rows} rows of 5, MSE: ${speed} k/s`;
  const list = [absolute(`${name} (yardstick: ${perSecond / 1000} k/s)`, microseconds, MILLION / perSecond)];
  if (times.length > 0) {
    const theirs = median(times);
    const ratio = microseconds / theirs;
    list.push({
      name: `${name} (yardstick: a program of pyoperon)`,
      ours: microseconds,
      yardstick: theirs,
      ratio,
      budget: 0.5,
      unit: "us",
      pass: ratio <= 0.5,
      hard: true,
    });
  }
  return list;
}

function nodes(rows, least) {
  const { microseconds, nodes: count, nodesPerSecond } = measured(EVALUATING, ["fma", rows]);
  const speed = (nodesPerSecond / 1e9).toFixed(1);
  return absolute(
    `add, sub, mul, fma on ${rows.toLocaleString("en")} rows: ${speed} G nodes/s (yardstick: ${least} G)`,
    microseconds,
    (count * rows) / (least * 1000),
  );
}

/** Figures of others, which have no budget. */
function others() {
  return ["gplearn", "numexpr", "numba"].flatMap((name) => {
    const result = runPython("regression.py", [name, 1000]);
    return result === undefined
      ? []
      : [{ name: `${name}, 1000 rows of 5`, ours: result.microseconds, unit: "us" }];
  });
}

/** Two threads against one, and what each kind of loss costs. */
function threadsAndLosses(rows) {
  const path = fileURLToPath(EVALUATING_THREADS);
  const { threads, losses } = JSON.parse(
    execFileSync(process.execPath, [path, String(rows)], { encoding: "utf8" }),
  );
  const [one, two] = threads;
  const budget = 1 / 1.9;
  return [
    {
      name: `200,000 new programs of 24 nodes, ${rows} rows of 5, two workers: ${(one / two).toFixed(2)} times one (yardstick: one thread)`,
      ours: two,
      yardstick: one,
      ratio: two / one,
      budget,
      unit: "ms",
      pass: two / one <= budget,
      hard: true,
    },
    ...losses.map(({ name, microseconds }) => ({
      name: `new programs of 24 nodes, ${rows} rows of 5, evaluation: ${name}`,
      ours: microseconds,
      unit: "us",
    })),
  ];
}

export async function run() {
  return [
    ...compared(1000, 200_000, 150_000),
    ...compared(20, 500_000, 500_000),
    nodes(1000, 4),
    nodes(10_000, 5),
    ...["f32", "u32"].map((set) => {
      const { microseconds } = measured(EVALUATING_STACK, [set, 1024]);
      return absolute(`Stack PTX, ${set}, ten live lines, 1,024 rows (yardstick: 12 us)`, microseconds, 12);
    }),
    ...threadsAndLosses(1000),
    ...others(),
  ];
}
