// fitConstants: five iterations of Levenberg and Marquardt's method for a program that was not seen before, on one thread. pyoperon runs
// its whole search, which tunes each program by as many iterations.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./lib/measure.mjs";
import { runPython } from "./lib/python.mjs";

const SCRIPT = fileURLToPath(new URL("lib/fitting.mjs", import.meta.url));
const ROWS = 1000;
const ITERATIONS = 5;
const ROUNDS = 3;
/** Programs of a search of pyoperon. */
const EVALUATIONS = 100_000;
/** Microseconds: 15,000 programs a second. */
const BAR = 1e6 / 15_000;

const KINDS = { mse: "MSE", nmse: "with linear scaling" };

function fitted(kind) {
  const times = Array.from({ length: ROUNDS }, () => {
    const text = execFileSync(process.execPath, [SCRIPT, String(ROWS), kind], { encoding: "utf8" });
    return JSON.parse(text).microseconds;
  });
  const microseconds = median(times);
  return {
    name: `constants of new programs of 24 nodes, ${ITERATIONS} iterations, ${ROWS} rows of 5, ${KINDS[kind]}: ${(1000 / microseconds).toFixed(1)} k/s (yardstick: 15 k/s)`,
    ours: microseconds,
    yardstick: BAR,
    ratio: microseconds / BAR,
    budget: 1,
    unit: "us",
    pass: microseconds <= BAR,
    hard: true,
  };
}

export async function run() {
  const theirs = runPython("regression.py", ["operon", ROWS, ITERATIONS, EVALUATIONS]);
  return [
    ...Object.keys(KINDS).map(fitted),
    ...(theirs === undefined
      ? []
      : [
          {
            name: `pyoperon, ${ITERATIONS} iterations, ${ROWS} rows of 5, a program`,
            ours: theirs.microseconds,
            unit: "us",
          },
        ]),
  ];
}
