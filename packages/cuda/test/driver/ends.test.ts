// The end of a process or a thread with work in flight: it neither hangs nor crashes, nothing keeps running,
// and resources are freed where that is possible.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { oneFile } from "../../../../tests/support/one-file.js";
import { isAlive, until } from "../support/cuda.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";
import { WORKER } from "./support/session.js";

const PACKAGE = JSON.stringify(pathToFileURL(await oneFile("packages/cuda/dist/index.js")).href);

const OPENED = (isolate: boolean): string => `import { CudaDevice } from ${PACKAGE};
const device = CudaDevice.open(0, { isolate: ${isolate} });
const module = device.load(".version 7.5\\n.target sm_75\\n.address_size 64\\n.visible .entry k(.param .u64 p) { ret; }", { jit: true });
const buffer = device.allocateFloat32(1 << 20);
`;
const LAUNCHED = `device.stream.launch(module.kernel("k"), { grid: 1, block: 32 }, [buffer]);
`;

/** Opens a device and queues work, which the driver executes as it is told. */
const BUSY = (isolate: boolean): string => `${OPENED(isolate)}
buffer.copyFrom(new Float32Array(1 << 20)).catch(() => {});
${LAUNCHED}const read = buffer.read();
read.catch(() => {});
device.stream.synchronize().catch(() => {});
`;

/** Runs a script with a driver and returns its exit code, or the signal that killed it. */
async function runScript(fake: FakeDriver, script: string): Promise<number | string> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...process.env, MM_PTX_DRIVER: fake.path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString();
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0 && code !== 7 && signal === null) throw new Error(errors);
  return code ?? signal ?? "";
}

const PLACES = [
  { where: "in this process", isolate: false },
  { where: "isolated", isolate: true },
].filter(({ isolate }) => !isolate || WORKER !== "");

/** How the driver executes the work. */
const WORK = [
  ["is done", []],
  ["is queued for ever", ["hold streams"]],
  ["has a kernel that hangs", ["hang 1"]],
  ["breaks the context", ["sticky 700 1"]],
] as const;

const ENDS = [
  ["process.exit", "process.exit(7)", 7],
  [
    "an uncaught error",
    "process.exitCode = 7; process.on('uncaughtException', () => process.exit(7)); throw new Error('end')",
    7,
  ],
  ["a signal", "process.kill(process.pid, 'SIGKILL')", "SIGKILL"],
] as const;
/**
 * A sanitizer sees nothing in an end that runs no code. Such an end does not depend on the work either, of which two kinds are
 * tried outside of a soak.
 */
function endsOf(work: string): readonly (typeof ENDS)[number][] {
  if (SOAK) return ENDS;
  const isShown = process.env.MM_PTX_SANITIZER !== "1" && (work === WORK[1][0] || work === WORK[2][0]);
  return isShown ? [ENDS[0], ENDS[2]] : [ENDS[0]];
}

describe.runIf(HAS_FAKE_DRIVER).each(PLACES)(
  "work $where",
  { timeout: 60_000, concurrent: true },
  ({ isolate }) => {
    describe.each(WORK)("that %s", (work, orders) => {
      test.each(endsOf(work))("ends with %s", async (_end, statement, expected) => {
        using fake = new FakeDriver(orders);
        const script = `${BUSY(isolate)}setTimeout(() => { ${statement}; }, 20);`;
        expect(await runScript(fake, script)).toBe(expected);
        const processes = new Set(fake.calls().map((call) => call.process));
        for (const each of processes) await until(() => !isAlive(each));
      });

      test("ends with its thread, and spares the process", async () => {
        using fake = new FakeDriver(orders);
        const script = `import { Worker } from "node:worker_threads";
const busy = ${JSON.stringify(`${BUSY(isolate)}import { parentPort } from "node:worker_threads";
parentPort.postMessage("busy"); setInterval(() => {}, 1000);`)};
const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(busy)));
worker.once("message", async () => { await worker.terminate(); process.exitCode = 7; });`;
        expect(await runScript(fake, script)).toBe(7);
      });
    });

    test("that is done does not keep a process alive, and its resources are freed", async () => {
      using fake = new FakeDriver();
      expect(await runScript(fake, `${BUSY(isolate)}await read; process.exitCode = 7;`)).toBe(7);
      // An isolated process frees everything by ending.
      if (!isolate) fake.expectClean();
    });

    test.each([
      ["its device", "device.dispose();"],
      ["what it uses", "buffer.dispose(); module.dispose();"],
    ])("that never ends does not keep a process alive that has disposed %s", async (_, dispose) => {
      using fake = new FakeDriver(["hang 1"]);
      // A synchronous call returns after the launch, which therefore has begun when the process ends.
      const script = `${OPENED(isolate)}${LAUNCHED}device.memoryInfo(); ${dispose} process.exitCode = 7;`;
      expect(await runScript(fake, script)).toBe(7);
      expect(fake.calls("cuLaunchKernel")).toHaveLength(1);
    });

    test.each([
      ["its process", "process.exit(7)"],
      ["its thread", "worker.terminate().then(() => { process.exitCode = 7; })"],
    ])("that never ends releases a blocked thread at the end of %s", async (_, statement) => {
      using fake = new FakeDriver(["hang 1"]);
      const blocked = `${OPENED(isolate)}${LAUNCHED}import { parentPort } from "node:worker_threads";
parentPort.postMessage("blocked"); device.stream.synchronizeSync();`;
      const script = `import { Worker } from "node:worker_threads";
const busy = ${JSON.stringify(blocked)};
const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(busy)));
worker.once("message", () => setTimeout(() => { ${statement}; }, 50));`;
      expect(await runScript(fake, script)).toBe(7);
    });

    test.each([
      ["for a device to be closed", "device[Symbol.asyncDispose]()"],
      ["for a pending free", "(buffer.dispose(), device.stream.synchronize())"],
    ])("keeps a process alive that waits %s", async (_, wait) => {
      using fake = new FakeDriver(["hold streams"]);
      // If the process did not stay alive, it would end before the driver continues.
      const script = `${OPENED(isolate)}${LAUNCHED}import { writeFileSync } from "node:fs";
setTimeout(() => writeFileSync(${JSON.stringify(join(fake.folder, "control"))}, "\\n"), 200).unref();
await ${wait}; process.exitCode = 7; device.dispose();`;
      expect(await runScript(fake, script)).toBe(7);
    });

    test("continues in one thread while another one ends", async () => {
      using fake = new FakeDriver();
      const script = `import { Worker } from "node:worker_threads";
const work = ${JSON.stringify(`${BUSY(isolate)}import { parentPort } from "node:worker_threads";
const values = await read; parentPort.postMessage(values.length); device.dispose();`)};
const thread = () => new Promise((resolve, reject) => {
  const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(work)));
  let found = 0;
  worker.on("message", (length) => { found = length; }).on("error", reject).on("exit", () => resolve(found));
});
const lengths = await Promise.all([thread(), thread(), thread()]);
process.exitCode = lengths.every((length) => length === 1 << 20) ? 7 : 0;`;
      expect(await runScript(fake, script)).toBe(7);
      fake.expectClean();
    });
  },
);
