// The compile pool compared with threads that only call nvPTXCompiler, with the same PTX, options and number
// of threads. The pool runs on threads of this process and in worker processes, which are also compared with
// each other.

import { availableParallelism } from "node:os";
import { interleaved, jobsOf, medianOf, timeAll, uncached, withBareLoop } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";

const ROUNDS = 9;
/** The settings of the pool in its own process, from `native/pool/allocator.cpp`. */
const POOL_MALLOC = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=67108864";
/** Kernels of about 1, 20 and 200 KB, and the number of jobs that take about half a second on two cores. */
const SIZES = [
  { name: "1 KB", instructions: 20, files: 50, jobs: 200 },
  { name: "20 KB", instructions: 700, files: 10, jobs: 40 },
  { name: "200 KB", instructions: 7000, files: 2, jobs: 6 },
];
const BUDGET = 0.97;
const TWO_THREADS_BUDGET = 1.9;
const BACKENDS = ["isolated", "in-process"];

export async function run() {
  const rows = [];
  for (const size of SIZES) rows.push(...(await rounds(size)));
  if (availableParallelism() > 1) rows.push(await twoThreads());
  return rows;
}

function rounds({ name, instructions, files, jobs }) {
  const threads = availableParallelism();
  const texts = Array.from({ length: files }, (_, seed) => straightLineKernel(seed, instructions));
  const work = jobsOf(texts, jobs);
  return withBareLoop(texts, (bareLoop) =>
    withCompilers(threads, async (compilers) => {
      for (const compiler of Object.values(compilers)) await timeAll(compiler, jobsOf(texts, 2 * threads));
      const samples = await interleaved(
        {
          bare: () => bareLoop(threads, jobs),
          tuned: () => bareLoop(threads, jobs, { GLIBC_TUNABLES: POOL_MALLOC }),
          ...mapped(compilers, (compiler) => () => timeAll(compiler, work)),
        },
        ROUNDS,
      );
      const perSecond = (taker) => (1000 * jobs) / medianOf(samples, (sample) => sample[taker]);
      const row = (taker, yardstick, words, hard) => {
        const ratio = medianOf(samples, (sample) => sample[yardstick] / sample[taker]);
        return {
          name: `compile ${taker} against ${words}, ${name} kernels, ${threads} threads`,
          ours: perSecond(taker),
          yardstick: perSecond(yardstick),
          ratio,
          budget: BUDGET,
          unit: "compiles/s",
          pass: ratio >= BUDGET,
          hard,
        };
      };
      return [
        ...BACKENDS.map((backend) => row(backend, "bare", "a bare loop", true)),
        ...BACKENDS.map((backend) =>
          row(backend, "tuned", "a bare loop with the pool's malloc thresholds", false),
        ),
        row("isolated", "in-process", "in-process", true),
      ];
    }),
  );
}

/** Calls `use` with one compiler of each kind, and disposes them afterwards. */
async function withCompilers(workers, use) {
  const compilers = Object.fromEntries(BACKENDS.map((backend) => [backend, uncached({ backend, workers })]));
  try {
    return await use(compilers);
  } finally {
    for (const compiler of Object.values(compilers)) compiler.dispose();
  }
}

const mapped = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

async function twoThreads() {
  const [, { instructions, files, jobs }] = SIZES;
  const texts = Array.from({ length: files }, (_, seed) => straightLineKernel(seed, instructions));
  const compilers = { one: uncached({ workers: 1 }), two: uncached({ workers: 2 }) };
  try {
    for (const compiler of Object.values(compilers)) await timeAll(compiler, jobsOf(texts, 4));
    const samples = await interleaved(
      mapped(compilers, (compiler) => () => timeAll(compiler, jobsOf(texts, jobs))),
      ROUNDS,
    );
    const ratio = medianOf(samples, ({ one, two }) => one / two);
    return {
      name: "compile with two workers against one, 20 KB kernels (on two idle cores)",
      ours: (1000 * jobs) / medianOf(samples, ({ two }) => two),
      yardstick: (1000 * jobs) / medianOf(samples, ({ one }) => one),
      ratio,
      budget: TWO_THREADS_BUDGET,
      unit: "compiles/s",
      pass: ratio >= TWO_THREADS_BUDGET,
    };
  } finally {
    for (const compiler of Object.values(compilers)) compiler.dispose();
  }
}
