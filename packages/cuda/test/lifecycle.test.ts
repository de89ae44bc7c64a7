// What only a process of its own can show: exits, worker threads, and machines where something is missing.

import { spawn } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IN_PROCESS } from "./support/backends.js";
import { module, slowModule, stubbornModule } from "./support/ptx.js";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const WORKSPACE = join(PACKAGE, "..");
const NATIVE = join(PACKAGE, "npm/linux-x64");

let folder: string;
/** The built package beside its dependencies, without any native package near it. */
let bare: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
  bare = join(folder, "node_modules/@mm-ptx");
  mkdirSync(bare, { recursive: true });
  mkdirSync(join(bare, "cuda"));
  cpSync(join(PACKAGE, "dist"), join(bare, "cuda/dist"), { recursive: true });
  copyFileSync(join(PACKAGE, "package.json"), join(bare, "cuda/package.json"));
  for (const name of ["ptx", "types"]) symlinkSync(join(WORKSPACE, name), join(bare, name));
  writeFileSync(join(folder, "module.ptx"), module());
  writeFileSync(join(folder, "slow.ptx"), slowModule(600));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program beside the copied package; it ends by itself or is killed after a minute, which fails the test. */
function node(source: string, environment: Record<string, string> = {}): Promise<Ended> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  const head =
    'import { readFileSync } from "node:fs";\nimport { PtxCompiler, capabilities, readCubin } from "@mm-ptx/cuda";\n';
  const texts = 'const ptx = readFileSync("module.ptx", "utf8"), slow = readFileSync("slow.ptx", "utf8");\n';
  writeFileSync(file, head + texts + source);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file], {
      cwd: folder,
      // A NODE_PATH of the package manager's would bring in what the copy must not see.
      env: { ...process.env, NODE_PATH: "", ...environment },
      timeout: 50_000,
      killSignal: "SIGKILL",
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

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
    writeFileSync(join(folder, "stubborn.ptx"), stubbornModule(12_000, 400));
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

describe("a machine", () => {
  const message =
    "try { new PtxCompiler({ cache: false, arch: 'sm_90', backend: 'in-process' }); } catch (e) { console.log(e.code, e.message); }";
  const place = (name: string, fill: (path: string) => void): string => {
    const path = join(folder, name);
    mkdirSync(path);
    fill(path);
    return path;
  };

  test("without the native package is told every place and the cure", async () => {
    const empty = place("empty", () => {});
    const { stdout } = await node(message, { MM_PTX_NATIVE_DIR: empty });
    expect(stdout.replace(empty, "EMPTY")).toBe(
      "BACKEND_MISSING expected the `in-process` backend, found none:\n" +
        "  - MM_PTX_NATIVE_DIR: EMPTY: mmptx.node: not there\n" +
        "  - @mm-ptx/cuda-linux-x64: the package is not installed\n" +
        "install the optional dependencies of @mm-ptx/cuda for this platform and Node, or name a folder with mmptx.node, libmmptxc.so and mmptx-worker in MM_PTX_NATIVE_DIR (in a clone: `npm run setup` builds them)\n",
    );
  });

  const pretend = (of: string, more = "") =>
    `--import=data:text/javascript,${encodeURIComponent(`for (const [name, value] of Object.entries(${of})) Object.defineProperty(process, name, { value });${more}`)}`;

  test.each([
    [
      "macOS",
      pretend('{ platform: "darwin", arch: "arm64" }'),
      "  - platform package: there is no native package for darwin-arm64, only for linux-x64, linux-arm64 and win32-x64\n",
    ],
    [
      "another processor",
      pretend('{ arch: "riscv64" }'),
      "  - platform package: there is no native package for linux-riscv64, only for linux-x64, linux-arm64 and win32-x64\n",
    ],
    [
      "musl",
      pretend("{}", "process.report.getReport = () => ({ header: {} });"),
      "  - @mm-ptx/cuda-linux-x64: not installed: it needs glibc, and this Node is built for musl\n",
    ],
    ["arm64", pretend('{ arch: "arm64" }'), "  - @mm-ptx/cuda-linux-arm64: the package is not installed\n"],
    [
      "Windows",
      pretend('{ platform: "win32" }'),
      "  - @mm-ptx/cuda-win32-x64: the package is not installed\n",
    ],
  ])("with %s is told in one sentence what is missing", async (_, option, sentence) => {
    const { stdout } = await node(message, { NODE_OPTIONS: option });
    expect(stdout).toContain(`found none:\n${sentence}install `);
  });

  test("with nothing at all says what can be put where", async () => {
    const empty = place("nothing", () => {});
    const source =
      "console.log(capabilities().backends.map(({ available }) => available).join()); try { new PtxCompiler({ cache: false, arch: 'sm_90' }); } catch (e) { console.log(e.code, e.message); }";
    const { stdout } = await node(source, { MM_PTX_NATIVE_DIR: empty, PATH: empty });
    expect(stdout).toContain("false,false,false\nBACKEND_MISSING expected a compiler for PTX, found none:");
    expect(stdout).toContain("  - ptxas: not on PATH\n");
    expect(stdout).toContain("or put ptxas of a CUDA toolkit on PATH");
  });

  test("with garbage for an addon is told so", async () => {
    const garbage = place("garbage", (path) => writeFileSync(join(path, "mmptx.node"), "garbage"));
    const { stdout } = await node(message, { MM_PTX_NATIVE_DIR: garbage });
    expect(stdout).toContain("mmptx.node: expected a shared object (ELF), found another kind of file");
  });

  test.runIf(existsSync(join(NATIVE, "libmmptxc.so")))(
    "with broken or foreign files is told which and why",
    async () => {
      const addon = readFileSync(join(NATIVE, "mmptx.node"));
      const foreign = place("foreign", (path) => {
        const copy = Buffer.from(addon);
        copy.writeUInt16LE(183, 18);
        writeFileSync(join(path, "mmptx.node"), copy);
      });
      const cut = place("cut", (path) => writeFileSync(join(path, "mmptx.node"), addon.subarray(0, 2000)));
      const stranger = place("stranger", (path) =>
        copyFileSync(join(NATIVE, "libmmptxc.so"), join(path, "mmptx.node")),
      );
      const alone = place("alone", (path) => writeFileSync(join(path, "mmptx.node"), addon));
      const wrong = place("wrong", (path) => {
        writeFileSync(join(path, "mmptx.node"), addon);
        writeFileSync(join(path, "libmmptxc.so"), addon);
      });
      const other = place("other-version", (path) => {
        const text = addon.toString("latin1").replaceAll("0.1.0\0", "9.9.9\0");
        writeFileSync(join(path, "mmptx.node"), text, "latin1");
      });
      const said = async (path: string) => (await node(message, { MM_PTX_NATIVE_DIR: path })).stdout;
      expect(await said(foreign)).toContain("built for another machine: expected x86-64, found aarch64");
      expect(await said(cut)).toContain("mmptx.node: cut short: expected at least ");
      expect(await said(stranger)).toContain("mmptx.node: built for another Node or platform: ");
      expect(await said(alone)).toContain("libmmptxc.so: not there");
      expect(await said(wrong)).toContain("libmmptxc.so: the library has no function mmptxc_abi");
      expect(await said(other)).toContain("mmptx.node: expected version 0.1.0, found 9.9.9");
    },
  );
});
