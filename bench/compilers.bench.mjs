// The compilers of PTX compared with each other, for a kernel of 1 KB and one of 1,000 lines, with one worker each:
// nvPTXCompiler in worker processes (the yardstick) and on threads, nvJitLink in worker processes, and a process of ptxas for
// each compile. A row is missing where this machine lacks that compiler.

import { capabilities } from "@mm-ptx/cuda";
import { interleaved, jobsOf, timeAll, uncached } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";

const ROUNDS = 31;
const FILES = 10;
/** Short rounds, of which one may be free of what else the machine does: the best one counts. */
const SIZES = [
  { name: "1 KB", instructions: 20, jobs: 4 },
  { name: "1,000 lines", instructions: 1000 - 29, jobs: 2 },
];

export async function run() {
  const names = capabilities()
    .backends.filter(({ available }) => available)
    .map(({ name }) => name);
  const compilers = Object.fromEntries(names.map((backend) => [backend, uncached({ backend, workers: 1 })]));
  try {
    const rows = [];
    for (const size of SIZES) rows.push(...(await rowsOf(size, compilers)));
    return rows;
  } finally {
    for (const compiler of Object.values(compilers)) compiler.dispose();
  }
}

async function rowsOf({ name, instructions, jobs }, compilers) {
  const texts = Array.from({ length: FILES }, (_, seed) => straightLineKernel(seed, instructions));
  for (const compiler of Object.values(compilers)) await timeAll(compiler, jobsOf(texts, FILES));
  const takers = Object.fromEntries(
    Object.entries(compilers).map(([backend, compiler]) => [
      backend,
      () => timeAll(compiler, jobsOf(texts, jobs)),
    ]),
  );
  const samples = await interleaved(takers, ROUNDS);
  const [yardstick] = Object.keys(takers);
  const each = (taker) => Math.min(...samples.map((sample) => sample[taker])) / jobs;
  return Object.keys(takers).map((taker) => ({
    name: `compile with ${taker} against ${yardstick}, kernels of ${name}, 1 worker`,
    ours: each(taker),
    yardstick: each(yardstick),
    ratio: each(taker) / each(yardstick),
    unit: "ms",
  }));
}
