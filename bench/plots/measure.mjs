// Measures what the pictures and tables of docs/performance.md show. Each series takes some seconds. Compared candidates
// alternate, and the minimum of several rounds counts.

import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { PtxCompiler } from "@mm-ptx/cuda";
import { expandSites, pack, parsePtx } from "@mm-ptx/inject";
import { ARCH, interleaved, jobsOf, timeAll, uncached, withBareLoop } from "../lib/compiling.mjs";
import { straightLineKernel } from "../lib/kernels.mjs";
import { programStub, SMALL_KERNEL } from "../lib/site-kernels.mjs";
import { run as runNvrtc } from "../nvrtc.bench.mjs";

const ROUNDS = 5;

/** The measurements, by their names in the data. */
export const MEASURES = { threads, sizes, cache, packs, nvrtc };

/** The properties of the machine that the figures depend on. */
export function machine() {
  const compiler = uncached({});
  const { version } = compiler;
  compiler.dispose();
  return {
    cores: availableParallelism(),
    cpu: cpus()[0].model,
    node: process.versions.node,
    compiler: version,
  };
}

/** Kernels per second by number of workers. */
async function threads() {
  const texts = kernels(700, 10);
  const jobs = 40;
  const counts = Array.from({ length: availableParallelism() }, (_, i) => i + 1);
  const points = { isolated: [], "in-process": [], "bare loop in C": [] };
  await withBareLoop(texts, async (bareLoop) => {
    for (const workers of counts) {
      const least = await withCompilers(
        { isolated: { backend: "isolated", workers }, "in-process": { backend: "in-process", workers } },
        (compilers) =>
          leastOf({
            ...mapped(compilers, (compiler) => () => timeAll(compiler, jobsOf(texts, jobs))),
            "bare loop in C": () => bareLoop(workers, jobs),
          }),
      );
      for (const [name, milliseconds] of Object.entries(least))
        points[name].push([workers, (1000 * jobs) / milliseconds]);
    }
  });
  return points;
}

/** Milliseconds of CPU time for one kernel by its length in KB, for each effort. */
function sizes() {
  const efforts = ["final", "balanced", "draft"];
  const options = Object.fromEntries(
    efforts.map((effort) => [effort, { effort, workers: 1, backend: "in-process" }]),
  );
  return withCompilers(options, async (compilers) => {
    const points = Object.fromEntries(efforts.map((effort) => [effort, []]));
    for (const instructions of [20, 70, 350, 700, 1750, 3500, 7000]) {
      const text = straightLineKernel(1, instructions);
      const least = await leastOf(mapped(compilers, (compiler) => () => coreTime(compiler, text)));
      for (const effort of efforts) points[effort].push([text.length / 1000, least[effort]]);
    }
    return points;
  });
}

/**
 * Programs per second for 1,000 variants of a kernel: without a cache, into an empty cache, from a full
 * cache.
 */
async function cache() {
  const kernel = parsePtx(SMALL_KERNEL);
  const jobs = stubs(1000).map((func) => kernel.fill({ func }));
  const base = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  const folders = Array.from({ length: ROUNDS + 1 }, (_, round) => join(base, `${round}`));
  try {
    let round = 0;
    const cold = {
      without: () => timeWith({ cache: false }, jobs),
      cold: () => timeWith({ cache: { folder: folders[round++] } }, jobs),
    };
    const warm = { disk: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY };
    const least = await leastOf(cold);
    for (const folder of folders) {
      const compiler = new PtxCompiler({ arch: ARCH, cache: { folder } });
      for (const from of ["disk", "memory"]) warm[from] = Math.min(warm[from], await timeAll(compiler, jobs));
      compiler.dispose();
    }
    return mapped({ ...least, ...warm }, (milliseconds) => (1000 * jobs.length) / milliseconds);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/**
 * Milliseconds of jobs with a compiler of their own. Pending writes to the cache are awaited after the
 * measurement.
 */
async function timeWith(options, jobs) {
  const compiler = new PtxCompiler({ arch: ARCH, ...options });
  const milliseconds = await timeAll(compiler, jobs);
  await compiler.disposeAsync();
  return milliseconds;
}

/**
 * Programs per second and worker by their number in a module, as kernels of a pack and as alternatives of a
 * site.
 */
function packs() {
  const annotated = parsePtx(SMALL_KERNEL);
  const all = stubs(200);
  const packed = (count) => {
    const stubsets = all.slice(0, count).map((func) => ({ func }));
    return pack(annotated, stubsets).text;
  };
  const alternatives = (count) => {
    const named = all.slice(0, count).map((stub, i) => [`func_${i}`, stub]);
    return expandSites(annotated, "func", count, { select: "%ctaid.x" }).render(Object.fromEntries(named));
  };
  const modules = {
    "kernels, final": { effort: "final", of: packed },
    "kernels, draft": { effort: "draft", of: packed },
    "alternatives, final": { effort: "final", of: alternatives },
    "alternatives, draft": { effort: "draft", of: alternatives },
  };
  const options = mapped(modules, ({ effort }) => ({
    arch: "sm_80",
    effort,
    workers: 1,
    backend: "in-process",
  }));
  return withCompilers(options, async (compilers) => {
    const points = mapped(modules, () => []);
    for (const count of [1, 2, 5, 10, 20, 50, 100, 200]) {
      const least = await leastOf(
        mapped(modules, ({ of }, name) => {
          const text = of(count);
          return () => coreTime(compilers[name], text);
        }),
      );
      for (const name of Object.keys(modules)) points[name].push([count, (1000 * count) / least[name]]);
    }
    return points;
  });
}

/** Milliseconds of one variant of a GEMM; `undefined` without NVRTC or the headers. */
async function nvrtc() {
  const [row] = await runNvrtc();
  return row === undefined ? undefined : { injection: row.ours, nvrtc: row.yardstick };
}

const kernels = (instructions, count) =>
  Array.from({ length: count }, (_, seed) => straightLineKernel(seed, instructions));

const stubs = (count) => Array.from({ length: count }, (_, seed) => programStub(seed, 20));

const mapped = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));

/** Milliseconds of CPU time for one compile by a compiler in this process. */
async function coreTime(compiler, text) {
  const before = process.cpuUsage();
  await compiler.compile(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The minimum milliseconds of each candidate, without the first round. */
async function leastOf(takers) {
  const samples = (await interleaved(takers, ROUNDS + 1)).slice(1);
  return mapped(takers, (_, name) => Math.min(...samples.map((sample) => sample[name])));
}

/** Calls `use` with a compiler without a cache for each of the options, and disposes them afterwards. */
async function withCompilers(options, use) {
  const compilers = mapped(options, (each) => uncached(each));
  try {
    return await use(compilers);
  } finally {
    for (const compiler of Object.values(compilers)) compiler.dispose();
  }
}
