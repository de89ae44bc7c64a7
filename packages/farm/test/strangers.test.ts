// Others in a farm: a worker that lies, and a submitter with very much work.

import { type JobResult, PtxCompiler } from "@mm-ptx/cuda";
import type { BackendOutcome } from "@mm-ptx/cuda/backend";
import { jetstream } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection } from "../src/connection.js";
import { encodeAnswer } from "../src/frames/outcomes.js";
import { decodeParcel } from "../src/frames/parcel.js";
import { FarmCompiler } from "../src/index.js";
import {
  consumerOf,
  DECLARE,
  HEADERS,
  inboxOf,
  placesIn,
  resultsOf,
  STATUS,
  STREAM,
  SUBMITTERS,
} from "../src/names.js";
import { gatherStatus } from "../src/status/gather.js";
import { LACKS, ptxOf, statusOf, TestFarm } from "./support/farm.js";

const OPTIONS = { arch: "sm_90", cache: false, workers: 1, local: "never" } as const;
const POOL = "13_0_88-x64-0badc0de";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** A worker that answers each parcel with what `lie` makes. */
async function startLiar(
  servers: string,
  lie: (jobs: number) => Uint8Array,
  pool = POOL,
): Promise<NatsConnection> {
  const connection = await openConnection({ servers: [servers] }, "liar", inboxOf("worker", "liar"));
  await connection.request(DECLARE, pool);
  const status = JSON.stringify(statusOf("liar", pool, 2));
  connection.subscribe(STATUS, { callback: (_, message) => void message.respond(status) });
  const consumer = await jetstream(connection, { checkAPI: false }).consumers.get(STREAM, consumerOf(pool));
  const take = async (): Promise<void> => {
    while (!connection.isClosed()) {
      const message = await consumer.next({ expires: 1000 }).catch(() => null);
      const parcel = message?.headers?.get(HEADERS.parcel);
      if (message == null || parcel === undefined) continue;
      const { submitter } = placesIn(message.subject);
      const head = headers();
      head.set(HEADERS.part, "a/0/1");
      const read = decodeParcel(message.data);
      const { length } = "hash" in read ? [] : read.jobs;
      await connection
        .request(resultsOf(submitter, parcel), lie(length), { timeout: 2000, headers: head })
        .catch(() => {});
      message.ack();
    }
  };
  void take();
  return connection;
}

describe.skipIf(LACKS !== undefined)(`strangers in a farm${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  let farm: TestFarm;
  let foreign: Uint8Array;
  beforeAll(async () => {
    farm = await TestFarm.start();
    await using local = new PtxCompiler({ arch: "sm_80", cache: false, workers: 1 });
    foreign = (await local.compile(ptxOf(1))).cubin;
  });
  afterAll(async () => farm?.[Symbol.asyncDispose]());

  const compiled = (cubin: Uint8Array): BackendOutcome => ({
    kind: "compiled",
    cubin,
    log: "",
    milliseconds: 1,
    from: "compiled",
  });
  const answerOf = (outcomes: readonly BackendOutcome[]): Uint8Array =>
    encodeAnswer({ worker: "liar", deliveries: 1, heldMs: 0, first: 0, outcomes });

  it.each([
    ["cubins for another architecture", (n: number) => answerOf(Array(n).fill(compiled(foreign))), /sm_80/],
    ["empty cubins", (n: number) => answerOf(Array(n).fill(compiled(new Uint8Array()))), /cubin/],
    ["more outcomes than jobs", (n: number) => answerOf(Array(n + 1).fill(compiled(foreign))), /outcomes of/],
    ["no outcomes", () => answerOf([]), /outcomes of/],
    [
      "damaged bytes",
      (n: number) => {
        const bytes = answerOf(Array(n).fill(compiled(foreign)));
        bytes[60]! ^= 1;
        return bytes;
      },
      /a damaged frame/,
    ],
  ])("do no harm with %s: the job fails, and says why", async (_, lie, why) => {
    const liar = await startLiar(farm.servers, lie);
    await using compiler = new FarmCompiler({ ...OPTIONS, servers: farm.servers, pool: POOL });
    await expect(compiler.compile(ptxOf(2))).rejects.toMatchObject({
      code: "INTERNAL",
      message: expect.stringMatching(why),
    });
    expect(compiler.farm).toMatchObject({ wrong: 4 });
    await liar.close();
  });

  describe("that give the cubin of other PTX", () => {
    let other: Uint8Array;
    const lie = (n: number) => answerOf(Array(n).fill(compiled(other)));
    beforeAll(async () => {
      await using local = new PtxCompiler({ arch: "sm_90", cache: false, workers: 1 });
      other = (await local.compile(ptxOf(99))).cubin;
    });

    it("are believed without `verify`", async () => {
      const liar = await startLiar(farm.servers, lie);
      await using compiler = new FarmCompiler({ ...OPTIONS, servers: farm.servers, pool: POOL });
      expect((await compiler.compile(ptxOf(2))).cubin).toEqual(new Uint8Array(other));
      await liar.close();
    });

    it("are named and left out with it, beside an honest one and alone", async () => {
      const warnings: string[] = [];
      const warn = (warning: Error & { readonly code?: string }) => {
        if (warning.code === "MM_PTX_FARM_WORKER") warnings.push(warning.message);
      };
      process.on("warning", warn);
      const texts = Array.from({ length: 60 }, (_, i) => ptxOf(i));
      await using local = new PtxCompiler({ arch: "sm_90", cache: false, workers: 1 });
      const bytes = (results: readonly JobResult[]) => results.map((each) => each.ok && hexOf(each.cubin));
      const expected = bytes(await local.compileAll(texts));
      const honest = await farm.worker();
      const liar = await startLiar(farm.servers, lie, honest.pool);
      await using compiler = new FarmCompiler({ ...OPTIONS, servers: farm.servers, verify: 1 });
      const results = await compiler.compileAll(texts);
      expect(bytes(results)).toEqual(expected);
      expect(compiler.farm).toMatchObject({ leftOut: ["liar"] });
      for (const each of results) expect(each.ok && each.info.farm?.worker).not.toBe("liar");
      await honest.drain();
      // Nobody else is left.
      const options = { ...OPTIONS, servers: farm.servers, verify: 1, local: "help" } as const;
      await using second = new FarmCompiler(options);
      expect(bytes(await second.compileAll(texts.slice(0, 8)))).toEqual(expected.slice(0, 8));
      expect(second.farm).toMatchObject({ remote: 0, local: 8, leftOut: ["liar"] });
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toHaveLength(2);
      for (const message of warnings)
        expect(message).toContain(`the worker liar of the pool ${honest.pool} returned other machine code`);
      process.off("warning", warn);
      await liar.close();
    });

    it("compares no more than the share, and nothing wrong is found in honest workers", async () => {
      const honest = await farm.worker();
      await using compiler = new FarmCompiler({ ...OPTIONS, servers: farm.servers, verify: 0.2 });
      const texts = Array.from({ length: 60 }, (_, i) => (i % 10 === 9 ? ptxOf("%nowhere") : ptxOf(i)));
      const results = await compiler.compileAll(texts);
      expect(results.filter(({ ok }) => ok)).toHaveLength(54);
      const { compared, leftOut, wrong } = compiler.farm!;
      expect({ leftOut, wrong }).toEqual({ leftOut: [], wrong: 0 });
      expect(compared).toBeLessThan(50);
      expect(compiler.stats).toMatchObject({ compiled: 54, failed: 6 });
      await honest.drain();
    });
  });

  it("that say nonsense about themselves, or name a pool without a queue, do not count", async () => {
    const connection = await openConnection({ servers: [farm.servers] }, "liar", inboxOf("worker", "liar"));
    const good = statusOf("liar", "13_0_88-x64-00000009", 2);
    const told = [
      null,
      { kind: "worker", id: "a", cores: 4, draining: false },
      { ...good, id: "A worker" },
      { ...good, pool: 5 },
      { ...good, cores: 1e9 },
      { ...good, cores: "4" },
      { ...good, seconds: -1 },
      { kind: "submitter", name: "a", leftOut: "b" },
      good,
    ];
    const asked: string[] = [];
    for (const one of told)
      for (const subject of [STATUS, SUBMITTERS])
        connection.subscribe(subject, {
          callback: (_, message) => {
            asked.push(subject);
            message.respond(JSON.stringify(one));
          },
        });
    await connection.flush();
    await using newest = new FarmCompiler({
      ...OPTIONS,
      servers: farm.servers,
      pool: "newest",
    });
    // The good one says that it is there, and takes nothing.
    const compiled = newest.compile(ptxOf(1)).catch(() => {});
    while (asked.length < 3 * told.length) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(newest.farm).toMatchObject({ pool: good.pool, slots: 2 });
    const { workers, submitters, pools } = await gatherStatus(connection, inboxOf("worker", "liar"));
    expect(workers).toEqual([good]);
    expect(submitters.map(({ pool }) => pool)).toEqual([good.pool]);
    expect(pools).toMatchObject([{ pool: good.pool, cores: 2, waiting: 0, taken: 0 }]);
    newest.dispose();
    await compiled;
    await connection.close();
  });

  it("with much work do not keep others waiting", async () => {
    const worker = await farm.worker({ waits: { receiptMs: 5000, holdMs: 500 } });
    const greedy = new FarmCompiler({ ...OPTIONS, servers: farm.servers, submitter: "greedy" });
    let done = 0;
    const all = (async () => {
      for await (const result of greedy.stream(Array.from({ length: 2000 }, (_, i) => ptxOf(i))))
        if (result.ok) done++;
    })().catch(() => {});
    while (done < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    await using modest = new FarmCompiler({ ...OPTIONS, servers: farm.servers, submitter: "modest" });
    await modest.compile(ptxOf(-1));
    expect(done).toBeLessThan(1500);
    // From then on, both get about as much of the worker.
    const before = done;
    const jobs = Array.from({ length: 150 }, (_, i) => ptxOf(-2 - i));
    await modest.compileAll(jobs);
    expect(jobs.length / (jobs.length + done - before)).toBeGreaterThan(0.3);
    greedy.dispose();
    await all;
    await worker.drain();
  });
});
