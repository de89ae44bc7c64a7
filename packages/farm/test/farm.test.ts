// A farm gives what a compiler of this machine gives: the same cubins, the same errors, in the same order.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JobResult, PtxCompileError, PtxCompiler, type PtxJob } from "@mm-ptx/cuda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection } from "../src/connection.js";
import { FarmCompiler, type WorkerStatus } from "../src/index.js";
import { inboxOf } from "../src/names.js";
import { gatherStatus } from "../src/status/gather.js";
import { LACKS, longPtx, ptxOf, TestFarm } from "./support/farm.js";
import { plain } from "./support/results.js";

const OPTIONS = { arch: "sm_90", cache: false, workers: 1 } as const;

const TEMPLATE = {
  names: ["value"],
  segments: [ptxOf("@").split("@")[0]!, ptxOf("@").split("@")[1]!],
  holes: [0],
  lines: [
    { kernelLine: 1, lines: 7, head: 0, tail: 0 },
    { kernelLine: 8, lines: 3, head: 0, tail: 0 },
  ],
};

const JOBS: readonly PtxJob[] = [
  ...Array.from({ length: 40 }, (_, i) => ptxOf(i)),
  ptxOf("%nowhere"),
  "",
  "no PTX at all",
  `${ptxOf(1)}// ä`,
  Buffer.from(ptxOf(2)),
  { ptx: ptxOf(3), arch: ["sm_80", "sm_120"] },
  { ptx: ptxOf(4), priority: 3, timeoutMs: 60_000 },
  `${ptxOf(5)}${"// a long text\n".repeat(40_000)}`,
  ...Array.from({ length: 20 }, (_, i) => ({ template: TEMPLATE, stubs: { value: `${1000 + i}` } })),
  { template: TEMPLATE, stubs: { value: "%nowhere" } },
];

describe.skipIf(LACKS !== undefined)(`a farm${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  let farm: TestFarm;
  let local: PtxCompiler;
  beforeAll(async () => {
    farm = await TestFarm.start();
    await farm.worker();
    local = new PtxCompiler(OPTIONS);
  });
  afterAll(async () => {
    await local?.disposeAsync();
    await farm?.[Symbol.asyncDispose]();
  });
  const gathered = async () => {
    const inbox = inboxOf("viewer", "test");
    const connection = await openConnection({ servers: [farm.servers] }, "test", inbox);
    const status = await gatherStatus(connection, inbox);
    await connection.close();
    return status;
  };
  const compiler = (options = {}) =>
    new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never", ...options });

  it("gives the results, the errors and the cubins of this machine's compiler", async () => {
    await using remote = compiler();
    const [found, expected] = [await remote.compileAll(JOBS), await local.compileAll(JOBS)];
    expect(found.map(plain)).toEqual(expected.map(plain));
    expect(remote.farm).toMatchObject({ local: 0, wrong: 0, resubmitted: 0, repeated: 0 });
    expect(remote.farm!.remote).toBeGreaterThan(50);
  });

  it("gives them when this machine helps, too, and each job is done by one of both", async () => {
    await using both = compiler({ local: "help" });
    const [found, expected] = [await both.compileAll(JOBS), await local.compileAll(JOBS)];
    expect(found.map(plain)).toEqual(expected.map(plain));
    const { remote, local: here } = both.farm!;
    // The job with two architectures is two.
    expect(remote + here).toBe(JOBS.length + 1);
  });

  it("compiles one job, streams jobs in order, and reports progress", async () => {
    await using remote = compiler();
    const { cubin, info } = await remote.compile(ptxOf(7));
    const expected = await local.compile(ptxOf(7));
    expect(cubin).toEqual(expected.cubin);
    const [{ id, pool }] = (await gathered()).workers as [WorkerStatus];
    expect(info.farm).toEqual({ worker: id, pool, queuedMs: expect.any(Number), deliveries: 1 });
    expect(info.farm!.queuedMs).toBeGreaterThan(0);
    expect(expected.info).not.toHaveProperty("farm");
    await expect(remote.compile(ptxOf("%no"))).rejects.toThrow(PtxCompileError);
    const indices: number[] = [];
    for await (const { index } of remote.stream(JOBS.slice(0, 30), { ordered: true })) indices.push(index);
    expect(indices).toEqual(Array.from({ length: 30 }, (_, i) => i));
    const controller = new AbortController();
    for await (const { done } of remote.progress({ signal: controller.signal })) {
      expect(done).toBe(31);
      controller.abort();
    }
    expect(remote.stats).toMatchObject({ queued: 0, running: 0, compiled: 31, failed: 1 });
  });

  it("says of failed jobs, too, how they travelled", async () => {
    await using remote = compiler();
    const [{ id, pool }] = (await gathered()).workers as [WorkerStatus];
    const jobs: PtxJob[] = [ptxOf("%nowhere"), "", `${ptxOf(1)}// ä`, { ptx: longPtx(), timeoutMs: 1 }];
    const results = await remote.compileAll(jobs);
    expect(results.map((each) => (each.ok ? "ok" : each.error.code))).toEqual([
      "SEMANTIC",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "TIMEOUT",
    ]);
    for (const result of results)
      expect(result).toMatchObject({
        error: { farm: { worker: id, pool, queuedMs: expect.any(Number), deliveries: 1 } },
      });
    await expect(local.compile(ptxOf("%nowhere"))).rejects.toHaveProperty("farm", undefined);
  });

  it("ends jobs with their signal, and with the compiler", async () => {
    const remote = compiler();
    const signal = AbortSignal.abort("enough");
    await expect(remote.compile(ptxOf(8), { signal })).rejects.toMatchObject({
      code: "ABORTED",
      cause: "enough",
    });
    const open = remote.compileAll(JOBS);
    remote.dispose();
    expect((await open).every((each) => !each.ok && each.error.code === "DISPOSED")).toBe(true);
  });

  it("serves two compilers of one name, each with its own template, and shows them", async () => {
    const segments = TEMPLATE.segments.map((text) => text.replace("write", "other"));
    const other = { ...TEMPLATE, segments };
    await using first = compiler();
    await using second = compiler();
    const jobs = (template: typeof TEMPLATE) =>
      Array.from({ length: 30 }, (_, i) => ({ template, stubs: { value: `${i}` } }));
    const [a, b] = await Promise.all([first.compileAll(jobs(TEMPLATE)), second.compileAll(jobs(other))]);
    const names = (results: readonly JobResult[]) => results.map((each) => each.ok && each.kernels[0]!.name);
    expect(new Set(names(a))).toEqual(new Set(["write"]));
    expect(new Set(names(b))).toEqual(new Set(["other"]));
    expect([first.farm, second.farm]).toMatchObject([{ wrong: 0 }, { wrong: 0 }]);
    const { submitters, pools } = await gathered();
    expect(submitters.map(({ remote }) => remote)).toEqual([30, 30]);
    expect(pools).toMatchObject([{ workers: 1, waiting: 0, busy: 0 }]);
  });

  it("uses the pool that is named, and helps only with the machine code of that pool", async () => {
    const { pool } = (await gathered()).pools[0]!;
    await using named = compiler({ local: "help", pool });
    expect((await named.compileAll(JOBS)).map(plain)).toEqual((await local.compileAll(JOBS)).map(plain));
    expect(named.farm).toMatchObject({ pool, wrong: 0 });
    expect(named.version).toBe(local.version);
    await using foreign = compiler({ local: "help", pool: "13_0_88-x64-00000000", patienceMs: 1000 });
    await expect(foreign.compile(ptxOf(1))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("keeps what it has compiled in the cache of this machine, apart from that of named pools", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-cache-"));
    const cache = { folder };
    const { pool } = (await gathered()).pools[0]!;
    const from = async (options: object): Promise<string> => {
      await using one = compiler({ cache, ...options });
      return (await one.compile(ptxOf(77))).info.from;
    };
    expect(await from({})).toBe("compiled");
    expect(await from({})).toBe("cache");
    await using own = new PtxCompiler({ ...OPTIONS, cache });
    expect((await own.compile(ptxOf(77))).info.from).toBe("cache");
    expect(await from({ pool })).toBe("compiled");
    expect(await from({ pool })).toBe("cache");
    rmSync(folder, { recursive: true, force: true });
  });

  it("leaves PTX that is too long for workers to this machine, or refuses it", async () => {
    const long = `${ptxOf(10)}${"// a comment\n".repeat(2 ** 21)}`;
    await using both = compiler({ local: "help" });
    expect((await both.compile(long)).info.kernels).toHaveLength(1);
    expect(both.farm).toMatchObject({ local: 1, remote: 0 });
    await using remote = compiler();
    await expect(remote.compile(long)).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });

  it("blocks only for this machine's compiler", async () => {
    await using both = compiler({ local: "help" });
    expect(both.compileSync(ptxOf(9)).cubin).toEqual(local.compileSync(ptxOf(9)).cubin);
    await using remote = compiler();
    expect(() => remote.compileSync(ptxOf(9))).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE", what: "farm" }),
    );
  });
});
