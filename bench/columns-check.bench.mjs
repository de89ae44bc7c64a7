// checkAll: a code of ten instructions against another one, on consecutive inputs, compared with a loop in JavaScript that computes and
// compares the same; and the time for all 2^32 inputs on two cores, extrapolated from the processor time that two workers take for 2^24.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("lib/checking.mjs", import.meta.url));
const INPUTS = 2 ** 32;
const BUDGET = 1.5;
const CORES = 2;
/** Seconds. */
const ALL = 30;

export async function run() {
  const { one, two, loop } = JSON.parse(execFileSync(process.execPath, [SCRIPT], { encoding: "utf8" }));
  const all = (two * INPUTS) / CORES / 1e9;
  return [
    {
      name: "checkAll, a code of ten instructions, an input (yardstick: a loop in JavaScript)",
      ours: one,
      yardstick: loop,
      ratio: one / loop,
      budget: BUDGET,
      unit: "ns",
      pass: one / loop <= BUDGET,
      hard: true,
    },
    {
      name: "checkAll, 2^32 inputs on two cores, extrapolated (yardstick: 30 s)",
      ours: all,
      yardstick: ALL,
      ratio: all / ALL,
      budget: 1,
      unit: "s",
      pass: all <= ALL,
      hard: false,
    },
  ];
}
