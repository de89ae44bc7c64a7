// A server without room, and clocks that are wrong: jobs are compiled, or fail with an error that names the cause.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type JobResult, PtxCompiler } from "@mm-ptx/cuda";
import { jetstreamManager } from "@nats-io/jetstream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { openConnection } from "../src/connection.js";
import { FarmCompiler } from "../src/index.js";
import { STREAM } from "../src/names.js";
import { LACKS, ptxOf, TestFarm } from "./support/farm.js";

const OPTIONS = { arch: "sm_90", cache: false, workers: 1 } as const;

/** The job of a text beside another one, because single jobs do not go through the server's queue. */
async function queued(compiler: FarmCompiler, text: string): Promise<JobResult> {
  return (await compiler.compileAll([text, ptxOf("0")]))[0]!;
}

/** A file system of two megabytes; `undefined` for somebody who may not make one. */
function smallFolder(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-small-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}

describe.skipIf(LACKS !== undefined)(`a farm with limits${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  it("says that the queue takes no jobs, and goes on when it does again", async () => {
    await using farm = await TestFarm.start();
    const worker = await farm.worker();
    const connection = await openConnection({ servers: [farm.servers] }, "test", "_INBOX_test.x");
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    const { max_bytes } = (await streams.info(STREAM)).config;
    await streams.update(STREAM, { max_bytes: 100 });
    await using remote = new FarmCompiler({
      ...OPTIONS,
      servers: farm.servers,
      local: "never",
      patienceMs: 100,
    });
    expect(await queued(remote, ptxOf(1))).toMatchObject({
      ok: false,
      error: {
        code: "UNAVAILABLE",
        what: "farm",
        message: "expected the server to queue jobs, found: maximum bytes exceeded",
        cause: { code: "QUEUE" },
      },
    });
    await using helped = new FarmCompiler({ ...OPTIONS, servers: farm.servers });
    await helped.compileAll(Array.from({ length: 20 }, (_, i) => ptxOf(i)));
    expect(helped.farm).toMatchObject({ remote: 0, local: 20 });
    await streams.update(STREAM, { max_bytes });
    await using patient = new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never" });
    expect(await queued(patient, ptxOf(2))).toMatchObject({ info: { farm: { worker: worker.id } } });
    await connection.close();
  });

  it("says that the disk of the server may be full", async (context) => {
    const folder = smallFolder();
    if (folder === undefined) return context.skip();
    await using farm = await TestFarm.start({ folder });
    const worker = await farm.worker();
    const pool = "13_0_88-x64-00000005";
    const busy = await farm.busyWorker(pool);
    const fill = join(folder, "fill");
    expect(() => writeFileSync(fill, Buffer.alloc(2 ** 22))).toThrow("ENOSPC");
    await using remote = new FarmCompiler({
      ...OPTIONS,
      servers: farm.servers,
      local: "never",
      patienceMs: 100,
    });
    const failed = await queued(remote, `${ptxOf(1)}// ${"x".repeat(10_000)}`);
    expect(failed.ok ? undefined : failed.error).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/expected the server to queue jobs, found/),
      cause: { code: "QUEUE" },
    });
    const full = "nats-server takes no jobs until the disk has room";
    await vi.waitFor(async () => expect(await farm.server.problem()).toBe(full), 10_000);
    // Single jobs need no queue while a core is idle.
    expect((await remote.compile(ptxOf(3))).info.farm).toMatchObject({ worker: worker.id });
    await using single = new FarmCompiler({
      ...OPTIONS,
      servers: farm.servers,
      local: "never",
      pool,
      patienceMs: 100,
    });
    await expect(single.compile(ptxOf(4))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      cause: { code: "QUEUE" },
    });
    await busy.close();
    rmSync(fill);
    await using patient = new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never" });
    expect(await queued(patient, ptxOf(2))).toMatchObject({ info: { farm: expect.anything() } });
    await vi.waitFor(async () => expect(await farm.server.problem()).toBeUndefined(), 10_000);
  });

  it("connects again after the clock has been set back", async () => {
    await using farm = await TestFarm.start();
    const connection = await openConnection({ servers: [farm.servers] }, "test", "_INBOX_test.x");
    onTestFinished(() => connection.close());
    const past = Date.now() - 6 * 3_600_000;
    vi.spyOn(Date, "now").mockReturnValue(past);
    const again = (async () => {
      for await (const { type } of connection.status()) if (type === "reconnect") return true;
      return false;
    })();
    await connection.reconnect();
    expect(await again).toBe(true);
  });

  it("does not depend on clocks, which may be hours apart and jump", async () => {
    await using farm = await TestFarm.start();
    const skewed = fileURLToPath(new URL("support/skewed-clock.mjs", import.meta.url));
    const workers = await Promise.all(
      [-7, 7].map((hours) =>
        farm.workerProcess(["--no-cache"], ["--import", skewed], { SKEW_HOURS: `${hours}` }),
      ),
    );
    await using local = new PtxCompiler(OPTIONS);
    const texts = Array.from({ length: SOAK ? 100 : 40 }, (_, i) => ptxOf(i));
    const expected = (await local.compileAll(texts)).map((each) => each.ok && each.cubin);
    const { now } = Date;
    onTestFinished(() => {
      Date.now = now;
    });
    await using remote = new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never" });
    const found: (Uint8Array | undefined)[] = [];
    let hours = 0;
    for await (const result of remote.stream(texts)) {
      // The clock of this process jumps with each result, in both directions.
      hours = hours > 0 ? -hours : 3 - hours;
      Date.now = () => now() + hours * 3_600_000;
      expect(found[result.index]).toBeUndefined();
      if (result.ok) found[result.index] = result.cubin;
    }
    expect(found).toEqual(expected);
    expect(remote.farm).toMatchObject({ resubmitted: 0, repeated: 0, wrong: 0 });
    for (const worker of workers) {
      worker.kill("SIGTERM");
      await once(worker, "exit");
      expect(worker.exitCode).toBe(0);
    }
  });
});
