// What the state of a farm says about waiting and about the shares of submitters.

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { statusText } from "../src/cli/status.js";
import { openConnection } from "../src/connection.js";
import { newCounts, submitterStatus } from "../src/front/figures.js";
import { Recent } from "../src/front/recent.js";
import { FarmCompiler } from "../src/index.js";
import { inboxOf } from "../src/names.js";
import { gatherStatus } from "../src/status/gather.js";
import { isSubmitterStatus, isWorkerStatus } from "../src/status/status.js";
import { addWait, areWaits, quantile, sumOfWaits } from "../src/status/waits.js";
import { LACKS, ptxOf, statusOf, TestFarm } from "./support/farm.js";

afterEach(() => {
  vi.useRealTimers();
});

describe("waits", () => {
  const waitsOf = (...all: number[]): number[] => {
    const waits: number[] = [];
    for (const ms of all) addWait(waits, ms);
    return waits;
  };

  it("have quantiles that are at most a fifth too large", () => {
    const all = Array.from({ length: 1000 }, (_, i) => 1 + 3 * i);
    const waits = waitsOf(...all);
    for (const share of [0.01, 0.5, 0.95, 1]) {
      const exact = all[Math.ceil(share * all.length) - 1]!;
      const found = quantile(waits, share)!;
      expect(found).toBeGreaterThanOrEqual(exact - 1);
      expect(found).toBeLessThanOrEqual(1.2 * exact + 1);
    }
    expect(quantile([], 0.5)).toBeUndefined();
  });

  it("can be added up", () => {
    const [some, others] = [waitsOf(0, 5, 700), waitsOf(5, 100_000)];
    expect(sumOfWaits([some, others])).toEqual(waitsOf(0, 5, 5, 700, 100_000));
    expect(sumOfWaits([])).toEqual([]);
  });

  it("are checked when they arrive, and never too long", () => {
    expect(areWaits(waitsOf(0, 1e12))).toBe(true);
    for (const wrong of [undefined, [1.5], [-1], Array(94).fill(0)]) expect(areWaits(wrong)).toBe(false);
  });

  it("and work are forgotten after a minute", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const recent = new Recent();
    recent.waited(5);
    recent.worked(70);
    vi.advanceTimersByTime(45_000);
    recent.worked(30);
    expect(recent.figures()).toEqual({ waits: waitsOf(5), milliseconds: 100 });
    vi.advanceTimersByTime(20_000);
    expect(recent.figures()).toEqual({ waits: [], milliseconds: 30 });
    vi.advanceTimersByTime(60_000);
    expect(recent.figures()).toEqual({ waits: [], milliseconds: 0 });
  });
});

it("what others say about themselves fits into a table, and into the text for Prometheus", () => {
  const recent = new Recent();
  const pool = "13_0_88-x64-1fa24275";
  const figures = { ...newCounts(), connected: true, pool, slots: 1, open: 0, local: 0 };
  const status = submitterStatus("alice", 0, { ...figures, compared: 0, leftOut: ["vm-1"] }, recent, 0);
  expect(isSubmitterStatus(status)).toBe(true);
  expect(isSubmitterStatus({ ...status, pool: "" })).toBe(true);
  for (const host of ["a\nb", "\u001b[2J", "\u009b", "a".repeat(256)])
    expect(isSubmitterStatus({ ...status, host })).toBe(false);
  for (const name of ['x"} 1\nmm_ptx_farm_pool_workers{pool="y', "A", "é"]) {
    expect(isSubmitterStatus({ ...status, pool: name })).toBe(false);
    expect(isSubmitterStatus({ ...status, name })).toBe(false);
    expect(isSubmitterStatus({ ...status, leftOut: [name] })).toBe(false);
  }
  expect(isWorkerStatus(status)).toBe(false);
});

describe.skipIf(LACKS !== undefined)(`the state of a farm${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await TestFarm.start();
  });
  afterAll(async () => farm?.[Symbol.asyncDispose]());

  it("has how long parcels waited, and the shares of submitters", async () => {
    const inbox = inboxOf("viewer", "test");
    const connection = await openConnection({ servers: [farm.servers] }, "test", inbox);
    const worker = await farm.worker();
    const open = (submitter: string) =>
      new FarmCompiler({ arch: "sm_90", cache: false, local: "never", servers: farm.servers, submitter });
    await using alice = open("alice");
    await using bob = open("bob");
    await using idle = open("idle");
    await alice.compileAll(Array.from({ length: 30 }, (_, i) => ptxOf(i)));
    await bob.compileAll(Array.from({ length: 10 }, (_, i) => ptxOf(100 + i)));
    // It connects with its first job, which does not get to a worker.
    await expect(idle.compile("")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const { pools, submitters } = await gatherStatus(connection, inbox);
    await connection.close();
    const { milliseconds } = worker.status();
    expect(submitters).toMatchObject([{ name: "alice" }, { name: "bob" }, { name: "idle", milliseconds: 0 }]);
    const [ofAlice, ofBob, ofIdle] = submitters.map(({ share }) => share!);
    expect(ofAlice! + ofBob! + ofIdle!).toBeCloseTo(1, 10);
    expect([ofAlice! > ofBob!, ofBob! > 0, ofIdle]).toEqual([true, true, 0]);
    // What the submitters have counted is what the worker has.
    const counted = submitters.reduce((sum, each) => sum + each.milliseconds, 0);
    expect(Math.abs(counted - milliseconds)).toBeLessThanOrEqual(submitters.length);
    expect(submitters[0]).not.toHaveProperty("waits");
    const [{ waitP50Ms, waitP95Ms, oldestMs }] = pools as [(typeof pools)[number]];
    expect(waitP50Ms).toBeGreaterThan(0);
    expect(waitP95Ms).toBeGreaterThanOrEqual(waitP50Ms!);
    expect(oldestMs).toBe(0);
  });
});

describe("the text of a status", () => {
  const worker = (id: string) => ({ ...statusOf(id, "13_0_88-x64-0", 4), host: `host-of-${id}` });
  const submitter = (name: string, leftOut: readonly string[]) => {
    const figures = {
      connected: true,
      pool: "13_0_88-x64-0",
      slots: 4,
      queued: 0,
      open: 0,
      local: 0,
      ...newCounts(),
    };
    return submitterStatus(name, 0, { ...figures, compared: 0, leftOut }, new Recent(), 0);
  };
  const textOf = (...submitters: ReturnType<typeof submitter>[]): string =>
    statusText({ pools: [], workers: [worker("one"), worker("two")], submitters }, new Map());

  it("says which workers to stop, and who left them out, as long as they take jobs", () => {
    const text = textOf(
      submitter("alice", ["gone", "two"]),
      submitter("alice", ["two"]),
      submitter("bob", ["two"]),
    );
    const [, advice] = text.split("2 workers, 3 submitters\n");
    expect(advice).toBe(
      "\nwarning: stop the worker two on host-of-two: it made other machine code than alice, bob, and still takes jobs\n" +
        "https://github.com/mm-ptx/mm-ptx/blob/main/docs/farm-operations.md#workers-that-are-wrong says how, and what else to check\n",
    );
    expect(textOf(submitter("alice", ["gone"]))).toMatch(/2 workers, 1 submitter\n$/);
  });
});
