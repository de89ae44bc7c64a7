// The cache as a backend in front of another one, whose jobs finish when the test says so.

import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cachingBackend } from "../../src/cache/backend.js";
import { TieredCache } from "../../src/cache/tiers.js";
import { DiskCache } from "../../src/index.js";
import type { Backend, BackendJob, BackendOutcome } from "../../src/ptx/backend.js";
import { resolveOptions } from "../../src/ptx/options.js";

const COMPILED: BackendOutcome = {
  kind: "compiled",
  cubin: Uint8Array.of(1, 2, 3),
  log: "",
  milliseconds: 1,
  from: "compiled",
};
const FAILED: BackendOutcome = {
  kind: "failed",
  failure: { is: "refused-by-compiler" },
  log: "",
  milliseconds: 1,
};

const job = (source: string): BackendJob => ({
  source,
  target: resolveOptions({ arch: "sm_80" }),
  timeoutMs: 0,
  priority: 0,
});
const laterTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

function setUp(disk?: DiskCache) {
  const waiting: ((outcome: BackendOutcome) => void)[] = [];
  const totals = { compiled: 0, failed: 0 };
  const inner: Backend = {
    name: "isolated",
    version: "13.0.88",
    start(_, done) {
      waiting.push(done);
      return () => {};
    },
    run: () => expect.fail("nobody blocks"),
    stats: () => ({
      queued: 0,
      running: waiting.length,
      ...totals,
      workersStarted: 0,
      workersCrashed: 0,
      workersOutgrown: 0,
      workersRecycled: 0,
      workerPeakBytes: 0,
    }),
    close() {
      waiting.length = 0;
    },
  };
  const counts = { fromCache: 0, duplicates: 0 };
  const finish = (outcome: BackendOutcome): void => {
    totals[outcome.kind === "compiled" ? "compiled" : "failed"]++;
    waiting.shift()!(outcome);
  };
  return { cache: cachingBackend(inner, new TieredCache(disk, 2 ** 20), counts), counts, finish };
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-cache-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test("a pending hit is cancelled with the cache", async () => {
  const { cache, finish } = setUp();
  cache.start(job("a"), () => {});
  finish(COMPILED);
  const done = vi.fn();
  cache.start(job("a"), done);
  await laterTurn();
  expect(done).toHaveBeenCalledTimes(1);
  cache.start(job("a"), done);
  cache.close();
  await laterTurn();
  expect(done).toHaveBeenCalledTimes(1);
});

test("after a job's callback closes the cache, equal jobs get no result", () => {
  const { cache, finish } = setUp();
  const others = vi.fn();
  cache.start(job("a"), () => cache.close());
  cache.start(job("a"), others);
  finish(COMPILED);
  expect(others).not.toHaveBeenCalled();
});

test("equal jobs that fail together each count as a failure", () => {
  const { cache, counts, finish } = setUp();
  for (let i = 0; i < 100; i++) cache.start(job("bad"), () => {});
  finish(FAILED);
  expect(cache.stats()).toMatchObject({ compiled: 0, failed: 100 });
  expect(counts).toEqual({ fromCache: 0, duplicates: 0 });
  for (let i = 0; i < 100; i++) cache.start(job("good"), () => {});
  finish(COMPILED);
  expect(cache.stats()).toMatchObject({ compiled: 1, failed: 100 });
  expect(counts).toEqual({ fromCache: 0, duplicates: 99 });
});

test("a hit in memory also updates the time of use on disk, with the same resolution", async () => {
  const disk = new DiskCache(folder, 2 ** 20);
  const { cache, finish } = setUp(disk);
  cache.start(job("a"), () => {});
  finish(COMPILED);
  await disk.flush();
  const [name] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".cubin"),
  );
  const minutesOfUse = (): number => Math.round(statSync(join(folder, name!)).mtimeMs / 60_000);
  vi.useFakeTimers({ toFake: ["Date"] });
  const start = 2_000_000_000_000;
  const used: number[] = [];
  for (const minutes of [0, 9, 11, 20, 22]) {
    vi.setSystemTime(start + minutes * 60_000);
    cache.start(job("a"), () => {});
    used.push(minutesOfUse() - Math.round(start / 60_000));
  }
  expect(used).toEqual([0, 0, 11, 11, 22]);
});

test("any number of pending hits lets the event loop run", async () => {
  const { cache, finish } = setUp();
  cache.start(job("a"), () => {});
  finish(COMPILED);
  const told: number[] = [];
  const forgets = Array.from({ length: 100 }, (_, i) => cache.start(job("a"), () => told.push(i)));
  forgets[1]!();
  const turns: number[] = [];
  while (told.length < 99) {
    await new Promise((resolve) => setImmediate(resolve));
    turns.push(told.length);
  }
  expect(turns.length).toBeGreaterThan(2);
  expect(Math.max(...turns.map((after, turn) => after - (turns[turn - 1] ?? 0)))).toBeLessThan(50);
  expect(told).toEqual(Array.from({ length: 100 }, (_, i) => i).filter((i) => i !== 1));
});

test("a hit whose caller throws does not delay others", () => {
  vi.useFakeTimers();
  const { cache, finish } = setUp();
  cache.start(job("a"), () => {});
  finish(COMPILED);
  let told = 0;
  cache.start(job("a"), () => expect.fail("thrown by the caller"));
  cache.start(job("a"), () => told++);
  expect(() => vi.runAllTimers()).toThrow("thrown by the caller");
  vi.runAllTimers();
  expect(told).toBe(1);
});
