// Behaviour that only shows in a separate process: exits, worker threads and forks, and an idle pool.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { findTool } from "../../src/toolkit/find.js";
import { BACKENDS, IN_PROCESS } from "../support/backends.js";
import { InstalledPackage, NATIVE } from "../support/installed.js";
import { stubbornModule } from "../support/ptx.js";

/** What each of three processes compiles. */
const FORK_JOBS = SOAK ? 10 : 4;

let installed: InstalledPackage;
beforeAll(() => {
  installed = new InstalledPackage();
});
afterAll(() => installed.remove());

const node: InstalledPackage["node"] = (...args) => installed.node(...args);
// An installed package does not look into the clone.
const linker = findTool("nvjitlink", (path) => path).found?.path;
const native = {
  MM_PTX_NATIVE_DIR: NATIVE,
  ...(linker === undefined ? {} : { MM_PTX_NVJITLINK: linker }),
};

describe.runIf(IN_PROCESS)("a process", () => {
  test.each([
    [
      "that never disposes exits",
      "await new PtxCompiler({ cache: false, arch: 'sm_90' }).compile(ptx); console.log('done');",
    ],
    [
      "whose compiler never got a job exits",
      "new PtxCompiler({ cache: false, arch: 'sm_90' }); console.log('done');",
    ],
    [
      "stays until what it waits for is compiled",
      "new PtxCompiler({ cache: false, arch: 'sm_90' }).compile(slow).then(() => console.log('done'));",
    ],
    [
      "exits when what runs was aborted",
      "const c = new AbortController(); new PtxCompiler({ cache: false, arch: 'sm_90' }).compile(slow, { signal: c.signal }).catch(() => console.log('done')); setTimeout(() => c.abort(), 30);",
    ],
    [
      "can exit while it compiles",
      "const c = new PtxCompiler({ cache: false, arch: 'sm_90' }); for (let i = 0; i < 50; i++) c.compile(slow); setTimeout(() => { console.log('done'); process.exit(0); }, 50);",
    ],
    [
      "can lose its compiler to the garbage collector",
      `for (let i = 0; i < ${SOAK ? 20 : 10}; i++) await new PtxCompiler({ cache: false, arch: 'sm_90' }).compile(ptx); gc?.(); console.log('done');`,
    ],
  ])("%s", async (_, source) => {
    expect(await node(source, { ...native, NODE_OPTIONS: "--expose-gc" })).toMatchObject({
      code: 0,
      signal: null,
      stdout: "done\n",
    });
  });

  test("exits even if a compile can't be cancelled", async () => {
    writeFileSync(join(installed.folder, "stubborn.ptx"), stubbornModule(12_000, 400));
    const source =
      "const c = new PtxCompiler({ cache: false, arch: 'sm_90', workers: 1 }); c.compile(readFileSync('stubborn.ptx')).catch(() => {}); setTimeout(() => { console.log('done'); process.exit(0); }, 300);";
    expect(await node(source, native)).toMatchObject({ code: 0, signal: null, stdout: "done\n" });
  });

  test("keeps a cubin after its compiler is gone", async () => {
    const source =
      "let c = new PtxCompiler({ cache: false, arch: 'sm_90' }); const { cubin } = await c.compile(ptx); c[Symbol.dispose](); c = undefined; gc(); await new Promise((r) => setTimeout(r, 20)); console.log(readCubin(cubin).entries[0]);";
    expect(await node(source, { ...native, NODE_OPTIONS: "--expose-gc" })).toMatchObject({
      code: 0,
      stdout: "scale\n",
    });
  });

  test("serves several worker threads at once, some of them ended while they compile", async () => {
    const source = `
import { isMainThread, parentPort, Worker } from "node:worker_threads";
const compiler = new PtxCompiler({ cache: false, arch: "sm_90", workers: 2 });
if (isMainThread) {
  const ends = Array.from({ length: 4 }, (_, i) => new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url));
    let count = 0;
    worker.on("message", (n) => { count = n; if (i >= 2) worker.terminate(); });
    worker.on("error", reject);
    worker.on("exit", () => resolve(count));
  }));
  const own = await compiler.compileAll(Array.from({ length: 30 }, () => ptx));
  console.log(own.filter(({ ok }) => ok).length, ...(await Promise.all(ends)));
} else {
  const results = await compiler.compileAll(Array.from({ length: 20 }, () => ptx));
  for (let i = 0; i < 10; i++) compiler.compile(slow).catch(() => {});
  parentPort.postMessage(results.filter(({ ok }) => ok).length);
  setTimeout(() => compiler[Symbol.dispose](), 100);
}`;
    expect(await node(source, native)).toMatchObject({ code: 0, signal: null, stdout: "30 20 20 20 20\n" });
  });

  test.each(BACKENDS)("compiles in its forks while it compiles itself, %s", async (backend) => {
    const source = `
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
const compiler = new PtxCompiler({ cache: false, arch: "sm_90", backend: "${backend}", workers: 2 });
const own = compiler.compileAll(Array.from({ length: ${FORK_JOBS} }, () => ptx));
const forks = process.send ? [] : Array.from({ length: 2 }, () => new Promise((resolve) => {
  fork(fileURLToPath(import.meta.url)).on("message", resolve);
}));
const count = (await own).filter(({ ok }) => ok).length;
if (process.send) process.send(count, () => process.disconnect());
else console.log(count, ...(await Promise.all(forks)));`;
    expect(await node(source, native)).toMatchObject({
      code: 0,
      signal: null,
      stdout: `${Array(3).fill(FORK_JOBS).join(" ")}\n`,
    });
  });

  test.runIf(process.platform === "linux")("has a pool that sleeps when it is idle", async () => {
    const source = `
import { readdirSync } from "node:fs";
const compiler = new PtxCompiler({ cache: false, arch: "sm_90", workers: 2 });
const pause = () => new Promise((resolve) => setTimeout(resolve, 300));
// How often each thread of the pool was scheduled and gave up its core.
const switches = () => readdirSync("/proc/self/task")
  .map((thread) => readFileSync("/proc/self/task/" + thread + "/status", "utf8"))
  .filter((status) => status.startsWith("Name:\\tmmptx-"))
  .map((status) => status.slice(status.indexOf("voluntary_ctxt_switches")));
await compiler.compileAll(Array.from({ length: 20 }, () => ptx));
let before = [], after = switches();
for (let tries = 0; before.join() !== after.join() && tries < 50; tries++) {
  before = after;
  await pause();
  after = switches();
}
console.log(before.length, before.join() === after.join());`;
    expect(await node(source, native)).toMatchObject({ code: 0, stdout: "3 true\n" });
  });
});
