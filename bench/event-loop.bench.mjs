// What compiling costs the calling thread: its CPU time for each job, the delay of its timers meanwhile, and its CPU time
// for an error of thousands of messages.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { jobsOf, mainThreadMicroseconds, timeAll, uncached } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";
import { median } from "./lib/measure.mjs";

const TEXTS = 50;
const ROUNDS = 8;
const JOBS = 400;
const JOB_BUDGET_US = 50;
const QUEUED = 10_000;
const SETTLING_MS = 200;
const LISTENING_MS = 2500;
const DELAY_BUDGET_MS = 5;
const WRONG_LINES = 10_000;
const WRONG_ROUNDS = 9;
const WRONG_BUDGET_MS = 20;

export async function run() {
  const texts = Array.from({ length: TEXTS }, (_, seed) => straightLineKernel(seed, 20));
  const rows = [];
  const bare = await delayBesideBusyProcesses();
  for (const backend of ["isolated", "in-process"]) {
    rows.push(await costOfAJob(texts, backend), await delay(texts, backend, bare));
  }
  return [...rows, await wrongLines()];
}

/** One text of which every line is wrong: what its error costs the main thread. */
async function wrongLines() {
  const [head, tail] = straightLineKernel(1, 1).split("\tret;");
  const wrong = Array.from({ length: WRONG_LINES }, (_, i) => `\tadd.f32 %no${i}, %f1, %f2;\n`).join("");
  const text = `${head}${wrong}\tret;${tail}`;
  const compiler = uncached({ backend: "isolated", workers: 1 });
  try {
    const times = [];
    for (let round = 0; round < WRONG_ROUNDS; round++) {
      const before = mainThreadMicroseconds();
      await compiler.compile(`${text}// ${round}\n`).then(
        () => {
          throw new Error("expected the compile to fail");
        },
        () => {},
      );
      times.push((mainThreadMicroseconds() - before) / 1000);
    }
    const ours = median(times);
    const yardstick = Math.min(...times);
    return {
      name: `main thread's time for an error of ${WRONG_LINES} wrong lines (yardstick: the fastest)`,
      ours,
      yardstick,
      ratio: ours / yardstick,
      budget: WRONG_BUDGET_MS,
      unit: "ms",
      pass: ours <= WRONG_BUDGET_MS,
    };
  } finally {
    compiler.dispose();
  }
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
