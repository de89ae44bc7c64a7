// Threads that end at random moments while they use devices and compilers: the process lives on, and each of them ends.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "../driver/support/fake-driver.js";
import { IN_PROCESS, ISOLATED } from "../support/backends.js";
import { InstalledPackage, NATIVE } from "../support/installed.js";

const SCRIPT = fileURLToPath(new URL("../../../../scripts/lib/terminations.mjs", import.meta.url));

describe.runIf(IN_PROCESS && ISOLATED && HAS_FAKE_DRIVER)("a process", { timeout: 600_000 }, () => {
  test("survives the ends of its threads", async () => {
    using fake = new FakeDriver();
    const count = smoke(440);
    const environment = { ...process.env, MM_PTX_DRIVER: fake.path };
    const words = [SCRIPT, `${count}`, "--compile"];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: environment });
    expect(stdout).toContain(`${count} threads ended\n`);
  });
});

describe.runIf(ISOLATED)("a thread that is blocked in compileSync, which never returns", () => {
  test.each([
    ["terminated", "await worker.terminate(); console.log('done');"],
    ["ended by the process's exit", "console.log('done'); process.exit(0);"],
  ])("can be %s", { timeout: 60_000 }, async (_, end) => {
    const installed = new InstalledPackage();
    try {
      const source = `
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  await once(worker, "message");
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" }).split("\\n").map((line) => line.trim().split(/ +/));
  for (const [pid, parent, name] of lines) {
    if (Number(parent) === process.pid && name === "mmptx-worker") process.kill(Number(pid), "SIGSTOP");
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  ${end}
} else {
  const compiler = new PtxCompiler({ cache: false, arch: "sm_90", backend: "isolated", workers: 1 });
  compiler.compileSync(ptx);
  parentPort.postMessage("compiled");
  for (;;) compiler.compileSync(slow);
}`;
      const ended = await installed.node(source, { MM_PTX_NATIVE_DIR: NATIVE });
      expect(ended).toMatchObject({ code: 0, signal: null, stdout: "done\n" });
    } finally {
      installed.remove();
    }
  });
});
