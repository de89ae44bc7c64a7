// How long it takes until the jobs of a killed worker are answered, and a job that kills every worker among a thousand others.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { FarmCompiler } from "@mm-ptx/farm";
import { atMost } from "./at-most.mjs";
import { ARCH } from "./compiling.mjs";
import { straightLineKernel } from "./kernels.mjs";
import { largeKernel } from "./large-kernel.mjs";

const POISON = fileURLToPath(new URL("../../packages/farm/test/support/poison.mjs", import.meta.url));
const QUEUED = 300;
/** It takes seconds to compile. */
const LONG = { lines: 20_000, blocks: 1000 };
const GOOD = 1000;
/** When the server hands out a parcel again, and how often. */
const ACK_WAIT_MS = 3000;
const MOST_DELIVERIES = 4;
const BUDGETS = { queued: 3500, single: 1000, poison: MOST_DELIVERIES * ACK_WAIT_MS + 2000 };
const EMPTY_MS = 5000;

/**
 * @param {object} place
 * @param {string} place.main the command line
 * @param {string} place.servers of a farm without workers
 * @param {object} place.env variables of workers
 */
export async function deathRows({ main, servers, env }) {
  const farm = new FarmCompiler({ arch: ARCH, cache: false, servers, local: "never" });
  const workers = new Set();
  const begin = async (...nodeFlags) => {
    const words = [...nodeFlags, main, "worker", "--servers", servers];
    const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "inherit"] });
    workers.add(child);
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    return child;
  };
  const endAll = async () => {
    const running = [...workers].filter((each) => each.exitCode === null && each.signalCode === null);
    workers.clear();
    for (const each of running) each.kill("SIGKILL");
    await Promise.all(running.map((each) => once(each, "exit")));
  };
  try {
    const rows = [];
    for (const measure of [queued, single, poison]) {
      rows.push(...(await measure(farm, begin, () => waiting(main, servers))));
      await endAll();
    }
    return rows;
  } finally {
    farm.dispose();
    await endAll();
  }
}

const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function queued(farm, begin) {
  const [victim] = [await begin(), await begin()];
  const texts = Array.from({ length: QUEUED }, (_, i) => straightLineKernel(70_000 + i, 20));
  let done = 0;
  let died = 0;
  for await (const result of farm.stream(texts)) {
    if (!result.ok) throw result.error;
    // Both have parcels then.
    if (++done !== QUEUED / 5) continue;
    victim.kill("SIGKILL");
    died = performance.now();
  }
  const took = performance.now() - died;
  return [
    atMost("a worker with parcels is killed: until its last job is answered", took, BUDGETS.queued, "ms"),
  ];
}

async function single(farm, begin) {
  const victim = await begin();
  let isDone = false;
  const result = farm.compile(largeKernel(LONG)).finally(() => {
    isDone = true;
  });
  await after(100);
  await begin();
  if (isDone) throw new Error("expected a kernel that takes longer than the start of a worker");
  victim.kill("SIGKILL");
  const died = performance.now();
  const { info } = await result;
  const took = performance.now() - died - info.milliseconds;
  return [
    atMost(
      "a worker with a single job is killed: until its answer, but for the compile",
      took,
      BUDGETS.single,
      "ms",
    ),
  ];
}

async function poison(farm, begin, left) {
  let isOver = false;
  let deaths = 0;
  const keep = async () => {
    while (!isOver) {
      const worker = await begin("--import", POISON);
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
      if (!isOver) deaths++;
    }
  };
  void keep();
  void keep();
  // Both have started.
  await farm.compile(straightLineKernel(80_000, 20));
  const texts = Array.from({ length: GOOD }, (_, i) => straightLineKernel(90_000 + i, 20));
  const start = performance.now();
  let took = 0;
  let good = 0;
  for await (const result of farm.stream([`${straightLineKernel(89_999, 20)}// poison\n`, ...texts])) {
    if (result.index === 0)
      took = result.ok || result.error.code !== "CRASHED" ? NaN : performance.now() - start;
    else if (result.ok) good++;
  }
  isOver = true;
  const among = `a job that kills every worker among ${GOOD} good ones`;
  const until = performance.now() + EMPTY_MS;
  let parcels = await left();
  while (parcels > 0 && performance.now() < until) parcels = await left();
  return [
    atMost(`${among}: until it has failed`, took, BUDGETS.poison, "ms"),
    atMost(`${among}: workers that died`, deaths, MOST_DELIVERIES, ""),
    atMost(`${among}: good ones that failed, and parcels left in the queue`, GOOD - good + parcels, 0, ""),
  ];
}

/** Parcels in the queue. */
async function waiting(main, servers) {
  const words = [main, "status", "--json", "--servers", servers];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text).pools.reduce((sum, pool) => sum + pool.waiting + pool.taken, 0);
}
