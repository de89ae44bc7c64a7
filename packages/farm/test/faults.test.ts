// Workers that stand still, drain or die of a job, and submitters that are busy or go: no job is lost, none is answered twice, and
// every cubin is that of this machine's compiler. `soak.test.ts` kills workers and servers.

import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type JobResult, PtxCompiler } from "@mm-ptx/cuda";
import { jetstreamManager } from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { openConnection } from "../src/connection.js";
import { encodeParcel } from "../src/frames/parcel.js";
import { FarmCompiler } from "../src/index.js";
import { HEADERS, jobsOf, STREAM } from "../src/names.js";
import { LACKS, longPtx, ptxOf, TestFarm } from "./support/farm.js";

const OPTIONS = { arch: "sm_90", cache: false, workers: 1 } as const;
const JOBS = SOAK ? 5000 : 100;

const texts = Array.from({ length: JOBS }, (_, i) => ptxOf(i));
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Keeps this thread from doing anything else, without taking a core from the workers. */
const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe.skipIf(LACKS !== undefined)(`a farm in trouble${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  let expected: readonly string[];
  beforeAll(async () => {
    await using local = new PtxCompiler({ ...OPTIONS, workers: 2 });
    expected = (await local.compileAll(texts)).map(codeOf);
  }, 600_000);
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await TestFarm.start();
  });
  afterAll(async () => farm?.[Symbol.asyncDispose]());

  const remote = (options = {}) =>
    new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never", ...options });

  /** Resolves when the queue has no parcels. */
  async function emptied(): Promise<void> {
    const connection = await openConnection({ servers: [farm.servers] }, "test", "_INBOX_test.v");
    const { streams } = await jetstreamManager(connection);
    while ((await streams.info(STREAM)).state.messages > 0) await pause(20);
    await connection.close();
  }

  /** Compiles all jobs while `trouble` happens, and checks that each is answered once, with the right bytes. */
  async function compileDuring(compiler: FarmCompiler, trouble: (done: () => number) => Promise<void>) {
    const found = new Map<number, string>();
    let ended = false;
    const running = (async () => {
      for await (const result of compiler.stream(texts)) {
        expect(found.has(result.index)).toBe(false);
        found.set(result.index, codeOf(result));
      }
      ended = true;
    })();
    await Promise.all([running, trouble(() => (ended ? JOBS : found.size))]);
    expect(found.size).toBe(JOBS);
    expect(texts.map((_, i) => found.get(i))).toEqual(expected);
  }

  it("outlives a worker that stands still for longer than the server waits, and then goes on", async () => {
    await using compiler = remote();
    const [still, other] = await Promise.all([farm.workerProcess(), farm.workerProcess()]);
    await compileDuring(compiler, async (done) => {
      while (done() < JOBS / 10) await pause(5);
      still.kill("SIGSTOP");
      await pause(4000);
      still.kill("SIGCONT");
    });
    for (const worker of [still, other]) {
      worker.kill("SIGTERM");
      await once(worker, "exit");
    }
  });

  it.each([
    ["has taken a parcel", "pulled"],
    ["is compiling", "compiling"],
    ["has answered, but not seen the receipt", "answered"],
    ["has seen the receipt, but not acknowledged the parcel", "receipted"],
  ])("outlives a worker that dies when it %s", async (_, when) => {
    const dying = fileURLToPath(new URL("support/dying.mjs", import.meta.url));
    const worker = await farm.workerProcess([], ["--import", dying], { DIE_WHEN: when });
    await using compiler = remote();
    const jobs = texts.slice(0, 6);
    const died = once(worker, "exit");
    const all = compiler.compileAll(jobs);
    expect((await died)[1]).toBe("SIGKILL");
    const healthy = await farm.worker();
    expect((await all).map(codeOf)).toEqual(expected.slice(0, jobs.length));
    await emptied();
    // What the first one has answered is not compiled again.
    const { jobs: done, redelivered } = healthy.status();
    const { remote: answered, resubmitted, wrong } = compiler.farm!;
    expect({ answered, resubmitted, wrong }).toEqual({ answered: jobs.length, resubmitted: 0, wrong: 0 });
    expect(redelivered).toBeGreaterThan(0);
    if (when === "pulled" || when === "compiling") expect(done).toBe(jobs.length);
    else expect(done).toBeLessThan(jobs.length);
    await healthy.drain();
  });

  it("declares a queue again that was deleted", async () => {
    const worker = await farm.worker();
    await using compiler = remote();
    expect((await compiler.compileAll(texts.slice(0, 4))).map(codeOf)).toEqual(expected.slice(0, 4));
    const connection = await openConnection({ servers: [farm.servers] }, "test", "_INBOX_test.w");
    await (await jetstreamManager(connection)).streams.delete(STREAM);
    await connection.close();
    expect((await compiler.compileAll(texts.slice(4, 12))).map(codeOf)).toEqual(expected.slice(4, 12));
    await worker.drain();
  });

  it("outlives a program that is busy for longer than workers wait for its receipts", async () => {
    await using compiler = remote();
    const worker = await farm.workerProcess();
    await compileDuring(compiler, async (done) => {
      while (done() < JOBS / 10) await pause(5);
      block(6500);
    });
    worker.kill("SIGTERM");
    await once(worker, "exit");
  });

  it("fails a job that kills every worker, and no other", async () => {
    await using compiler = remote();
    const poison = fileURLToPath(new URL("support/poison.mjs", import.meta.url));
    let isOver = false;
    let deaths = 0;
    const keepWorker = async (): Promise<void> => {
      while (!isOver) {
        const worker = await farm.workerProcess([], ["--import", poison]);
        if (isOver) worker.kill();
        else if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
        if (!isOver) deaths++;
      }
    };
    const kept = keepWorker();
    const jobs = texts.slice(0, 30).toSpliced(11, 0, `${ptxOf("poison")}// poison\n`);
    const results = await compiler.compileAll(jobs);
    isOver = true;
    expect(results.toSpliced(11, 1).map(codeOf)).toEqual(expected.slice(0, 30));
    expect(results[11]).toMatchObject({ ok: false, error: { code: "CRASHED", ptx: jobs[11] } });
    expect(deaths).toBeLessThanOrEqual(4);
    farm.endWorkers();
    await kept;
  }, 120_000);

  it("gives parcels that nobody has finished to another worker when one drains", async () => {
    await using compiler = remote();
    const [first, second] = [await farm.worker(), await farm.worker()];
    await compileDuring(compiler, async (done) => {
      while (done() < JOBS / 3) await pause(5);
      await first.drain();
    });
    expect(second.status().jobs).toBeGreaterThan(0);
    expect(first.status().busy).toBe(0);
    await second.drain();
  });

  it("sends jobs again that workers have not finished when they drained, however many did", async () => {
    await using compiler = remote();
    const all = compiler.compileAll([longPtx()]);
    for (let i = 0; i < 4; i++) {
      const worker = await farm.worker();
      while (worker.status().busy === 0) await pause(5);
      await pause(100);
      await worker.drain(0);
    }
    const last = await farm.worker();
    expect((await all).map(({ ok }) => ok)).toEqual([true]);
    expect(compiler.farm).toMatchObject({ remote: 1, wrong: 0 });
    await last.drain();
  });

  it("leaves the parcels of a submitter that has gone", async () => {
    const worker = await farm.worker({ waits: { receiptMs: 5000, holdMs: 1000 } });
    const compiler = remote();
    const all = compiler.compileAll(texts).catch(() => {});
    while (worker.status().jobs === 0) await pause(5);
    compiler.dispose();
    await all;
    const connection = await openConnection({ servers: [farm.servers] }, "test", "_INBOX_test.y");
    const { streams } = await jetstreamManager(connection);
    while ((await streams.info(STREAM)).state.messages > 0) await pause(100);
    expect(worker.status().abandoned).toBeGreaterThan(0);
    expect(worker.status().jobs).toBeLessThan(JOBS);
    await connection.close();
    await worker.drain();
  });

  it("compiles alone, with a warning, while no worker is there", async () => {
    await using compiler = remote({ local: "help" });
    const results = await compiler.compileAll(texts.slice(0, 20));
    expect(results.map(codeOf)).toEqual(expected.slice(0, 20));
    expect(compiler.farm).toMatchObject({ remote: 0, local: 20 });
  });

  it("says which pools there are when nobody serves the one that is asked for", async () => {
    const worker = await farm.worker();
    await using compiler = remote({ pool: "1_2_3-x64-00000000", patienceMs: 1500 });
    await expect(compiler.compile(ptxOf(1))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      what: "farm",
      message: expect.stringContaining(
        `expected workers of the pool 1_2_3-x64-00000000, found workers of ${worker.pool}`,
      ),
    });
    await worker.drain();
  });

  it("says soon what jobs wait for, and which pools there are", async () => {
    const worker = await farm.worker();
    const pool = "1_2_3-x64-00000000";
    await using compiler = remote({ pool });
    const warned = once(process, "warning");
    const job = compiler.compile(ptxOf(1)).catch(() => {});
    expect((await warned)[0]).toMatchObject({
      code: "MM_PTX_FARM_WAITING",
      message: `jobs wait up to 60 s for the farm: expected workers of the pool ${pool}, found workers of ${worker.pool}`,
    });
    compiler.dispose();
    await job;
    await worker.drain();
  });

  it("refuses messages that are no parcels, and keeps none of them", async () => {
    const worker = await farm.worker();
    const connection = await openConnection({ servers: [farm.servers] }, "test", "_INBOX_test.x");
    const manager = await jetstreamManager(connection);
    const good = encodeParcel({ options: { arch: "sm_90" }, timeoutMs: 0, jobs: [], deaths: 0 });
    const messages = [Buffer.from("no frame"), good.subarray(0, 40), Buffer.concat([good, good])];
    const refused: string[] = [];
    connection.subscribe("mm.results.stranger.>", {
      callback: (_, message) => {
        refused.push(message.subject);
        message.respond("");
      },
    });
    for (const [i, message] of messages.entries()) {
      const head = headers();
      head.set(HEADERS.parcel, `${"0".repeat(16)}.${i}`);
      await manager.jetstream().publish(jobsOf(worker.pool, "stranger"), message, { headers: head });
    }
    // Without the header, nobody can be told.
    await manager.jetstream().publish(jobsOf(worker.pool, "stranger"), messages[0]!);
    while (refused.length < messages.length) await pause(10);
    while ((await manager.streams.info(STREAM)).state.messages > 0) await pause(10);
    expect(worker.status()).toMatchObject({ refused: messages.length, jobs: 0 });
    await connection.close();
    await worker.drain();
  });
});

const codeOf = (result: JobResult): string =>
  result.ok ? Buffer.from(result.cubin).toString("base64") : `${result.error.code} ${result.error.message}`;
