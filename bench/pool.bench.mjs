// The compile pool against threads that do nothing but call nvPTXCompiler: the same PTX, options and number of threads,
// in interleaved pairs, because the machine's speed drifts. And what the event loop notices of it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { PtxCompiler } from "@mm-ptx/cuda";
import { straightLineKernel } from "./lib/kernels.mjs";
import { median } from "./lib/measure.mjs";

const ARCH = "sm_90";
const PAIRS = 9;
const BARE_LOOP = fileURLToPath(new URL("../native/build/bare_loop", import.meta.url));
/** Kernels of about 1, 20 and 200 KB; as many jobs as take about half a second on two cores. */
const SIZES = [
  { name: "1 KB", instructions: 20, files: 50, jobs: 200 },
  { name: "20 KB", instructions: 700, files: 10, jobs: 40 },
  { name: "200 KB", instructions: 7000, files: 2, jobs: 6 },
];
const BUDGET = 0.97;
const DELAY_BUDGET_MS = 5;

export async function run() {
  if (!existsSync(BARE_LOOP))
    throw new Error("expected native/build/bare_loop, found none: run `npm run setup`");
  const rows = [];
  for (const size of SIZES) rows.push(await pairs(size));
  rows.push(await eventLoopDelay());
  return rows;
}

async function pairs({ name, instructions, files, jobs }) {
  const threads = availableParallelism();
  const texts = Array.from({ length: files }, (_, seed) => straightLineKernel(seed, instructions));
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  let compiler;
  try {
    const paths = texts.map((text, i) => {
      const path = join(folder, `${i}.ptx`);
      writeFileSync(path, text);
      return path;
    });
    const work = Array.from({ length: jobs }, (_, i) => ({ ptx: texts[i % files] }));
    compiler = new TimedCompiler(threads);
    await compiler.all(work.slice(0, 2 * threads));
    const samples = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      // Every second pair the other way round, so that drift within a pair cancels out.
      const order = pair % 2 === 0 ? ["bare", "pool"] : ["pool", "bare"];
      const milliseconds = {};
      for (const which of order) {
        milliseconds[which] = which === "bare" ? bareLoop(threads, jobs, paths) : await compiler.all(work);
      }
      samples.push(milliseconds);
    }
    const ratio = median(samples.map(({ bare, pool }) => bare / pool));
    return {
      name: `compile pool against bare loop, ${name} kernels, ${threads} threads`,
      ours: (1000 * jobs) / median(samples.map(({ pool }) => pool)),
      yardstick: (1000 * jobs) / median(samples.map(({ bare }) => bare)),
      ratio,
      budget: BUDGET,
      reference: null,
      unit: "compiles/s",
      pass: ratio >= BUDGET,
      hard: true,
    };
  } finally {
    compiler?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function eventLoopDelay() {
  const jobs = Array.from({ length: 1000 }, (_, i) => ({ ptx: straightLineKernel(i, 20) }));
  const compiler = new TimedCompiler(availableParallelism());
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await compiler.all(jobs);
  histogram.disable();
  compiler.dispose();
  const p99 = histogram.percentile(99) / 1e6;
  return {
    name: "event loop delay p99 while 1,000 kernels compile",
    ours: p99,
    yardstick: 1,
    ratio: p99,
    budget: DELAY_BUDGET_MS,
    reference: null,
    unit: "ms",
    pass: p99 < DELAY_BUDGET_MS,
    hard: true,
  };
}

/** A compiler that times its runs. */
class TimedCompiler {
  #compiler;

  constructor(workers) {
    this.#compiler = new PtxCompiler({ arch: ARCH, backend: "in-process", workers });
  }

  /** Milliseconds for all jobs. */
  async all(jobs) {
    const start = performance.now();
    const results = await this.#compiler.compileAll(jobs);
    const time = performance.now() - start;
    const failed = results.find(({ ok }) => !ok);
    if (failed !== undefined) throw failed.error;
    return time;
  }

  dispose() {
    this.#compiler[Symbol.dispose]();
  }
}

function bareLoop(threads, jobs, paths) {
  return JSON.parse(execFileSync(BARE_LOOP, [ARCH, `${threads}`, `${jobs}`, ...paths], { encoding: "utf8" }))
    .milliseconds;
}
