// Checking PTX for the emulator: 5,000 lines of straight-line code, and nvcc's output. The yardstick is the
// time that the PTX reader takes to resolve the names of the same text, which the check needs anyway.

import { readFileSync } from "node:fs";
import { checkProgram } from "@mm-ptx/emulator";
import { readModule } from "@mm-ptx/ptx";
import { straightLineKernel } from "./lib/kernels.mjs";
import { medians } from "./lib/measure.mjs";

const KERNEL = new URL("../tests/kernels/semiring/macro.ptx", import.meta.url);
const BUDGET = 8;

export async function run() {
  const texts = {
    "5,000 lines": straightLineKernel(1, 5_000),
    "nvcc's PTX": readFileSync(KERNEL, "latin1"),
  };
  const rows = [];
  for (const [name, text] of Object.entries(texts)) {
    const calls = [() => checkProgram(text), () => readModule(text).names.uses];
    const [ours, yardstick] = await medians(calls, { calls: 1 });
    const ratio = ours / yardstick;
    rows.push({
      name: `check of ${name} (yardstick: reading it with its names)`,
      ours,
      yardstick,
      ratio,
      budget: BUDGET,
      reference: undefined,
      unit: "us",
      pass: ratio <= BUDGET,
    });
  }
  return rows;
}
