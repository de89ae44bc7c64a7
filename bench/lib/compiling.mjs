// Shared by the benchmarks of compilers: compilers without a cache, threads in C that only call
// nvPTXCompiler, and rounds in which all of them alternate, because the machine's speed drifts.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PtxCompiler } from "@mm-ptx/cuda";
import { median } from "./measure.mjs";

export const ARCH = "sm_90";
const BARE_LOOP = fileURLToPath(new URL("../../native/build/bare_loop", import.meta.url));

/**
 * A compiler without a cache, because the compile itself is measured.
 *
 * @param {object} options options of `PtxCompiler`, besides the architecture
 */
export function uncached(options) {
  return new PtxCompiler({ cache: false, arch: ARCH, ...options });
}

/** Milliseconds for all jobs; throws the error of the first job that fails. */
export async function timeAll(compiler, jobs) {
  const start = performance.now();
  const results = await compiler.compileAll(jobs);
  const time = performance.now() - start;
  const failed = results.find(({ ok }) => !ok);
  if (failed !== undefined) throw failed.error;
  return time;
}

/** `count` jobs that repeat the texts. */
export function jobsOf(texts, count) {
  return Array.from({ length: count }, (_, i) => ({ ptx: texts[i % texts.length] }));
}

/**
 * Calls `measure` with a function that returns the milliseconds in which the C loop compiles a number of the
 * texts.
 *
 * @template T
 * @param {readonly string[]} texts
 * @param {(loop: (threads: number, jobs: number, environment?: object) => number) => Promise<T>} measure
 * @param {string} arch the architecture that it compiles for
 * @returns {Promise<T>} the result of `measure`
 */
export async function withBareLoop(texts, measure, arch = ARCH) {
  if (!existsSync(BARE_LOOP))
    throw new Error("expected native/build/bare_loop, found none: run `npm run setup`");
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const paths = texts.map((_, i) => join(folder, `${i}.ptx`));
    paths.forEach((path, i) => {
      writeFileSync(path, texts[i]);
    });
    return await measure((threads, jobs, environment = {}) => {
      const args = [arch, `${threads}`, `${jobs}`, ...paths];
      const env = { ...process.env, ...environment };
      return JSON.parse(execFileSync(BARE_LOOP, args, { encoding: "utf8", env })).milliseconds;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs rounds of all candidates. Every second round runs in reverse order, so that drift within a round
 * cancels out.
 *
 * @param {Record<string, () => number | Promise<number>>} takers each returns its milliseconds
 * @param {number} rounds
 * @returns {Promise<Record<string, number>[]>} the milliseconds of each candidate, for each round
 */
export async function interleaved(takers, rounds) {
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const order = Object.keys(takers);
    if (round % 2 === 1) order.reverse();
    const sample = {};
    for (const taker of order) sample[taker] = await takers[taker]();
    samples.push(sample);
  }
  return samples;
}

/** The median of `of` over all rounds. */
export function medianOf(samples, of) {
  return median(samples.map(of));
}

/** Microseconds of CPU time that this process's main thread has used. */
export function mainThreadMicroseconds() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1000;
}
