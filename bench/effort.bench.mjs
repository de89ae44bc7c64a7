// The time of a draft relative to a full compile, with one worker on a thread of this process, whose CPU time
// is measured.

import { pack, parsePtx } from "@mm-ptx/inject";
import { uncached } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";
import { programStub, SMALL_KERNEL } from "./lib/site-kernels.mjs";

/** Where the figures that the budget comes from were measured. */
const ARCH = "sm_80";
const ROUNDS = 7;
const BUDGET = 0.5;
const PACKED = 100;
const INSTRUCTIONS = 20;

export async function run() {
  const small = parsePtx(SMALL_KERNEL);
  const stubs = Array.from({ length: PACKED }, (_, seed) => ({ func: programStub(seed, INSTRUCTIONS) }));
  const modules = {
    "a 3 KB kernel": straightLineKernel(1, 100),
    "a 20 KB kernel": straightLineKernel(1, 700),
    "a 200 KB kernel": straightLineKernel(1, 7000),
    [`a pack of ${PACKED} kernels`]: pack(small, stubs).text,
  };
  const compilers = Object.fromEntries(
    ["final", "balanced", "draft"].map((effort) => [
      effort,
      uncached({ arch: ARCH, effort, workers: 1, backend: "in-process" }),
    ]),
  );
  try {
    const rows = [];
    for (const [name, ptx] of Object.entries(modules)) rows.push(...(await compare(name, ptx, compilers)));
    return rows;
  } finally {
    for (const compiler of Object.values(compilers)) compiler.dispose();
  }
}

async function compare(name, ptx, compilers) {
  const least = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [effort, compiler] of Object.entries(compilers)) {
      const before = process.cpuUsage();
      await compiler.compile(ptx);
      const { user, system } = process.cpuUsage(before);
      least[effort] = Math.min(least[effort] ?? Number.POSITIVE_INFINITY, (user + system) / 1000);
    }
  }
  return ["draft", "balanced"].map((effort) => {
    const ratio = least[effort] / least.final;
    // For small kernels, most of the time is the fixed cost of a compile, which does not depend on the
    // effort.
    const budget = effort === "draft" && ptx.length > 10_000 ? BUDGET : undefined;
    return {
      name: `compile ${name} as ${effort} (yardstick: final)`,
      ours: least[effort],
      yardstick: least.final,
      ratio,
      budget,
      unit: "ms",
      pass: budget === undefined ? undefined : ratio <= budget,
    };
  });
}
