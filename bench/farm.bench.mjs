// A farm on this machine compared with this machine's compiler: server, submitter and worker share the cores with the
// compiles, so every microsecond that a farm adds shows. Rounds alternate, because the machine's speed drifts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FarmCompiler } from "@mm-ptx/farm";
import { parsePtx } from "@mm-ptx/inject";
import { ARCH, timeAll, uncached } from "./lib/compiling.mjs";
import { aloneRow, cachedTexts, cpuRows } from "./lib/farm-costs.mjs";
import { deathRows } from "./lib/farm-deaths.mjs";
import { echoRow } from "./lib/farm-echo.mjs";
import { fairnessRows } from "./lib/farm-fairness.mjs";
import { freePort } from "./lib/farm-port.mjs";
import { programRows } from "./lib/farm-programs.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";
import { median } from "./lib/measure.mjs";
import { GRID_KERNEL, programStub } from "./lib/site-kernels.mjs";

const MAIN = fileURLToPath(new URL("./cli/main.js", import.meta.resolve("@mm-ptx/farm/command")));
const ROUNDS = 9;
/** Rounds before those that count, in which V8 compiles what runs often. */
const WARMING = 3;
const JOBS = 512;
const ONE_BY_ONE = 200;
const ONE_BY_ONE_BEFORE = 150;
const THROUGHPUT = 0.95;
const ADDED_MS = { p50: 1.5, p90: 3 };
const CACHED_A_SECOND = 10_000;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-bench-"));
  const children = [];
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
  const begin = async (...words) => {
    const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    await once(child.stdout, "data");
    return child;
  };
  try {
    const port = await freePort();
    const servers = `nats://127.0.0.1:${port}`;
    await begin("serve", "--folder", join(folder, "farm"), "--port", `${port}`);
    const worker = await begin("worker", "--servers", servers, "--no-cache");
    const rows = [
      ...(await compared(servers)),
      await echoRow(servers),
      await aloneRow(servers),
      ...(await programRows(servers)),
      ...(await fairnessRows(servers)),
    ];
    await end(worker);
    rows.push(...(await deathRows({ main: MAIN, servers, env })));
    await begin("worker", "--servers", servers);
    const server = Number(readFileSync(join(folder, "farm", "nats-server.pid"), "utf8"));
    return [...rows, await fromCache(servers), ...(await cpuRows(servers, server))];
  } finally {
    for (const child of children.reverse()) await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

const onFarm = (servers) => new FarmCompiler({ arch: ARCH, cache: false, servers, local: "never" });

async function compared(servers) {
  const local = uncached({ backend: "isolated", workers: availableParallelism() });
  const farm = onFarm(servers);
  const annotated = parsePtx(GRID_KERNEL);
  const filled = Array.from({ length: JOBS }, (_, seed) => annotated.fill({ func: programStub(seed, 20) }));
  const texts = Array.from({ length: JOBS }, (_, seed) => straightLineKernel(seed, 20));
  try {
    return [
      await throughput("filled kernels of 1 KB", filled, farm, local),
      await throughput("texts of 1 KB", texts, farm, local),
      ...(await latency(texts, farm, local)),
    ];
  } finally {
    farm.dispose();
    await local.disposeAsync();
  }
}

async function throughput(name, jobs, farm, local) {
  const rounds = [];
  for (let round = -WARMING; round < ROUNDS; round++) {
    const [first, second] = round % 2 === 0 ? [farm, local] : [local, farm];
    const times = new Map();
    for (const compiler of [first, second]) times.set(compiler, await timeAll(compiler, jobs));
    if (round >= 0) rounds.push({ farm: times.get(farm), local: times.get(local) });
  }
  const perSecond = (of) => (1000 * jobs.length) / median(rounds.map((one) => one[of]));
  const ratio = median(rounds.map((one) => one.local / one.farm));
  return {
    name: `${name} on a farm (yardstick: this machine's compiler)`,
    ours: perSecond("farm"),
    yardstick: perSecond("local"),
    ratio,
    budget: THROUGHPUT,
    unit: "compiles/s",
    pass: ratio >= THROUGHPUT,
  };
}

/**
 * What a farm adds to the time of one job when nothing else is to be done; each job with both, one after the other. The compiles
 * themselves are taken off, because the same one takes several tenths of a millisecond more or less each time.
 */
async function latency(texts, farm, local) {
  const added = [];
  const times = { farm: [], local: [] };
  for (const [i, text] of texts.slice(0, ONE_BY_ONE_BEFORE + ONE_BY_ONE).entries()) {
    const took = {};
    for (const [name, compiler] of [
      ["local", local],
      ["farm", farm],
    ]) {
      const start = performance.now();
      const { info } = await compiler.compile(text);
      took[name] = performance.now() - start - info.milliseconds;
      if (i >= ONE_BY_ONE_BEFORE) times[name].push(took[name]);
    }
    if (i >= ONE_BY_ONE_BEFORE) added.push(took.farm - took.local);
  }
  const sorted = added.toSorted((a, b) => a - b);
  return [
    ["p50", 0.5],
    ["p90", 0.9],
  ].map(([name, share]) => {
    const ms = sorted[Math.floor(share * sorted.length)];
    return {
      name: `one job: milliseconds besides the compile, ${name} (yardstick: this machine's compiler; the ratio and the budget are the difference)`,
      ours: median(times.farm),
      yardstick: median(times.local),
      ratio: ms,
      budget: ADDED_MS[name],
      unit: "ms",
      pass: ms <= ADDED_MS[name],
    };
  });
}

async function fromCache(servers) {
  const texts = cachedTexts();
  const farm = onFarm(servers);
  try {
    await timeAll(farm, texts);
    const times = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await timeAll(farm, texts));
    const perSecond = (1000 * texts.length) / median(times);
    return {
      name: "jobs that the worker has in its cache",
      ours: perSecond,
      yardstick: undefined,
      ratio: undefined,
      budget: CACHED_A_SECOND,
      unit: "jobs/s",
      pass: perSecond >= CACHED_A_SECOND,
    };
  } finally {
    farm.dispose();
  }
}
