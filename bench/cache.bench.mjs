// The cost of a cached job: through `compileAll`, from memory, and from a folder of 10,000 entries. All work
// is done by the main thread, so its CPU time is measured.

import { hash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskCache, PtxCompiler } from "@mm-ptx/cuda";
import { ARCH, jobsOf, mainThreadMicroseconds, timeAll } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";

const ENTRIES = 10_000;
/** The number of entries that are requested. */
const KERNELS = 500;
const ROUNDS = 5;
const BUDGET_US = 100;
const WORDS = {
  memory: "from memory",
  disk: `from a folder of ${ENTRIES.toLocaleString("en")} entries`,
};

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const texts = Array.from({ length: KERNELS }, (_, seed) => straightLineKernel(seed, 20));
    const jobs = jobsOf(texts, KERNELS);
    const path = await fill(folder, jobs);
    const least = { disk: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      const compiler = new PtxCompiler({ arch: ARCH, cache: { folder } });
      for (const from of ["disk", "memory"]) {
        const before = mainThreadMicroseconds();
        await timeAll(compiler, jobs);
        least[from] = Math.min(least[from], (mainThreadMicroseconds() - before) / KERNELS);
      }
      const { fromCache } = compiler.stats;
      if (fromCache !== 2 * KERNELS) throw new Error(`expected ${2 * KERNELS} hits, found ${fromCache}`);
      compiler.dispose();
    }
    const bare = bareRead(path, KERNELS);
    return ["memory", "disk"].map((from) => ({
      name: `a hit in the cache, ${WORDS[from]} (yardstick: Node reading and hashing such a file)`,
      ours: least[from],
      yardstick: bare,
      ratio: least[from] / bare,
      budget: BUDGET_US,
      unit: "us",
      pass: least[from] <= BUDGET_US,
      hard: true,
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles the jobs into a folder and adds other entries. Returns the file of one entry. */
async function fill(folder, jobs) {
  const compiler = new PtxCompiler({ arch: ARCH, cache: { folder } });
  const [{ cubin, info }] = await compiler.compileAll(jobs);
  await compiler.disposeAsync();
  const disk = new DiskCache(folder, 2 ** 30);
  let key = "";
  for (let i = KERNELS; i < ENTRIES; i++) {
    key = hash("sha256", `${i}`);
    disk.put(key, { output: cubin, log: info.log });
    if (i % 100 === 0) await disk.flush();
  }
  await disk.flush();
  return join(folder, key.slice(0, 2), `${key.slice(2)}.cubin`);
}

/** Microseconds to read and hash a file, the minimum of several rounds. */
function bareRead(path, calls) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = mainThreadMicroseconds();
    for (let call = 0; call < calls; call++) hash("sha256", readFileSync(path), "buffer");
    least = Math.min(least, (mainThreadMicroseconds() - before) / calls);
  }
  return least;
}
