// What only a process of its own can show: exits and worker threads.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IN_PROCESS } from "./support/backends.js";
import { InstalledPackage, NATIVE } from "./support/installed.js";
import { stubbornModule } from "./support/ptx.js";

let installed: InstalledPackage;
beforeAll(() => {
  installed = new InstalledPackage();
});
afterAll(() => installed.remove());

const node: InstalledPackage["node"] = (...args) => installed.node(...args);
const native = { MM_PTX_NATIVE_DIR: NATIVE };

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
      "for (let i = 0; i < 20; i++) await new PtxCompiler({ cache: false, arch: 'sm_90' }).compile(ptx); gc?.(); console.log('done');",
    ],
  ])("%s", async (_, source) => {
    expect(await node(source, { ...native, NODE_OPTIONS: "--expose-gc" })).toMatchObject({
      code: 0,
      signal: null,
      stdout: "done\n",
    });
  });

  test("exits although a compile does not listen", async () => {
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
});
