// Jobs that workers end: those over the worker's time limit, and those that nobody waits for any more.

import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FarmCompiler } from "../src/index.js";
import { LACKS, longPtx, TestFarm } from "./support/farm.js";

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
/** Its compile would outlast the test. */
const ENDLESS = longPtx(100_000);

describe.skipIf(LACKS !== undefined)(`a worker of a farm${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await TestFarm.start();
  });
  afterAll(async () => farm?.[Symbol.asyncDispose]());
  const remote = () =>
    new FarmCompiler({ arch: "sm_90", cache: false, servers: farm.servers, local: "never" });

  it("ends jobs after its time limit or theirs, whichever is shorter", async () => {
    const worker = await farm.workerProcess(["--no-cache", "--timeout-limit-ms", "300"]);
    await using compiler = remote();
    const limits = [undefined, 60_000, 20];
    const ptx = longPtx();
    const results = await Promise.all(
      limits.map((timeoutMs) => compiler.compileAll([{ ptx, ...(timeoutMs && { timeoutMs }) }])),
    );
    const errors = results.map(([result]) => (result!.ok ? undefined : result!.error));
    const { worker: id } = errors[0]!.farm!;
    const within = (limit: string) =>
      expect.stringMatching(
        new RegExp(`^expected the compile to finish within ${limit}, stopped it after \\d+ ms$`),
      );
    const ofWorker = { code: "TIMEOUT", message: within(`300 ms, the limit of the worker ${id}`) };
    expect(errors).toMatchObject([ofWorker, ofWorker, { code: "TIMEOUT", message: within("20 ms") }]);
    worker.kill();
    await once(worker, "exit");
  });

  it("ends jobs whose submitter has gone, or has aborted them", async () => {
    const worker = await farm.worker({ waits: { receiptMs: 5000, holdMs: 50, askMs: 20 } });
    const begun = async () => {
      while (worker.status().busy === 0) await pause();
    };
    const ended = async () => {
      while (worker.status().busy > 0) await pause();
    };
    await using compiler = remote();
    const controller = new AbortController();
    const aborted = compiler.compile(ENDLESS, { signal: controller.signal });
    await begun();
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "ABORTED" });
    await ended();
    expect(worker.status()).toMatchObject({ jobs: 0, abandoned: 0 });
    expect(compiler.farm).toMatchObject({ open: 0 });

    // A single job comes without the queue, and others through it.
    for (const start of [
      (gone: FarmCompiler) => gone.compile(ENDLESS),
      (gone: FarmCompiler) => gone.compileAll([ENDLESS, `${ENDLESS}// another one\n`]),
    ]) {
      const gone = remote();
      const all = start(gone).catch(() => {});
      await begun();
      gone.dispose();
      await all;
      await ended();
    }
    while (worker.status().abandoned < 2) await pause();
    expect(worker.status()).toMatchObject({ jobs: 0, crashes: 0 });
    await worker.drain();
  });
});
