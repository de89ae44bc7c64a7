// The binding between the addon and its callers, with a scripted addon.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PtxCompiler } from "../../src/index.js";
import { Binding, type NativeJob } from "../../src/native/binding.js";
import { type Addon, loadNative, type NativePool, type NativeResult } from "../../src/native/load.js";
import { IN_PROCESS } from "../support/backends.js";
import { slowModule } from "../support/ptx.js";

const POOL = {} as NativePool;
const OTHER = {} as NativePool;

function finished(id: number): NativeResult {
  return [id, 0, 1, 0, 0, 0, 0, 0, false, 0, "", "", new Uint8Array()];
}

const job = (ptx: string): NativeJob => ({ target: 0, timeoutMs: 0, priority: 0, ptx });

/** An addon that finishes the jobs that the test puts into `results`. */
function fake() {
  const results: NativeResult[] = [];
  let wake = (): void => {};
  const addon = {
    onResults: (given: () => void) => {
      wake = given;
    },
    submit: vi.fn<Addon["submit"]>(),
    cancel: vi.fn<Addon["cancel"]>(() => true),
    closePool: vi.fn<Addon["closePool"]>(),
    drain: vi.fn<Addon["drain"]>((limit) => results.splice(0, limit)),
  };
  return { addon, results, binding: new Binding(addon as unknown as Addon), wake: () => wake() };
}

const settled: number[] = [];
const settle = ([id]: NativeResult): void => {
  settled.push(id);
};

beforeEach(() => {
  settled.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("a forgotten job is cancelled in the addon, once, and a finished one is not", () => {
  const { addon, results, binding, wake } = fake();
  const forgetFirst = binding.submit(POOL, job("a"), settle);
  const forgetSecond = binding.submit(POOL, job("b"), settle);
  forgetFirst();
  forgetFirst();
  results.push(finished(2));
  wake();
  forgetSecond();
  expect(addon.cancel.mock.calls).toEqual([[POOL, 1]]);
  expect(settled).toEqual([2]);
  expect(binding.pending).toBe(0);
});

test("closing a pool cancels only its own jobs", () => {
  const { addon, results, binding, wake } = fake();
  binding.submit(POOL, job("a"), settle);
  binding.submit(OTHER, job("b"), settle);
  const forget = binding.submit(POOL, job("c"), settle);
  binding.close(POOL);
  binding.close(POOL);
  expect(binding.pending).toBe(1);
  forget();
  expect(addon.cancel).not.toHaveBeenCalled();
  results.push(finished(1), finished(2));
  wake();
  expect(settled).toEqual([2]);
});

test.runIf(IN_PROCESS)("disposing a compiler keeps none of its texts", async () => {
  const compiler = new PtxCompiler({ cache: false, arch: "sm_90", backend: "in-process", workers: 1 });
  const jobs = Array.from({ length: 5 }, () => compiler.compile(slowModule(3000)).catch(() => {}));
  const binding = Binding.of(loadNative().native!.addon);
  expect(binding.pending).toBe(5);
  compiler[Symbol.dispose]();
  expect(binding.pending).toBe(0);
  await Promise.all(jobs);
});

test("a callback that throws affects no other result of its batch", () => {
  const { results, binding, wake } = fake();
  const microtask = vi.spyOn(globalThis, "queueMicrotask").mockImplementation(() => {});
  const error = new Error("from a callback");
  binding.submit(POOL, job("a"), settle);
  binding.submit(POOL, job("b"), () => {
    throw error;
  });
  binding.submit(POOL, job("c"), settle);
  results.push(finished(1), finished(2), finished(3));
  wake();
  expect(settled).toEqual([1, 3]);
  expect(microtask).toHaveBeenCalledTimes(1);
  expect(microtask.mock.calls[0]![0]).toThrow(error);
});

test("full batches are drained to the end, with turns of the event loop in between", async () => {
  const { addon, results, binding, wake } = fake();
  for (let id = 1; id <= 70; id++) {
    binding.submit(POOL, job(""), settle);
    results.push(finished(id));
  }
  wake();
  wake();
  expect(settled).toHaveLength(32);
  while (settled.length < 70) await new Promise((resolve) => setImmediate(resolve));
  expect(addon.drain).toHaveBeenCalledTimes(3);
});

test("an addon that fails to drain once is asked again at the next wake-up", () => {
  const { addon, results, binding, wake } = fake();
  binding.submit(POOL, job("a"), settle);
  results.push(finished(1));
  addon.drain.mockImplementationOnce(() => {
    throw new Error("no memory");
  });
  expect(wake).toThrow("no memory");
  wake();
  expect(settled).toEqual([1]);
});

test("an addon that fails between two batches is asked again at the next wake-up", async () => {
  const { addon, results, binding, wake } = fake();
  for (let id = 1; id <= 33; id++) {
    binding.submit(POOL, job(""), settle);
    results.push(finished(id));
  }
  const immediate = vi.spyOn(globalThis, "setImmediate").mockReturnValue(undefined as never);
  wake();
  expect(settled).toHaveLength(32);
  const drainRest = immediate.mock.calls[0]![0] as () => void;
  addon.drain.mockImplementationOnce(() => {
    throw new Error("no memory");
  });
  expect(drainRest).toThrow("no memory");
  wake();
  expect(settled).toHaveLength(33);
});
