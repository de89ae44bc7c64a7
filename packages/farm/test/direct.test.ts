// A job that a caller waits for alone goes to a worker without the server's queue, if a worker has a core for it.

import { fileURLToPath } from "node:url";
import { PtxCompiler } from "@mm-ptx/cuda";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection } from "../src/connection.js";
import { FarmCompiler } from "../src/index.js";
import { aheadOf, jobsOf, STREAM } from "../src/names.js";
import { LACKS, longPtx, ptxOf, TestFarm } from "./support/farm.js";

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** As many instructions as keep a compiler busy until a worker has been asked a few times. */
const LONG = 40_000;
const OPTIONS = { arch: "sm_90", cache: false, workers: 1 } as const;

describe.skipIf(LACKS !== undefined)(
  `single jobs of a farm${LACKS === undefined ? "" : ` (${LACKS})`}`,
  () => {
    let farm: TestFarm;
    let connection: NatsConnection;
    beforeAll(async () => {
      farm = await TestFarm.start();
      connection = await openConnection({ servers: [farm.servers] }, "test", "_INBOX_test.z");
    });
    afterAll(async () => {
      await connection?.close();
      await farm?.[Symbol.asyncDispose]();
    });
    const remote = () => new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never" });
    const queued = async () => {
      const { streams } = await jetstreamManager(connection);
      return (await streams.info(STREAM)).state.last_seq;
    };
    /** Resolves when a worker is asked for the second time whether it still has a job, so that it has said it once. */
    const asked = (worker: string) =>
      new Promise<void>((resolve) => {
        let asks = 0;
        const asking = connection.subscribe(aheadOf(worker, "*", "*.*"), {
          callback: (_, message) => {
            if (message.data.length > 0 || ++asks < 2) return;
            asking.unsubscribe();
            resolve();
          },
        });
      });
    const cubinOf = async (text: string) => {
      await using local = new PtxCompiler(OPTIONS);
      return (await local.compile(text)).cubin;
    };

    it("are not put into the queue while a core is free", async () => {
      const worker = await farm.worker();
      await using compiler = remote();
      const before = await queued();
      for (let i = 0; i < 3; i++) {
        const { cubin, info } = await compiler.compile(ptxOf(i));
        expect(cubin).toEqual(await cubinOf(ptxOf(i)));
        expect(info.farm).toMatchObject({ worker: worker.id, deliveries: 1 });
      }
      expect(await queued()).toBe(before);
      expect(worker.status()).toMatchObject({ parcels: 3, jobs: 3 });
      expect(compiler.farm).toMatchObject({ parcels: 3, remote: 3, repeated: 0, resubmitted: 0 });
      await worker.drain();
    });

    it("are put into the queue when all cores are busy", async () => {
      const worker = await farm.worker();
      await using other = remote();
      await using compiler = remote();
      const before = await queued();
      const many = other.compileAll(Array.from({ length: 60 }, (_, i) => ptxOf(1000 + i)));
      while (worker.status().busy === 0) await pause(1);
      const queuedOthers = await queued();
      expect(queuedOthers).toBeGreaterThan(before);
      const { cubin } = await compiler.compile(ptxOf(7));
      expect(cubin).toEqual(await cubinOf(ptxOf(7)));
      expect(await queued()).toBeGreaterThan(queuedOthers);
      expect((await many).every(({ ok }) => ok)).toBe(true);
      await worker.drain();
    });

    describe("when all cores are busy and the queue", () => {
      const POOL = "13_0_88-x64-00000005";
      const open = (options = {}) =>
        new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never", pool: POOL, ...options });
      /** What becomes of a job while nobody takes it, and after a worker with an idle core has come. */
      const settled = async (compiler: FarmCompiler, then: () => Promise<unknown>) => {
        const busy = await farm.busyWorker(POOL);
        let isDone = false;
        const result = compiler.compile(ptxOf(3)).finally(() => {
          isDone = true;
        });
        // It is offered again whenever the queue has not taken it.
        while (busy.offers < 3) await pause(5);
        expect(isDone).toBe(false);
        const worker = await farm.worker({ pool: POOL, waits: { receiptMs: 5000, holdMs: 100 } });
        await then();
        await busy.close();
        const { cubin, info } = await result;
        expect(cubin).toEqual(await cubinOf(ptxOf(3)));
        expect(info.farm).toMatchObject({ worker: worker.id });
        await worker.drain();
      };

      it("takes none, they fail and say so, or wait for an idle core", async () => {
        const { streams } = await jetstreamManager(connection, { checkAPI: false });
        const { max_bytes } = (await streams.info(STREAM)).config;
        await streams.update(STREAM, { max_bytes: 100 });
        const busy = await farm.busyWorker(POOL);
        await using hasty = open({ patienceMs: 100 });
        await expect(hasty.compile(ptxOf(1))).rejects.toMatchObject({
          code: "UNAVAILABLE",
          what: "farm",
          message: "expected the server to queue jobs, found: maximum bytes exceeded",
          cause: { code: "QUEUE" },
        });
        await busy.close();
        const before = await queued();
        await using patient = open();
        await settled(patient, async () => {});
        expect(await queued()).toBe(before);
        await streams.update(STREAM, { max_bytes });
      });

      it("has as many parcels of their submitter as it keeps, they wait", async () => {
        const { streams } = await jetstreamManager(connection, { checkAPI: false });
        const busy = await farm.busyWorker(POOL);
        const subject = jobsOf(POOL, "full");
        for (let i = 0; i < 64; i++) await jetstream(connection, { checkAPI: false }).publish(subject, "");
        await expect(jetstream(connection, { checkAPI: false }).publish(subject, "")).rejects.toThrow(
          "maximum messages per subject",
        );
        await busy.close();
        await using compiler = open({ submitter: "full" });
        await settled(compiler, () => streams.purge(STREAM, { filter: subject }));
        expect(compiler.farm).toMatchObject({ remote: 1, wrong: 0 });
      });

      it("takes none, a job that a worker has does not fail with those that wait", async () => {
        const { streams } = await jetstreamManager(connection, { checkAPI: false });
        const { max_bytes } = (await streams.info(STREAM)).config;
        const worker = await farm.worker({ pool: POOL });
        await using compiler = open({ patienceMs: 1_000 });
        await compiler.compile(ptxOf(0));
        // It takes longer than the other one's patience.
        const held = compiler.compile(longPtx(60_000));
        while (worker.status().busy === 0) await pause(5);
        await pause(100);
        await streams.update(STREAM, { max_bytes: 100 });
        await expect(compiler.compile(ptxOf(1))).rejects.toMatchObject({ cause: { code: "QUEUE" } });
        expect((await held).info.farm).toMatchObject({ worker: worker.id, deliveries: 1 });
        await streams.update(STREAM, { max_bytes });
        await worker.drain();
      });
    });

    it("go through the queue when their worker dies before it has told that it has them", async () => {
      const poison = fileURLToPath(new URL("support/poison.mjs", import.meta.url));
      const worker = await farm.workerProcess([], ["--import", poison]);
      await using compiler = remote();
      const text = `${ptxOf("1")}// poison\n`;
      const before = await queued();
      const result = compiler.compile(text);
      while (worker.exitCode === null && worker.signalCode === null) await pause(10);
      const healthy = await farm.worker();
      expect((await result).cubin).toEqual(await cubinOf(text));
      expect((await result).info.farm).toMatchObject({ worker: healthy.id });
      expect(await queued()).toBeGreaterThan(before);
      expect(compiler.farm).toMatchObject({ resubmitted: 0, remote: 1 });
      await healthy.drain();
    });

    it("are sent again when their worker dies later", async () => {
      const worker = await farm.workerProcess();
      await using compiler = remote();
      await compiler.compile(ptxOf(0));
      const text = longPtx(LONG);
      const result = compiler.compile(text);
      await Promise.race([asked("*"), result]);
      worker.kill("SIGKILL");
      const healthy = await farm.worker();
      expect((await result).cubin).toEqual(await cubinOf(text));
      expect((await result).info.farm).toMatchObject({ worker: healthy.id });
      expect(compiler.farm).toMatchObject({ resubmitted: 1, remote: 2 });
      await healthy.drain();
    });
  },
);
