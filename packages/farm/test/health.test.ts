// What `--metrics` says about the health of a server and of a worker while nats-server is away.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findServer } from "../src/server/program.js";
import { freePort, LACKS, TestFarm } from "./support/farm.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const DOWN = { code: 503, text: "no connection to nats-server\n" };
const WAIT_MS = 15_000;

interface Answer {
  readonly code: number;
  readonly text: string;
}

describe.skipIf(LACKS !== undefined || process.platform === "win32")("health over HTTP", () => {
  function folderOf(): string {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-health-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  }
  async function begin(words: readonly string[], variables: Record<string, string> = {}) {
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => ended(child));
    await once(child.stdout!, "data");
    return child;
  }
  async function ended(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  const read = async (port: number, path: string): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { code: response.status, text: await response.text() };
  };
  const becomes = (port: number, expected: Answer): Promise<void> =>
    vi.waitFor(async () => expect(await read(port, "/healthz")).toEqual(expected), WAIT_MS);

  it("is bad while nats-server is away or stands still, and good again afterwards", async () => {
    const folder = folderOf();
    const { path } = await findServer();
    const [program, broken] = [join(folder, "nats-server"), join(folder, "broken")];
    writeFileSync(program, `#!/bin/sh\n[ -e '${broken}' ] && exit 1\nexec '${path}' "$@"\n`, { mode: 0o755 });
    const [port, ofServer, ofWorker] = [await freePort(), await freePort(), await freePort()];
    const served = ["serve", "--folder", folder, "--port", `${port}`, "--metrics", `${ofServer}`];
    await begin(served, { MM_PTX_NATS_SERVER: program });
    const words = ["worker", "--workers", "1", "--no-cache", "--metrics", `${ofWorker}`];
    await begin([...words, "--servers", `nats://127.0.0.1:${port}`]);
    const nats = () => Number(readFileSync(join(folder, "nats-server.pid"), "utf8"));
    const good = { code: 200, text: "ok\n" };
    for (const each of [ofServer, ofWorker]) expect(await read(each, "/healthz")).toEqual(good);

    writeFileSync(broken, "");
    process.kill(nats(), "SIGKILL");
    for (const each of [ofServer, ofWorker]) await becomes(each, DOWN);
    // Nothing of a farm can be asked, but a worker knows its own figures, and both processes live.
    expect(await read(ofServer, "/metrics")).toEqual(DOWN);
    expect((await read(ofWorker, "/metrics")).code).toBe(200);
    for (const each of [ofServer, ofWorker]) expect(await read(each, "/livez")).toEqual(good);

    rmSync(broken);
    for (const each of [ofServer, ofWorker]) await becomes(each, good);

    process.kill(nats(), "SIGSTOP");
    const still = { code: 503, text: "nats-server has not answered for 800 ms\n" };
    for (const each of [ofServer, ofWorker]) expect(await read(each, "/healthz")).toEqual(still);
    process.kill(nats(), "SIGCONT");
    for (const each of [ofServer, ofWorker]) await becomes(each, good);
  }, 60_000);

  it("of a worker is bad while it drains", async () => {
    await using farm = await TestFarm.start();
    const worker = await farm.worker();
    expect(await worker.problem()).toBeUndefined();
    const drained = worker.drain();
    expect(await worker.problem()).toBe("draining");
    await drained;
  });
});
