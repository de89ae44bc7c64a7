// The memory of this process and of its workers stays flat over kernels that compile and kernels that do not:
// a hundred of each, or thousands in `npm run soak`.

import { readdirSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { type BackendName, PtxCompiler } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { module } from "../support/ptx.js";

const MIB = 2 ** 20;
const JOBS = SOAK ? 20_000 : 100;
const WARMING = SOAK ? 1000 : 50;
/** What allocators may still take once they are warm: in `npm run soak`, less than 1 KiB per job. */
const SLACK = 16 * MIB;
/** A worker takes three files, and one of the two workers may be just starting. */
const FILES_SLACK = 8;
const COLLECTING = 200;
const TIMEOUT_MS = 600_000;

const BACKENDS_IN_MEMORY = BACKENDS.filter((name): name is BackendName => name !== "ptxas");

/** Bytes in memory of a process and of its descendants. */
function residentBytes(): number {
  const own = process.pid;
  const processes = readdirSync("/proc").filter((name) => name === `${own}` || parentOf(name) === own);
  return processes.reduce((sum, name) => sum + (statusOf(name, "VmRSS") ?? 0) * 1024, 0);
}

const parentOf = (name: string): number | undefined => statusOf(name, "PPid");

function statusOf(name: string, field: string): number | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${name}/status`, "utf8"));
    return found === null ? undefined : Number(found[1]);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

const openFiles = (): number => readdirSync("/proc/self/fd").length;

const collect: () => void = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
})();

function* jobs(count: number, body: string): Generator<string> {
  for (let i = 0; i < count; i++) yield module(`kernel_${i % 500}`, body);
}

async function settledBytes(): Promise<number> {
  collect();
  // Garbage-collected objects are freed in the next turns of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 50));
  collect();
  return residentBytes();
}

describe.runIf(process.platform === "linux").each(BACKENDS_IN_MEMORY)("memory with %s", (backend) => {
  it.each([
    ["kernels that compile", "", true],
    ["kernels that do not", "\tadd.f32 %f3, %nowhere, %f1;\n", false],
  ])("stays flat over many %s", { timeout: TIMEOUT_MS }, async (_, body, compiles) => {
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false, workers: 2 });
    const run = async (count: number): Promise<void> => {
      for await (const { ok, index } of compiler.stream(jobs(count, body))) {
        if (ok !== compiles) expect.fail(`job ${index} is of the other kind`);
        // Memory that waits for the garbage collector is not a leak, but would exceed the slack many times.
        if (index % COLLECTING === 0) collect();
      }
    };
    await run(WARMING);
    const [bytes, files] = [await settledBytes(), openFiles()];
    await run(JOBS);
    expect((await settledBytes()) - bytes).toBeLessThan(SLACK);
    expect(openFiles() - files).toBeLessThan(FILES_SLACK);
  });
});
