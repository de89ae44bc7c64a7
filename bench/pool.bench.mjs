// The compile pool against threads that do nothing but call nvPTXCompiler: the same PTX, options and number of threads,
// in interleaved rounds, because the machine's speed drifts. And what the event loop notices of it.

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
const ROUNDS = 9;
const BARE_LOOP = fileURLToPath(new URL("../native/build/bare_loop", import.meta.url));
/** What the pool sets for its process, in `native/pool/allocator.cpp`. */
const POOL_MALLOC = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=67108864";
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
  for (const size of SIZES) rows.push(...(await rounds(size)));
  rows.push(await eventLoopDelay());
  return rows;
}

async function rounds({ name, instructions, files, jobs }) {
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
    const takers = {
      bare: () => bareLoop(threads, jobs, paths),
      tuned: () => bareLoop(threads, jobs, paths, { GLIBC_TUNABLES: POOL_MALLOC }),
      pool: () => compiler.all(work),
    };
    const samples = [];
    for (let round = 0; round < ROUNDS; round++) {
      // Every second round the other way round, so that drift within a round cancels out.
      const order = Object.keys(takers);
      if (round % 2 === 1) order.reverse();
      const milliseconds = {};
      for (const taker of order) milliseconds[taker] = await takers[taker]();
      samples.push(milliseconds);
    }
    const row = (yardstick, words, hard) => {
      const ratio = median(samples.map((milliseconds) => milliseconds[yardstick] / milliseconds.pool));
      return {
        name: `compile pool against ${words}, ${name} kernels, ${threads} threads`,
        ours: (1000 * jobs) / median(samples.map(({ pool }) => pool)),
        yardstick: (1000 * jobs) / median(samples.map((milliseconds) => milliseconds[yardstick])),
        ratio,
        budget: BUDGET,
        unit: "compiles/s",
        pass: ratio >= BUDGET,
        hard,
      };
    };
    return [
      row("bare", "bare loop", true),
      row("tuned", "bare loop with the pool's malloc thresholds", false),
    ];
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
    // The histogram's own period: what an idle loop shows.
    yardstick: 1,
    ratio: p99,
    budget: DELAY_BUDGET_MS,
    unit: "ms",
    pass: p99 < DELAY_BUDGET_MS,
    hard: true,
  };
}

/** A compiler that times its runs. */
class TimedCompiler {
  #compiler;

  constructor(workers) {
    this.#compiler = new PtxCompiler({ cache: false, arch: ARCH, backend: "in-process", workers });
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

/** Milliseconds for all jobs, in a process of its own. */
function bareLoop(threads, jobs, paths, environment = {}) {
  const args = [ARCH, `${threads}`, `${jobs}`, ...paths];
  const env = { ...process.env, ...environment };
  return JSON.parse(execFileSync(BARE_LOOP, args, { encoding: "utf8", env })).milliseconds;
}
