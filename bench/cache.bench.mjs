// What a job costs that was compiled before: through `compileAll`, from memory and from disk, among 10,000 entries. All of
// it happens on the main thread, whose time on a core is what counts.

import { hash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskCache, PtxCompiler } from "@mm-ptx/cuda";
// Not exported: entries of 10,000 kernels are made here without compiling any.
import { cacheKey } from "../packages/cuda/dist/cache/key.js";
import { ARCH, mainThreadMicroseconds, timeAll } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";

const ENTRIES = 10_000;
const ROUNDS = 5;
const BUDGET_US = 100;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const { texts, key } = await fill(folder);
    const jobs = texts.map((ptx) => ({ ptx }));
    const least = { disk: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      const compiler = new PtxCompiler({ arch: ARCH, cache: { folder } });
      for (const from of ["disk", "memory"]) {
        const before = mainThreadMicroseconds();
        await timeAll(compiler, jobs);
        least[from] = Math.min(least[from], (mainThreadMicroseconds() - before) / ENTRIES);
      }
      const { fromCache } = compiler.figures;
      if (fromCache !== 2 * ENTRIES) throw new Error(`expected ${2 * ENTRIES} hits, found ${fromCache}`);
      compiler[Symbol.dispose]();
    }
    const path = join(folder, key.slice(0, 2), `${key.slice(2)}.cubin`);
    const bare = bareRead(path, ENTRIES);
    return ["memory", "disk"].map((from) => ({
      name: `a hit in the cache, from ${from}, ${ENTRIES.toLocaleString("en")} entries (yardstick: Node reading and hashing such a file)`,
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

/** A folder with an entry for each of the texts, all of them the cubin of one. */
async function fill(folder) {
  const compiler = new PtxCompiler({ arch: ARCH, cache: false });
  const { options, version } = compiler;
  const { cubin, info } = await compiler.compile(straightLineKernel(0, 20));
  compiler[Symbol.dispose]();
  const disk = new DiskCache(folder, 2 ** 30);
  const texts = Array.from({ length: ENTRIES }, (_, seed) => straightLineKernel(seed, 20));
  let key = "";
  for (const [i, source] of texts.entries()) {
    key = cacheKey({ source, target: options }, version);
    disk.put(key, { cubin, log: info.log });
    if (i % 100 === 99) await disk.flush();
  }
  return { texts, key };
}

/** Microseconds, the least of some rounds. */
function bareRead(path, calls) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = mainThreadMicroseconds();
    for (let call = 0; call < calls; call++) hash("sha256", readFileSync(path), "buffer");
    least = Math.min(least, (mainThreadMicroseconds() - before) / calls);
  }
  return least;
}
