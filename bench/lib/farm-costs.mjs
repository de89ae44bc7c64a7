// What a farm's messages cost: jobs that travel alone, and the processor time of the server and of the submitter for jobs that the
// worker has in its cache.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { FarmCompiler } from "@mm-ptx/farm";
import { ARCH, timeAll, uncached } from "./compiling.mjs";
import { straightLineKernel } from "./kernels.mjs";
import { median } from "./measure.mjs";

const ROUNDS = 5;
const ALONE = 192;
const ALONE_SHARE = 0.88;
const CACHED = 4096;
/** Jobs of a parcel. */
const TOGETHER = 32;
/** Parcels on their way: a worker that is busy finds the next one in the queue. */
const AT_A_TIME = 4;
const CPU_US = { server: 20, submitter: 15 };
/** Of the clock in `/proc`. */
const TICK_MS = 10;

const onFarm = (servers) => new FarmCompiler({ arch: ARCH, cache: false, servers, local: "never" });

/** Calls of `compile`, each of which travels alone: as many at a time as keep all cores busy. */
export async function aloneRow(servers) {
  const cores = availableParallelism();
  const [farm, local] = [onFarm(servers), uncached({ backend: "isolated", workers: cores })];
  const texts = Array.from({ length: ALONE }, (_, seed) => straightLineKernel(50_000 + seed, 20));
  const time = async (compiler) => {
    const start = performance.now();
    let next = 0;
    const line = async () => {
      while (next < texts.length) await compiler.compile(texts[next++]);
    };
    await Promise.all(Array.from({ length: 4 * cores }, line));
    return performance.now() - start;
  };
  try {
    const rounds = [];
    for (let round = -1; round < ROUNDS; round++) {
      const times = {};
      for (const [name, compiler] of round % 2 === 0
        ? Object.entries({ farm, local })
        : Object.entries({ local, farm }))
        times[name] = await time(compiler);
      if (round >= 0) rounds.push(times);
    }
    const perSecond = (of) => (1000 * ALONE) / median(rounds.map((one) => one[of]));
    const ratio = median(rounds.map((one) => one.local / one.farm));
    return {
      name: `single jobs, ${4 * cores} at a time (yardstick: this machine's compiler)`,
      ours: perSecond("farm"),
      yardstick: perSecond("local"),
      ratio,
      budget: ALONE_SHARE,
      unit: "compiles/s",
      pass: ratio >= ALONE_SHARE,
    };
  } finally {
    farm.dispose();
    await local.disposeAsync();
  }
}

/** What a worker is to have in its cache. */
export const cachedTexts = () =>
  Array.from({ length: CACHED }, (_, i) => `${straightLineKernel(i % 64, 20)}// ${i}\n`);

/** Milliseconds of processor time of a process; `undefined` where there is no `/proc`. */
function processorMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} servers of a farm whose worker has a cache
 * @param {number} server the process of nats-server
 */
export async function cpuRows(servers, server) {
  const farm = onFarm(servers);
  const texts = cachedTexts();
  const groups = Array.from({ length: CACHED / TOGETHER }, (_, i) =>
    texts.slice(i * TOGETHER, (i + 1) * TOGETHER),
  );
  const once = async () => {
    // Each group is a parcel of its own, because none waits for a place in the queue.
    let next = 0;
    const line = async () => {
      while (next < groups.length) await farm.compileAll(groups[next++]);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, line));
  };
  try {
    await timeAll(farm, texts);
    await once();
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [parcels, cpu, serverMs] = [farm.farm.parcels, process.cpuUsage(), processorMs(server)];
      await once();
      const { user, system } = process.cpuUsage(cpu);
      rounds.push({
        server: serverMs === undefined ? undefined : (1000 * (processorMs(server) - serverMs)) / CACHED,
        submitter: (user + system) / CACHED,
        jobs: CACHED / (farm.farm.parcels - parcels),
      });
    }
    const jobs = Math.round(median(rounds.map((one) => one.jobs)));
    return ["server", "submitter"].map((of) => {
      const us = rounds[0][of] === undefined ? undefined : median(rounds.map((one) => one[of]));
      return {
        name: `processor time of the ${of} for a job from the worker's cache, ${jobs} jobs a parcel`,
        ours: us,
        yardstick: undefined,
        ratio: undefined,
        budget: CPU_US[of],
        unit: "µs",
        pass: us === undefined ? undefined : us <= CPU_US[of],
      };
    });
  } finally {
    farm.dispose();
  }
}
