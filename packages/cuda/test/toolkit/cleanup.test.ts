// Programs of the toolkit that run when this process ends, however it does: they, their children and their
// folders are removed. They keep running if this process handles the signal.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { oneFile } from "../../../../tests/support/one-file.js";
import { PtxCompiler } from "../../src/index.js";
import { findWorker } from "../../src/native/load.js";
import { BACKENDS } from "../support/backends.js";
import { CUDA_BACKENDS, fakeTool, isAlive, KERNEL, until } from "../support/cuda.js";
import { module } from "../support/ptx.js";

const PACKAGE = JSON.stringify(pathToFileURL(await oneFile("packages/cuda/dist/index.js")).href);
const CUBIN = BACKENDS.length === 0 ? undefined : await makeCubin();

async function makeCubin(): Promise<Uint8Array> {
  using compiler = new PtxCompiler({ arch: "sm_90", cache: false, workers: 1 });
  return (await compiler.compile(module())).cubin;
}

/** Code for a thread that compiles, with each tool. */
const COMPILES = {
  nvcc: `import { CudaCompiler } from ${PACKAGE};
new CudaCompiler({ backend: "nvcc", cache: false }).compile("", { arch: "sm_90" }).catch(() => {});`,
  ptxas: `import { PtxCompiler } from ${PACKAGE};
new PtxCompiler({ arch: "sm_90", backend: "ptxas", cache: false }).compile("// PTX").catch(() => {});`,
  nvdisasm: `import { disassembleSass } from ${PACKAGE};
disassembleSass(Uint8Array.from(${JSON.stringify([...(CUBIN ?? [])])})).catch(() => {});`,
};
/** Only a separate process of ours notices every kind of end. */
const KEEPER = process.platform !== "win32" && findWorker().path !== undefined;

const TOOLS = ["nvcc", "ptxas", ...(CUBIN === undefined ? [] : (["nvdisasm"] as const))] as const;

describe.runIf(KEEPER).each(TOOLS)("%s leaves no processes and files", { timeout: 30_000 }, (tool) => {
  test.each([
    ["the process exits", "process.exit(7)"],
    ["the process dies of a signal", 'process.kill(process.pid, "SIGKILL")'],
    ["the thread is terminated", "worker.terminate().then(() => process.exit(7))"],
  ])("when %s", async (_, end) => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-exit-"));
    const note = join(folder, "pid");
    // A child process of the tool.
    const fake = fakeTool(tool, `sleep 600 &\necho $! > "${note}"\nwait`);
    try {
      const script = `import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
const compile = ${JSON.stringify(COMPILES[tool])};
const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(compile)));
const started = () => { try { return readFileSync(${JSON.stringify(note)}, "utf8").trim() !== ""; } catch { return false; } };
setInterval(() => { if (started()) ${end}; }, 20);`;
      const PATH = `${fake.folder}${delimiter}${process.env.PATH}`;
      const env = {
        ...process.env,
        MM_PTX_NVCC: fake.path,
        MM_PTX_NVDISASM: fake.path,
        PATH,
        TMPDIR: folder,
      };
      spawnSync(process.execPath, ["--input-type=module", "-e", script], { env });
      const pid = Number(readFileSync(note, "utf8"));
      expect(pid).toBeGreaterThan(1);
      await until(() => !isAlive(pid));
      await until(() => readdirSync(folder).length === 1);
    } finally {
      fake.remove();
      rmSync(folder, { recursive: true });
    }
  });
});

describe.each(CUDA_BACKENDS)("backend %s", { timeout: 60_000 }, (backend) => {
  test("is not stopped by the terminal's signals, which this process handles", async () => {
    const script = `import { CudaCompiler } from ${PACKAGE};
process.on("SIGINT", () => {});
const compiler = new CudaCompiler({ backend: "${backend}", cache: false });
const call = compiler.compile(${JSON.stringify(KERNEL)}, { arch: "sm_90" });
process.kill(0, "SIGINT");
setTimeout(() => process.kill(0, "SIGINT"), 20);
call.then(() => console.log("made"), (error) => console.log(error.message));`;
    // A process group, as a terminal creates it.
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { detached: true });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect(said).toBe("made\n");
  });
});
