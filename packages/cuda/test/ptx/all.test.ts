// A list of jobs over a scripted start function: how many run at a time, which are cancelled, and that
// nothing else waits for them.

import { expect, test } from "vitest";
import { PtxCompileError } from "../../src/error.js";
import { type AllOptions, runAll } from "../../src/ptx/all.js";
import type { StartJob } from "../../src/ptx/flow.js";
import type { CompileResult } from "../../src/ptx/outcome.js";

const RESULT = { cubin: new Uint8Array(), info: {} } as unknown as CompileResult;
const REFUSED = new PtxCompileError("INVALID_ARGUMENT", "refused");

function options(given: Partial<AllOptions> = {}): AllOptions {
  return {
    window: 2,
    signal: undefined,
    aborted: () => new PtxCompileError("ABORTED", "aborted"),
    ...given,
  };
}

/** A start function whose jobs the test finishes. */
function fake() {
  const started = new Map<unknown, Parameters<StartJob>[1]>();
  const forgotten: unknown[] = [];
  const start: StartJob = (job, done) => {
    started.set(job, done);
    return () => forgotten.push(job);
  };
  return { start, started, forgotten, finish: (job: unknown) => started.get(job)!({ ...RESULT }) };
}

test("results are in input order, and each finished job starts the next one immediately", async () => {
  const { start, started, forgotten, finish } = fake();
  const all = runAll(["a", "b", "c", "d"], start, options());
  expect([...started.keys()]).toEqual(["a", "b"]);
  finish("b");
  expect([...started.keys()]).toEqual(["a", "b", "c"]);
  finish("c");
  finish("d");
  started.get("a")!(REFUSED);
  expect(await all).toMatchObject([
    { ok: false, index: 0, error: REFUSED },
    { ok: true, index: 1 },
    { ok: true, index: 2 },
    { ok: true, index: 3 },
  ]);
  expect(forgotten).toEqual([]);
  expect(await runAll([], start, options())).toEqual([]);
});

test("an aborted signal cancels running jobs, starts no more, and keeps finished results", async () => {
  const { start, started, forgotten, finish } = fake();
  const controller = new AbortController();
  const { signal } = controller;
  const all = runAll(["a", "b", "c", "d"], start, options({ signal }));
  finish("a");
  controller.abort();
  const codes = (await all).map((result) => (result.ok ? "ok" : result.error.code));
  expect(codes).toEqual(["ok", "ABORTED", "ABORTED", "ABORTED"]);
  expect(forgotten).toEqual(["b", "c"]);
  finish("b");
  const again = await runAll(["e"], start, options({ signal }));
  expect(again).toMatchObject([{ ok: false, index: 0, error: { code: "ABORTED" } }]);
  expect([...started.keys()]).toEqual(["a", "b", "c"]);
});

test("jobs that end at once let the event loop run", async () => {
  let failed = 0;
  const start: StartJob = (_, done) => {
    failed++;
    done(REFUSED);
    return () => {};
  };
  const all = runAll(Array(100), start, options());
  expect(failed).toBe(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(failed).toBeLessThan(100);
  expect(await all).toHaveLength(100);
  expect(failed).toBe(100);
});

test("a signal that is aborted between such turns ends them", async () => {
  const controller = new AbortController();
  const start: StartJob = (job, done) => {
    if (job === 3) controller.abort();
    done(REFUSED);
    return () => {};
  };
  const all = await runAll([0, 1, 2, 3, 4, 5], start, options({ signal: controller.signal }));
  const codes = all.map((result) => (result.ok ? "ok" : result.error.code));
  expect(codes.slice(0, 3)).toEqual(Array(3).fill("INVALID_ARGUMENT"));
  expect(codes.slice(4)).toEqual(Array(2).fill("ABORTED"));
});

test("a job that aborts the signal while it is started is cancelled, and changes no result later", async () => {
  const { start, started, forgotten, finish } = fake();
  const controller = new AbortController();
  const raising: StartJob = (job, done) => {
    if (job === "b") controller.abort();
    return start(job, done);
  };
  const all = await runAll(["a", "b", "c"], raising, options({ signal: controller.signal }));
  expect(forgotten).toEqual(["a", "b"]);
  expect([...started.keys()]).toEqual(["a", "b"]);
  finish("b");
  expect(all.map((result) => (result.ok ? "ok" : result.error.code))).toEqual(Array(3).fill("ABORTED"));
});
