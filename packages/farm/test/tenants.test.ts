// Submitters who do not trust each other: a key allows the subjects of its role and name alone, and what one has compiled or sent
// is not there for another.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errors } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openConnection } from "../src/connection.js";
import { FarmCompiler } from "../src/index.js";
import { addKey, listedKeys, readKey } from "../src/keys.js";
import { inboxOf } from "../src/names.js";
import type { Worker } from "../src/worker/worker.js";
import { LACKS, ptxOf, TestFarm } from "./support/farm.js";

const ROLES = ["worker w1", "submitter alice", "submitter bob", "viewer wall"] as const;
type Who = "w1" | "alice" | "bob" | "wall";

/** What each may not do. Everything that is not allowed is forbidden; these are what somebody would try. */
const FORBIDDEN: Readonly<Record<Who, Readonly<Record<"publish" | "subscribe", readonly string[]>>>> = {
  alice: {
    publish: [
      "mm.jobs.any.bob",
      "mm.jobs.any",
      "mm.direct.any.bob.0000000000000000.1",
      "mm.results.bob.0000000000000000.1",
      "mm.results.alice.0000000000000000.1",
      "mm.blob.bob.0.0.0",
      "_INBOX_submitter.bob.x",
      "_INBOX_worker.w1.x",
      "mm.declare",
      "$JS.API.STREAM.CREATE.mm_jobs",
      "$JS.API.STREAM.DELETE.mm_jobs",
      "$JS.API.STREAM.PURGE.mm_jobs",
      "$JS.API.STREAM.INFO.mm_jobs",
      "$JS.API.STREAM.MSG.GET.mm_jobs",
      "$JS.API.STREAM.MSG.DELETE.mm_jobs",
      "$JS.API.DIRECT.GET.mm_jobs",
      "$JS.API.CONSUMER.CREATE.mm_jobs.mine",
      "$JS.API.CONSUMER.DELETE.mm_jobs.p_any",
      "$JS.API.CONSUMER.MSG.NEXT.mm_jobs.p_any",
      "$JS.ACK.mm_jobs.p_any.1.1.1.1.1",
      "$SYS.REQ.SERVER.PING",
    ],
    subscribe: [
      ">",
      "mm.>",
      "mm.jobs.>",
      "mm.jobs.*.bob",
      "mm.direct.*.*.*.*",
      "mm.results.>",
      "mm.results.*.0000000000000000.1",
      "mm.results.bob.>",
      "mm.blob.bob.>",
      "mm.worker.>",
      "mm.status",
      "mm.declare",
      "_INBOX_submitter.>",
      "_INBOX_submitter.bob.>",
      "_INBOX_worker.>",
      "$JS.ACK.>",
      "$JS.EVENT.>",
      "$SYS.>",
    ],
  },
  bob: {
    publish: ["mm.jobs.any.alice", "mm.direct.any.alice.0000000000000000.1"],
    subscribe: ["mm.results.alice.>", "mm.blob.alice.>"],
  },
  w1: {
    publish: [
      "mm.jobs.any.alice",
      "mm.direct.any.alice.0000000000000000.1",
      "mm.worker.other",
      "_INBOX_submitter.alice.x",
      "$JS.API.STREAM.PURGE.mm_jobs",
      "$JS.API.STREAM.MSG.GET.mm_jobs",
      "$JS.API.CONSUMER.CREATE.mm_jobs.mine",
      "$JS.API.CONSUMER.DELETE.mm_jobs.p_any",
    ],
    subscribe: [
      ">",
      "mm.results.>",
      "mm.blob.>",
      "mm.submitters",
      "mm.jobs.>",
      "mm.declare",
      "_INBOX_submitter.>",
    ],
  },
  wall: {
    publish: [
      "mm.declare",
      "mm.jobs.any.wall",
      "mm.direct.any.wall.0000000000000000.1",
      "mm.results.alice.0.1",
      "$JS.API.STREAM.INFO.mm_jobs",
    ],
    subscribe: [">", "mm.results.>", "mm.jobs.>", "mm.status", "mm.submitters", "_INBOX_submitter.>"],
  },
};

describe.skipIf(LACKS !== undefined)(`tenants of a farm${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-tenants-"));
  const keys = new Map<string, string>();
  let farm: TestFarm;
  let worker: Worker;
  beforeAll(async () => {
    for (const each of ROLES) {
      const [role, name] = each.split(" ") as ["worker" | "submitter" | "viewer", string];
      keys.set(name, addKey(folder, role, name));
    }
    farm = await TestFarm.start({ folder, keys: listedKeys(folder), adminKey: join(folder, "admin.key") });
    worker = await farm.worker({ key: keys.get("w1")!, cache: { folder: join(folder, "cache") } });
  });
  afterAll(async () => {
    await farm?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const compiler = (name: Who) =>
    new FarmCompiler({
      arch: "sm_90",
      cache: false,
      servers: farm.servers,
      key: keys.get(name)!,
      local: "never",
    });

  it.each(Object.entries(FORBIDDEN))("%s may not use the subjects of others", async (who, subjects) => {
    const path = keys.get(who)!;
    const { role, name } = readKey(path);
    const connection = await openConnection(
      { servers: [farm.servers], key: path },
      "test",
      inboxOf(role, name),
    );
    const refused: string[] = [];
    void (async () => {
      for await (const status of connection.status())
        if (status.type === "error" && status.error instanceof errors.PermissionViolationError)
          refused.push(`${status.error.operation} ${status.error.subject}`);
    })();
    for (const subject of subjects.publish) connection.publish(subject, "");
    for (const subject of subjects.subscribe) connection.subscribe(subject, { callback: () => {} });
    await connection.flush();
    const all = [
      ...subjects.publish.map((each) => `publish ${each}`),
      ...subjects.subscribe.map((each) => `subscription ${each}`),
    ];
    await vi.waitFor(() => expect(refused).toEqual(all));
    await connection.close();
  });

  it("a submitter neither finds nor changes what another one has compiled", async () => {
    const from = async (who: Who): Promise<string> => {
      await using one = compiler(who);
      return (await one.compile(ptxOf(5))).info.from;
    };
    expect(await from("alice")).toBe("compiled");
    expect(await from("alice")).toBe("cache");
    expect(await from("bob")).toBe("compiled");
    expect(worker.status()).toMatchObject({ jobs: 3, cached: 1, refused: 0 });
  });
});
