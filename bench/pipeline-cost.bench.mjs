// The bytes of machine code of 100 alternatives of a site, from a cubin with the lines of its PTX. The yardstick is reading the cubin.

import { inspectCubin } from "@mm-ptx/cuda";
import { expandSites, parsePtx } from "@mm-ptx/inject";
import { codeBytesOfSites } from "@mm-ptx/pipeline";
import { uncached } from "./lib/compiling.mjs";
import { medians } from "./lib/measure.mjs";
import { GRID_KERNEL, programStub } from "./lib/site-kernels.mjs";

const ALTERNATIVES = 100;
const INSTRUCTIONS = 30;
const BUDGET = 2;

export async function run() {
  const rows = [];
  for (const effort of ["final", "draft"]) {
    const { cubin, source } = await compiled(effort);
    const [ours, yardstick] = await medians(
      [() => codeBytesOfSites(cubin, source), () => inspectCubin(cubin)],
      { calls: 1 },
    );
    const ratio = ours / yardstick;
    rows.push({
      name: `bytes of machine code of an alternative, ${ALTERNATIVES} x ${INSTRUCTIONS} lines, ${effort} (yardstick: reading the cubin)`,
      ours: ours / ALTERNATIVES,
      yardstick: yardstick / ALTERNATIVES,
      ratio,
      budget: BUDGET,
      unit: "us",
      pass: ratio <= BUDGET,
      hard: true,
    });
  }
  return rows;
}

async function compiled(effort) {
  const alternatives = expandSites(parsePtx(GRID_KERNEL), "func", ALTERNATIVES);
  const stubs = Array.from({ length: ALTERNATIVES }, (_, i) => [`func_${i}`, programStub(i, INSTRUCTIONS)]);
  const compiler = uncached({ effort, lineInfo: true, workers: 1 });
  try {
    return await compiler.compile(alternatives.fill(Object.fromEntries(stubs)));
  } finally {
    compiler.dispose();
  }
}
