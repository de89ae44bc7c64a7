// What compiling costs the calling thread: its CPU time for each job, and the delay of its timers meanwhile.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { jobsOf, mainThreadMicroseconds, timeAll, uncached } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";

const TEXTS = 50;
const ROUNDS = 8;
const JOBS = 400;
const JOB_BUDGET_US = 50;
const QUEUED = 10_000;
const SETTLING_MS = 200;
const LISTENING_MS = 2500;
const DELAY_BUDGET_MS = 5;

export async function run() {
  const texts = Array.from({ length: TEXTS }, (_, seed) => straightLineKernel(seed, 20));
  const rows = [];
  const bare = await delayBesideBusyProcesses();
  for (const backend of ["isolated", "in-process"]) {
    rows.push(await costOfAJob(texts, backend), await delay(texts, backend, bare));
  }
  return rows;
}

async function costOfAJob(texts, backend) {
  const compiler = uncached({ backend, workers: availableParallelism() });
  const jobs = jobsOf(texts, JOBS);
  try {
    await timeAll(compiler, jobs);
    let [least, milliseconds] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < ROUNDS; round++) {
      const before = mainThreadMicroseconds();
      milliseconds = Math.min(milliseconds, await timeAll(compiler, jobs));
      least = Math.min(least, (mainThreadMicroseconds() - before) / JOBS);
    }
    const compile = (1000 * milliseconds) / JOBS;
    return {
      name: `main thread's time for a job, ${backend} (yardstick: all of a compile on ${availableParallelism()} workers)`,
      ours: least,
      yardstick: compile,
      ratio: least / compile,
      budget: JOB_BUDGET_US,
      unit: "us",
      pass: least <= JOB_BUDGET_US,
    };
  } finally {
    compiler.dispose();
  }
}

/** The delay of an idle event loop that the system's scheduler causes while every core is busy. */
async function delayBesideBusyProcesses() {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  try {
    await setTimeout(SETTLING_MS);
    return await delayP99();
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
}

/** The 99th percentile of the delays from now on, in milliseconds. */
async function delayP99() {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await setTimeout(LISTENING_MS);
  histogram.disable();
  return histogram.percentile(99) / 1e6;
}

async function delay(texts, backend, bare) {
  const compiler = uncached({ backend, workers: availableParallelism() });
  try {
    await timeAll(compiler, jobsOf(texts, TEXTS));
    // Submitted one by one, because `compileAll` only queues as many jobs as its workers need. Jobs that are
    // still queued when the compiler is disposed fail.
    for (const { ptx } of jobsOf(texts, QUEUED)) compiler.compile(ptx).catch(() => {});
    await setTimeout(SETTLING_MS);
    const { queued } = compiler.stats;
    if (queued < QUEUED / 2) throw new Error(`expected ${QUEUED} jobs in the queue, found ${queued}`);
    const p99 = await delayP99();
    return {
      name: `event loop delay p99 with ${QUEUED.toLocaleString("en")} jobs queued, ${backend} (yardstick: an idle loop beside as many busy processes)`,
      ours: p99,
      yardstick: bare,
      ratio: p99 / bare,
      budget: DELAY_BUDGET_MS,
      unit: "ms",
      pass: p99 < DELAY_BUDGET_MS,
      hard: true,
    };
  } finally {
    compiler.dispose();
  }
}
