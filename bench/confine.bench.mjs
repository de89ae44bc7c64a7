// What confinement costs: the CPU time and the throughput of compiles with workers that are confined and workers that
// are not, in interleaved pairs, and the start of a worker. The CPU time is that of all of this process's children, read
// when their compilers are disposed.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { jobsOf, medianOf, timeAll, uncached } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";
import { median } from "./lib/measure.mjs";

const PAIRS = 9;
const JOBS = 300;
const STARTS = 15;
const CPU_BUDGET = 1.01;
const THROUGHPUT_BUDGET = 0.97;
const START_BUDGET_MS = 10;

export async function run() {
  const texts = Array.from({ length: 50 }, (_, seed) => straightLineKernel(seed, 20));
  const jobs = jobsOf(texts, JOBS);
  const samples = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    // Neither is always the first.
    const [first, second] = pair % 2 === 0 ? ["auto", false] : [false, "auto"];
    const one = await measured(jobs, first);
    const other = await measured(jobs, second);
    samples.push(first === false ? { free: one, confined: other } : { free: other, confined: one });
  }
  const cpu = medianOf(samples, ({ free, confined }) => confined.cpu / free.cpu);
  const speed = medianOf(samples, ({ free, confined }) => free.milliseconds / confined.milliseconds);
  const of = (how, what) => medianOf(samples, (sample) => sample[how][what]);
  const [confined, free] = await starts(texts[0]);
  return [
    row("CPU time of 300 confined compiles of 1 KB (yardstick: not confined)", {
      ours: of("confined", "cpu"),
      yardstick: of("free", "cpu"),
      ratio: cpu,
      budget: CPU_BUDGET,
      pass: cpu <= CPU_BUDGET,
    }),
    row("their throughput (yardstick: not confined)", {
      ours: (1000 * JOBS) / of("confined", "milliseconds"),
      yardstick: (1000 * JOBS) / of("free", "milliseconds"),
      ratio: speed,
      budget: THROUGHPUT_BUDGET,
      unit: "compiles/s",
      pass: speed >= THROUGHPUT_BUDGET,
    }),
    row("the first compile of a compiler (yardstick: not confined; the budget is the difference)", {
      ours: confined,
      yardstick: free,
      ratio: confined / free,
      budget: START_BUDGET_MS,
      pass: confined - free <= START_BUDGET_MS,
    }),
  ];
}

const row = (name, figures) => ({ name, unit: "ms", ...figures });

async function measured(jobs, confine) {
  const before = childrenMilliseconds();
  const compiler = uncached({ backend: "isolated", workers: availableParallelism(), confine });
  try {
    await timeAll(compiler, jobs.slice(0, 20));
    const milliseconds = await timeAll(compiler, jobs);
    await compiler.disposeAsync();
    return { milliseconds, cpu: childrenMilliseconds() - before };
  } finally {
    compiler.dispose();
  }
}

/** The milliseconds until the first cubin, confined and not. */
async function starts(text) {
  const times = { auto: [], false: [] };
  for (let round = 0; round < STARTS; round++) {
    for (const confine of ["auto", false]) {
      const compiler = uncached({ backend: "isolated", workers: 1, confine });
      const start = performance.now();
      await compiler.compile(text);
      times[confine].push(performance.now() - start);
      await compiler.disposeAsync();
    }
  }
  return [median(times.auto), median(times.false)];
}

/** The CPU time of all children of this process that have ended (`cutime` and `cstime` of proc(5)). */
function childrenMilliseconds() {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[13]) + Number(fields[14]));
}
