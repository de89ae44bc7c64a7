// Others in a farm: a worker that lies, and a submitter with very much work.

import { PtxCompiler } from "@mm-ptx/cuda";
import type { BackendOutcome } from "@mm-ptx/cuda/backend";
import { jetstream } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection } from "../src/connection.js";
import { encodeAnswer } from "../src/frames/outcomes.js";
import { decodeParcel } from "../src/frames/parcel.js";
import { FarmCompiler } from "../src/index.js";
import { consumerOf, DECLARE, HEADERS, inboxOf, placesIn, resultsOf, STATUS, STREAM } from "../src/names.js";
import { LACKS, ptxOf, TestFarm } from "./support/farm.js";

const OPTIONS = { arch: "sm_90", cache: false, workers: 1, local: "never" } as const;
const POOL = "13_0_88-x64-0badc0de";

/** A worker of a pool of its own that answers each parcel with what `lie` makes. */
async function startLiar(servers: string, lie: (jobs: number) => Uint8Array): Promise<NatsConnection> {
  const connection = await openConnection({ servers: [servers] }, "liar", inboxOf("worker", "liar"));
  await connection.request(DECLARE, POOL);
  const status = { kind: "worker", id: "liar", pool: POOL, cores: 2, draining: false };
  connection.subscribe(STATUS, { callback: (_, message) => void message.respond(JSON.stringify(status)) });
  const consumer = await jetstream(connection, { checkAPI: false }).consumers.get(STREAM, consumerOf(POOL));
  const take = async (): Promise<void> => {
    while (!connection.isClosed()) {
      const message = await consumer.next({ expires: 1000 }).catch(() => null);
      const parcel = message?.headers?.get(HEADERS.parcel);
      if (message == null || parcel === undefined) continue;
      const { submitter } = placesIn(message.subject);
      const head = headers();
      head.set(HEADERS.part, "a/0/1");
      const { jobs } = decodeParcel(message.data);
      await connection
        .request(resultsOf(submitter, parcel), lie(jobs.length), { timeout: 2000, headers: head })
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

  it("with much work do not keep others waiting", async () => {
    const worker = await farm.worker();
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
    greedy.dispose();
    await all;
    await worker.drain();
  });
});
