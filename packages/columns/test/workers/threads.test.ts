// Batches on threads: the bits of one thread, the first error by the number of its code, and lost workers.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { ColumnWorkers, type EvaluateOptions, endWorkers, evaluateBatch } from "../../src/index.js";
import { batchOf, bitsOf, codeWords, copies, input, step } from "../support/codes.js";
import { randomCode, randomColumns } from "../support/random-codes.js";
import { pageWorker, startedWorkers, twoWorkers, WORKER_MODULE } from "../support/workers.js";

const ended = (threads: readonly Worker[]) =>
  Promise.all(threads.map(async (thread) => thread.threadId === -1 || once(thread, "exit")));

/** Takes much longer than a test may. */
function endless() {
  const rows = 200_000;
  const items = [input("f32", 0), ...Array.from({ length: 50 }, (_, at) => step("mul.f32", at, 0))];
  const code = codeWords(1, items, [[50, "f32"]]);
  return { batch: batchOf(...Array.from({ length: 20_000 }, () => code)), x: new Float32Array(rows).fill(3) };
}

describe.each([
  ["of two workers", 2, false],
  ["of a worker and the caller", 1, true],
] as const)("batches on the threads %s", (_name, count, callerHelps) => {
  const twoThreads = () => startedWorkers(count, callerHelps);

  it("have the bits of one, in the same order", async () => {
    const { workers } = twoThreads();
    using _ = workers;
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomCode, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 2, max: 300 }),
        fc.boolean(),
        async (codes, rows, webAssembly) => {
          const columns = randomColumns(rows, rows);
          const target = Float64Array.from({ length: rows }, (__, row) => Math.sin(row));
          const options: EvaluateOptions = { loss: { kind: "nmse", target }, outputs: true, cases: true };
          const one = await evaluateBatch(batchOf(...codes), columns, options);
          const two = await evaluateBatch(batchOf(...codes), columns, { ...options, webAssembly, workers });
          for (const name of ["loss", "scale", "offset", "cases"] as const)
            expect(bitsOf(two[name])).toEqual(bitsOf(one[name]));
          expect(two.status).toEqual(one.status);
          expect(Buffer.from(two.outputs!.buffer).equals(Buffer.from(one.outputs!.buffer))).toBe(true);
        },
      ),
      { numRuns: smoke(500) },
    );
  });

  it("have arrays that no other thread has", async () => {
    const { workers } = twoThreads();
    using _ = workers;
    const options = { outputs: true, workers, loss: { kind: "max", target: Float64Array.of(1) } } as const;
    const { loss, outputs } = await evaluateBatch(batchOf(copies("f32")), [Float32Array.of(2)], options);
    expect(loss!.buffer).toBeInstanceOf(ArrayBuffer);
    expect(outputs!.column(0).buffer).toBeInstanceOf(ArrayBuffer);
  });

  it("fail with the first error by the number of its code", async () => {
    const { workers } = twoThreads();
    using _ = workers;
    const good = copies("f32");
    const bad = good.with(0, 1);
    const wrongType = copies("f64");
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(2999), { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        async (broken, isType) => {
          const codes = Array.from({ length: 3000 }, () => good);
          for (const code of broken) codes[code] = isType ? wrongType : bad;
          const first = Math.min(...broken);
          await expect(
            evaluateBatch(batchOf(...codes), [Float32Array.of(1)], { outputs: true, workers }),
          ).rejects.toMatchObject({
            name: "ColumnsError",
            code: isType ? "INVALID_ARGUMENT" : "BAD_CODE",
            place: { code: first },
            message: expect.stringMatching(new RegExp(`\\(code ${first}[,)]`)),
          });
        },
      ),
      { numRuns: smoke(250) },
    );
  });

  it("run one after the other", async () => {
    const { workers, started } = twoThreads();
    using _ = workers;
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map((value) =>
        evaluateBatch(batchOf(copies("f32")), [Float32Array.of(value)], { workers, outputs: true }),
      ),
    );
    expect(results.map(({ outputs }) => outputs!.column(0)[0])).toEqual([1, 2, 3, 4, 5]);
    expect(started).toHaveLength(count);
  });

  it("are aborted, also while they wait for others", async () => {
    const { workers, started } = twoThreads();
    using _ = workers;
    const { batch, x } = endless();
    const controller = new AbortController();
    const waiting = new AbortController();
    const first = evaluateBatch(batch, [x], { workers, signal: controller.signal });
    const second = evaluateBatch(batch, [x], { workers, signal: waiting.signal });
    const third = evaluateBatch(batchOf(copies("f32")), [x], { workers, outputs: true });
    waiting.abort("no longer");
    await expect(second).rejects.toBe("no longer");
    setTimeout(() => controller.abort("enough"), 20);
    await expect(first).rejects.toBe("enough");
    expect((await third).outputs!.column(0)[7]).toBe(3);
    expect(started).toHaveLength(count);
  });

  it("let the caller's event loop run", async () => {
    const { workers } = twoThreads();
    using _ = workers;
    const { batch, x } = endless();
    const controller = new AbortController();
    let turns = 0;
    const timer = setInterval(() => ++turns === 10 && controller.abort("enough"), 1);
    await expect(evaluateBatch(batch, [x], { workers, signal: controller.signal })).rejects.toBe("enough");
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});

describe("workers", () => {
  const batch = batchOf(copies("f32"));
  const column = Float32Array.of(4);

  it("start with the first call, and end when they are disposed", async () => {
    const { workers, started } = twoWorkers();
    expect(started).toHaveLength(0);
    await evaluateBatch(batch, [column], { workers, outputs: true });
    expect(started).toHaveLength(2);
    workers.dispose();
    workers.dispose();
    await ended(started);
    await expect(evaluateBatch(batch, [column], { workers })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "expected workers that run, found disposed ones",
    });
  });

  it("that are disposed in a call end it", async () => {
    const { workers, started } = twoWorkers();
    const long = endless();
    const running = evaluateBatch(long.batch, [long.x], { workers });
    setTimeout(() => workers.dispose(), 50);
    await expect(running).rejects.toMatchObject({ code: "WORKER_LOST" });
    await ended(started);
  });

  it("can be those of a page", async () => {
    using workers = new ColumnWorkers({ count: 2, createWorker: pageWorker });
    const { outputs } = await evaluateBatch(batch, [column], { workers, outputs: true });
    expect(outputs!.column(0)[0]).toBe(4);
  });

  it.each([
    ["end at once", "process.exit(3)", "found one that exited with code 3"],
    ["throw", 'throw new Error("no luck")', "found no luck"],
    [
      "end when they are asked for something",
      'require("node:worker_threads").parentPort.on("message", () => process.exit(4))',
      "found one that exited with code 4",
    ],
  ])("that %s are WORKER_LOST, and others take their place", async (_, source, words) => {
    let made = 0;
    const createWorker = () =>
      ++made === 2 ? new Worker(source, { eval: true }) : new Worker(WORKER_MODULE);
    using workers = new ColumnWorkers({ count: 2, createWorker });
    await expect(evaluateBatch(batch, [column], { workers })).rejects.toMatchObject({
      name: "ColumnsError",
      code: "WORKER_LOST",
      message: expect.stringContaining(words),
    });
    await evaluateBatch(batch, [column], { workers });
    expect(made).toBe(4);
  });

  it("that cannot be created are WORKER_LOST", async () => {
    const createWorker = () => {
      throw new Error("no workers available");
    };
    using workers = new ColumnWorkers({ count: 2, createWorker });
    await expect(evaluateBatch(batch, [column], { workers })).rejects.toMatchObject({ code: "WORKER_LOST" });
  });

  it("that die in a call end it, and the others with it", async () => {
    const { workers, started } = twoWorkers();
    using _ = workers;
    const long = endless();
    const running = evaluateBatch(long.batch, [long.x], { workers });
    setTimeout(() => void started[0]!.terminate(), 100);
    await expect(running).rejects.toMatchObject({ code: "WORKER_LOST" });
    await ended(started);
  });

  it("are requested by their number alone, do not keep the process alive, and can be ended", () => {
    const index = new URL("../../dist/index.js", import.meta.url);
    const script = `
      import { endWorkers, evaluateBatch } from ${JSON.stringify(index.href)};
      const codes = { words: Uint32Array.from(${JSON.stringify(copies("f32"))}), offsets: Uint32Array.of(0, 6) };
      const evaluate = async (value) =>
        (await evaluateBatch(codes, [Float32Array.of(value)], { workers: 2, outputs: true })).outputs.column(0)[0];
      console.log(await evaluate(5));
      endWorkers();
      console.log(await evaluate(6));`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(said).toBe("5\n6\n");
  });

  it("are not there where threads share no memory: the calling thread computes", async () => {
    const shared = globalThis.SharedArrayBuffer;
    try {
      Object.assign(globalThis, { SharedArrayBuffer: undefined });
      const { outputs } = await evaluateBatch(batch, [column], { workers: 2, outputs: true });
      expect(outputs!.column(0)[0]).toBe(4);
      endWorkers();
    } finally {
      Object.assign(globalThis, { SharedArrayBuffer: shared });
    }
  });

  it.each([
    [{ count: 0 }, /^option `count`: expected a whole number from 1 to 256, found 0/],
    [{}, /^option `count`/],
    [{ count: 2, create: 1 }, /^unknown option `create`/],
  ])("need a number: %j", (options, message) => {
    expect(() => new ColumnWorkers(options as { count: number })).toThrowError(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }),
    );
  });
});
