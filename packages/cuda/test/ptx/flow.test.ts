// The flow of many jobs over a scripted start function: which are started, cancelled and closed.

import { describe, expect, test } from "vitest";
import { PtxCompileError } from "../../src/error.js";
import { collect, type FlowOptions, flow, type StartJob } from "../../src/ptx/flow.js";
import type { CompileResult } from "../../src/ptx/outcome.js";

const RESULT = { cubin: new Uint8Array(), info: {} } as unknown as CompileResult;

/** A start function whose jobs the test finishes; `forgotten` lists those that were cancelled. */
function fake() {
  const started = new Map<unknown, (result: CompileResult | PtxCompileError) => void>();
  const forgotten: unknown[] = [];
  const start: StartJob = (job, done) => {
    started.set(job, done);
    return () => forgotten.push(job);
  };
  return { start, started, forgotten, finish: (job: unknown) => started.get(job)!({ ...RESULT }) };
}

function options(given: Partial<FlowOptions> = {}): FlowOptions {
  return {
    window: 4,
    ordered: false,
    signal: undefined,
    aborted: () => new PtxCompileError("ABORTED", "aborted"),
    closed: new AbortController().signal,
    disposed: () => new PtxCompileError("DISPOSED", "disposed"),
    ...given,
  };
}

const steps = (next: () => unknown, iterable: symbol): Iterable<unknown> =>
  ({ [iterable]: () => ({ next }) }) as unknown as Iterable<unknown>;

test.each([
  ["completion order", false, [2, 0, 1]],
  ["input order on request", true, [0, 1, 2]],
])("results come in %s", async (_, ordered, expected) => {
  const { start, finish } = fake();
  const results = flow(["a", "b", "c"], start, options({ ordered }));
  const seen: number[] = [];
  const run = async (): Promise<void> => {
    for await (const { index } of results) seen.push(index);
  };
  const running = run();
  for (const job of ["c", "a", "b"]) finish(job);
  await running;
  expect(seen).toEqual(expected);
});

describe("running jobs are cancelled", () => {
  test("when the loop is left early", async () => {
    const { start, started, forgotten, finish } = fake();
    for await (const { index } of run()) {
      expect(index).toBe(1);
      break;
    }
    function run() {
      const results = flow(["a", "b", "c", "d", "e"], start, options());
      queueMicrotask(() => finish("b"));
      return results;
    }
    expect([...started.keys()]).toEqual(["a", "b", "c", "d"]);
    expect(forgotten).toEqual(["a", "c", "d"]);
  });

  test("when the signal is aborted", async () => {
    const { start, forgotten } = fake();
    const controller = new AbortController();
    const next = flow(["a", "b"], start, options({ signal: controller.signal })).next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ code: "ABORTED" });
    expect(forgotten).toEqual(["a", "b"]);
  });

  test("but not when all are done", async () => {
    const { start, forgotten, finish } = fake();
    const results = flow(["a"], start, options());
    const next = results.next();
    finish("a");
    expect(await next).toMatchObject({ value: { ok: true, index: 0 } });
    expect(await results.next()).toMatchObject({ done: true });
    expect(forgotten).toEqual([]);
  });
});

describe("a closed compiler", () => {
  test("throws after the results of started jobs, and closes the producer", async () => {
    const { start, started, forgotten, finish } = fake();
    const closing = new AbortController();
    let closed = false;
    function* endless() {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        closed = true;
      }
    }
    const results = flow(endless(), start, options({ closed: closing.signal }));
    const first = results.next();
    closing.abort();
    for (const job of started.keys()) finish(job);
    expect(await first).toMatchObject({ value: { index: 0 } });
    expect(closed).toBe(true);
    for (const index of [1, 2, 3]) expect(await results.next()).toMatchObject({ value: { index } });
    await expect(results.next()).rejects.toMatchObject({ code: "DISPOSED" });
    expect(started.size).toBe(4);
    expect(forgotten).toEqual([]);
  });

  test("does not wait for the producer", async () => {
    const closing = new AbortController();
    const stuck = steps(() => new Promise(() => {}), Symbol.asyncIterator);
    const next = flow(stuck, fake().start, options({ closed: closing.signal })).next();
    await Promise.resolve();
    closing.abort();
    await expect(next).rejects.toMatchObject({ code: "DISPOSED" });
  });

  test("is the reported reason, whatever the producer does later", async () => {
    const { start, finish } = fake();
    const closing = new AbortController();
    let fail = (_: Error): void => {};
    const answers = [
      Promise.resolve({ value: "a" }),
      new Promise((_, reject) => {
        fail = reject;
      }),
    ];
    const producer = steps(() => answers.shift(), Symbol.asyncIterator);
    const results = flow(producer, start, options({ closed: closing.signal }));
    const first = results.next();
    await new Promise((resolve) => setImmediate(resolve));
    closing.abort();
    await new Promise((resolve) => setImmediate(resolve));
    fail(new RangeError("late"));
    await new Promise((resolve) => setImmediate(resolve));
    finish("a");
    expect(await first).toMatchObject({ value: { index: 0 } });
    await expect(results.next()).rejects.toMatchObject({ code: "DISPOSED" });
  });

  test("does not affect jobs that were all taken", async () => {
    const { start, finish } = fake();
    const closing = new AbortController();
    const results = flow(["a"], start, options({ closed: closing.signal }));
    const next = results.next();
    closing.abort();
    finish("a");
    expect(await next).toMatchObject({ value: { ok: true } });
    expect(await results.next()).toMatchObject({ done: true });
  });
});

describe("a producer that returns invalid steps", () => {
  test.each([
    ["asynchronous, undefined", async () => undefined, Symbol.asyncIterator, "found undefined"],
    ["asynchronous, a number", async () => 5, Symbol.asyncIterator, "found 5"],
    ["asynchronous, no promise", () => null, Symbol.asyncIterator, "found null"],
    ["synchronous, undefined", () => undefined, Symbol.iterator, "found undefined"],
  ])("is refused: %s", async (_, next, iterable, found) => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listen);
    try {
      const first = flow(steps(next, iterable), fake().start, options()).next();
      await expect(first).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining(found),
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
  });

  test.each([
    ["null", null],
    ["a number", 5],
    ["an object without `next`", {}],
  ])("is refused if its iterator is %s", async (_, iterator) => {
    for (const iterable of [Symbol.asyncIterator, Symbol.iterator]) {
      const jobs = { [iterable]: () => iterator } as unknown as Iterable<unknown>;
      await expect(flow(jobs, fake().start, options()).next()).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("expected an iterator of jobs"),
      });
    }
    const refusal = expect.objectContaining({ code: "INVALID_ARGUMENT" });
    expect(() => collect({ [Symbol.iterator]: () => iterator } as Iterable<unknown>)).toThrow(refusal);
  });

  test("is refused when its results are collected", () => {
    for (const answer of [undefined, null, 5]) {
      const refusal = expect.objectContaining({ code: "INVALID_ARGUMENT" });
      expect(() => collect(steps(() => answer, Symbol.iterator))).toThrow(refusal);
    }
    expect(collect(new Set(["a", "b"]))).toEqual(["a", "b"]);
  });

  test("is refused if reading a step throws", async () => {
    const step = {
      get done(): boolean {
        throw new RangeError("from the step");
      },
    };
    for (const [next, iterable] of [
      [async () => step, Symbol.asyncIterator],
      [() => step, Symbol.iterator],
    ] as const) {
      const first = flow(steps(next, iterable), fake().start, options()).next();
      await expect(first).rejects.toThrow(RangeError);
    }
  });
});
