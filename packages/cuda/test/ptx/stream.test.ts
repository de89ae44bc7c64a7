// Many jobs through one compiler: order, bounds, producers, signals, disposal.

import { afterAll, describe, expect, test } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { PtxCompileError, PtxCompiler } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { module, slowModule } from "../support/ptx.js";

const WORKERS = 2;
/** The number of jobs that a compiler with two workers takes ahead. */
const WINDOW = 32;

describe.each(BACKENDS)("stream of %s", (backend) => {
  const compiler = new PtxCompiler({ cache: false, arch: "sm_90", backend, workers: WORKERS });
  afterAll(() => compiler[Symbol.dispose]());

  test("yields every result once, from iterables and async iterables", async () => {
    const texts = Array.from({ length: SOAK ? 20 : 10 }, (_, i) => (i === 7 ? "bad" : module(`k${i}`)));
    async function* slowly() {
      for (const text of texts) {
        await new Promise((resolve) => setImmediate(resolve));
        yield { ptx: text };
      }
    }
    for (const jobs of [texts, new Set(texts), slowly()]) {
      const seen = new Map<number, string | undefined>();
      for await (const result of compiler.stream(jobs)) {
        expect(seen.has(result.index)).toBe(false);
        seen.set(result.index, result.ok ? result.info.kernels[0]?.name : result.error.code);
      }
      expect([...seen.keys()].sort((a, b) => a - b)).toEqual(texts.map((_, i) => i));
      for (const [index, name] of seen) expect(name).toBe(index === 7 ? "SYNTAX" : `k${index}`);
    }
  });

  test("yields results in input order on request", async () => {
    const jobs = [slowModule(200), module("a"), module("b"), "bad", module("c")];
    const ordered: number[] = [];
    for await (const { index } of compiler.stream(jobs, { ordered: true })) ordered.push(index);
    expect(ordered).toEqual([0, 1, 2, 3, 4]);
  });

  test("takes no job before the loop starts, and a bounded number ahead of it", async () => {
    let taken = 0;
    let closed = false;
    function* endless() {
      try {
        for (;;) yield module(`k${taken++}`);
      } finally {
        closed = true;
      }
    }
    const results = compiler.stream(endless());
    expect(taken).toBe(0);
    let received = 0;
    for await (const result of results) {
      expect(result.ok).toBe(true);
      received++;
      expect(taken - received).toBeLessThanOrEqual(WINDOW);
      if (received === 3) await new Promise((resolve) => setTimeout(resolve, 50));
      if (received === 40) break;
    }
    expect(closed).toBe(true);
    const last = taken;
    await compiler.compile(module());
    expect(taken).toBe(last);
  });

  test("a producer that throws ends the loop after the available results", async () => {
    function* jobs() {
      yield module("a");
      throw new RangeError("no more");
    }
    const seen: number[] = [];
    const run = async (producer: Iterable<string> | AsyncIterable<string>) => {
      for await (const { index } of compiler.stream(producer)) seen.push(index);
    };
    await expect(run(jobs())).rejects.toThrow(RangeError);
    async function* rejecting() {
      yield module("a");
      throw new RangeError("no more");
    }
    await expect(run(rejecting())).rejects.toThrow(RangeError);
    expect(seen).toEqual([0, 0]);
  });

  test("a producer that never answers does not block leaving the loop", async () => {
    async function* stuck() {
      yield module("a");
      await new Promise(() => {});
    }
    for await (const { ok } of compiler.stream(stuck())) {
      expect(ok).toBe(true);
      break;
    }
  });

  test("an aborted signal throws from the loop and keeps finished results", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let received = 0;
    let caught: unknown;
    try {
      const jobs = Array.from({ length: 100 }, (_, i) => module(`k${i}`));
      for await (const _ of compiler.stream(jobs, { signal: controller.signal })) {
        if (++received === 5) controller.abort(reason);
      }
    } catch (error) {
      caught = error;
    }
    expect(received).toBe(5);
    expect(caught).toBeInstanceOf(PtxCompileError);
    expect(caught).toMatchObject({ code: "ABORTED", cause: reason });
  });

  test("an aborted signal fails the unfinished jobs of compileAll", async () => {
    const controller = new AbortController();
    const jobs = [module(), ...Array.from({ length: 5 }, () => slowModule(3000))];
    const pending = compiler.compileAll(jobs, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    const results = await pending;
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(results.slice(1).every((result) => !result.ok && result.error.code === "ABORTED")).toBe(true);
  });

  test("disposal in the loop ends an endless stream with DISPOSED", async () => {
    const other = new PtxCompiler({ cache: false, arch: "sm_90", backend, workers: WORKERS });
    const slow = slowModule(3000);
    let taken = 0;
    let closed = false;
    function* endless() {
      try {
        // All but the first are still running when it is done, however busy the machine is.
        for (;;) yield taken++ === 0 ? module() : slow;
      } finally {
        closed = true;
      }
    }
    const seen: string[] = [];
    const run = async () => {
      for await (const result of other.stream(endless())) {
        if (seen.length === 0) other[Symbol.dispose]();
        seen.push(result.ok ? "ok" : result.error.code);
      }
    };
    await expect(run()).rejects.toMatchObject({ code: "DISPOSED" });
    expect(closed).toBe(true);
    expect(seen).toHaveLength(taken);
    expect(seen.at(-1)).toBe("DISPOSED");
    expect(taken).toBeLessThanOrEqual(WINDOW + 1);
  });

  test("disposal fails the unfinished jobs of compileAll", async () => {
    const other = new PtxCompiler({ cache: false, arch: "sm_90", backend, workers: 1 });
    const jobs = [slowModule(3000), ...Array.from({ length: 30 }, () => module())];
    const pending = other.compileAll(jobs);
    setImmediate(() => other[Symbol.dispose]());
    const results = await pending;
    expect(results.map(({ index }) => index)).toEqual(jobs.map((_, i) => i));
    expect(results.every((result) => !result.ok && result.error.code === "DISPOSED")).toBe(true);
  });

  test("asynchronous disposal ends streams after the started jobs", async () => {
    const other = new PtxCompiler({ cache: false, arch: "sm_90", backend, workers: 1 });
    let disposal: Promise<void> | undefined;
    let received = 0;
    const run = async () => {
      async function* endless() {
        for (;;) yield module();
      }
      for await (const { ok } of other.stream(endless())) {
        expect(ok).toBe(true);
        received++;
        disposal ??= other[Symbol.asyncDispose]();
      }
    };
    await expect(run()).rejects.toMatchObject({ code: "DISPOSED" });
    await disposal;
    expect(received).toBeGreaterThan(0);
  });

  test("an endless producer of invalid jobs lets the event loop run", async () => {
    function* endless(job: unknown) {
      for (;;) yield job as string;
    }
    async function* endlessLater(job: unknown) {
      for (;;) yield job as string;
    }
    for (const jobs of [endless(5), endlessLater(5), endless(""), endlessLater("")]) {
      let enough = false;
      setTimeout(() => {
        enough = true;
      }, 5);
      for await (const result of compiler.stream(jobs)) {
        expect(result).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENT" } });
        if (enough) break;
      }
    }
  });

  test("asynchronous disposal waits for accepted jobs", async () => {
    const other = new PtxCompiler({ cache: false, arch: "sm_90", backend, workers: 1 });
    const pending = [module("a"), module("b"), module("c")].map((ptx) => other.compile(ptx));
    const disposal = other[Symbol.asyncDispose]();
    await expect(other.compile(module())).rejects.toMatchObject({ code: "DISPOSED" });
    await disposal;
    await other[Symbol.asyncDispose]();
    const results = await Promise.all(pending);
    expect(results.map(({ info }) => info.kernels[0]?.name)).toEqual(["a", "b", "c"]);
  });
});
