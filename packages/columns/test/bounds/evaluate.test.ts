// `bounds` and `interval` of evaluateBatch.
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { ColumnsError, type EvaluateOptions, evaluateBatch, gradientBatch } from "../../src/index.js";
import { parseStub } from "../../src/stub/index.js";
import { batchOf } from "../support/codes.js";
import { randomCode, randomColumns } from "../support/random-codes.js";
import { twoWorkers } from "../support/workers.js";

const SITE = ["in x", "in y", "out d"].map((text) => {
  const [direction, name] = text.split(" ") as ["in" | "out", string];
  return { direction, name, register: name, registerType: "f32", type: "F32" };
});
const STUBS = [
  ".reg .f32 %a, %b; div.approx.f32 %a, %x, %y; sin.approx.f32 %b, %a; ex2.approx.ftz.f32 %d, %b;",
  "add.f32 %d, %x, %y;",
  ".reg .f32 %a; tanh.approx.f32 %a, %x; sqrt.approx.f32 %d, %a;",
  // The cosine is nearest to 1 - 2^-24, and may be 1.
  ".reg .f32 %a, %b; cos.approx.f32 %a, 0f39B504F3; sub.f32 %b, 0f3F800000, %a; rcp.approx.f32 %d, %b;",
];
const codes = new CodeBuffer();
for (const stub of STUBS) parseStub(stub, SITE, codes);

const ROWS = 500;
const x = Float32Array.from({ length: ROWS }, (_, row) => 0.01 * (row + 1));
const y = Float32Array.from({ length: ROWS }, (_, row) => 1.5 + Math.cos(row));
const target = Float64Array.from({ length: ROWS }, (_, row) => row % 3);
const loss = { kind: "mse", target } as const;
const evaluate = (options: EvaluateOptions) => evaluateBatch(codes, [x, y], { loss, ...options });

const { workers } = twoWorkers();
afterAll(() => workers.dispose());

describe("bounds", () => {
  it("changes the losses of approximate codes a little, and no others", async () => {
    const { loss: nearest } = await evaluate({});
    const seen = new Set<number>();
    for (let seed = 0; seed < 10; seed++) {
      const { loss: disturbed } = await evaluate({ bounds: "ptx", seed });
      seen.add(disturbed![0]!);
      expect(Math.abs(disturbed![0]! / nearest![0]! - 1)).toBeLessThan(1e-5);
      expect(disturbed![1]).toBe(nearest![1]);
      expect(disturbed![2]).not.toBe(nearest![2]);
      expect(Math.abs(disturbed![2]! / nearest![2]! - 1)).toBeLessThan(2 ** -9);
    }
    expect(seen.size).toBe(10);
    expect(seen).not.toContain(nearest![0]);
    expect((await evaluate({ bounds: "ptx" })).loss).toEqual(
      (await evaluate({ bounds: "ptx", seed: 0 })).loss,
    );
  });

  it("gives the same in JavaScript and in workers", async () => {
    const options = { bounds: "ptx", seed: 7, cases: true, interval: { disturbances: 3 } } as const;
    const here = await evaluate(options);
    expect(await evaluate({ ...options, webAssembly: false })).toEqual(here);
    expect(await evaluate({ ...options, workers })).toEqual(here);
  });

  it("gives random codes the same losses in JavaScript", async () => {
    const property = fc.asyncProperty(
      fc.array(randomCode, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      async (random, rows, seed) => {
        const columns = randomColumns(rows, seed);
        const options = { bounds: "ptx", seed, outputs: true } as const;
        const there = await evaluateBatch(batchOf(...random), columns, options);
        const here = await evaluateBatch(batchOf(...random), columns, { ...options, webAssembly: false });
        expect(Buffer.from(here.outputs!.buffer).equals(Buffer.from(there.outputs!.buffer))).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: cases(300) });
  });

  it("two evaluations at a time do not disturb each other", async () => {
    const all: EvaluateOptions[] = [{}, { bounds: "ptx", seed: 1 }, { bounds: "ptx", seed: 2 }, {}];
    for (const webAssembly of [true, false]) {
      const alone: Float64Array[] = [];
      for (const options of all) alone.push((await evaluate({ ...options, webAssembly })).loss!);
      const together = await Promise.all(all.map((options) => evaluate({ ...options, webAssembly })));
      expect(together.map((result) => result.loss!)).toEqual(alone);
    }
  });
});

it.each([true, false])(
  "derivatives are not disturbed by what ran before, WebAssembly: %s",
  async (webAssembly) => {
    const gradient = () => gradientBatch(codes, [x, y], { loss, webAssembly });
    const before = await gradient();
    await evaluate({ bounds: "ptx", seed: 5, webAssembly });
    expect(await gradient()).toEqual(before);
  },
);

describe("interval", () => {
  it("has the least and the greatest loss of all disturbances", async () => {
    const { interval, loss: nearest } = await evaluate({ interval: { disturbances: 20 }, seed: 3 });
    const { lowest, highest, status } = interval!;
    expect(status.subarray(0, 3)).toEqual(Uint8Array.of(0, 0, 0));
    for (const code of [0, 2]) {
      expect(lowest[code]).toBeLessThan(highest[code]!);
      expect(highest[code]! / lowest[code]!).toBeLessThan(1.01);
    }
    expect([lowest[1], highest[1]]).toEqual([nearest![1], nearest![1]]);
    const one = await evaluate({ interval: { disturbances: 1 }, seed: 3 });
    expect(one.interval!.lowest).toEqual(one.interval!.highest);
    expect(one.interval!.lowest[0]).toBeGreaterThanOrEqual(lowest[0]!);
    expect(one.interval!.lowest[0]).toBeLessThanOrEqual(highest[0]!);
    expect(one.loss).toEqual(nearest);
  });

  it("says when a disturbance has no loss", async () => {
    const { interval, status, loss: nearest } = await evaluate({ interval: { disturbances: 12 } });
    expect([status[3], nearest![3]]).toEqual([0, expect.any(Number)]);
    expect([interval!.status[3], interval!.lowest[3], interval!.highest[3]]).toEqual([1, NaN, NaN]);
  });

  it("lets the event loop run, and can be aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason));
    const { signal } = controller;
    await expect(evaluate({ interval: { disturbances: 2 ** 16 }, signal })).rejects.toBe(reason);
  });

  it("does not change with the columns or codes of the caller", async () => {
    const options = { loss, interval: { disturbances: 5 } };
    const expected = await evaluateBatch(codes, [x, y], options);
    const [words, column] = [codes.words.slice(), x.slice()];
    const promise = evaluateBatch({ words, offsets: codes.offsets }, [column, y], options);
    words.fill(0);
    column.fill(0);
    expect(await promise).toEqual(expected);
  });
});

it("without them, there is no interval", async () => {
  expect((await evaluate({})).interval).toBeUndefined();
});

it.each<[string, object, string]>([
  ["bounds", { bounds: "gpu" }, "option `bounds`: expected `ptx`"],
  ["seed", { bounds: "ptx", seed: -1 }, "option `seed`: expected a whole number"],
  ["seed", { seed: 1 }, "expected `bounds` or `interval` with `seed`, found none"],
  ["interval", { interval: { disturbances: 0 } }, "option `interval.disturbances`"],
  ["interval", { interval: {} }, "option `interval.disturbances`"],
  [
    "interval",
    { interval: { disturbances: 2 }, loss: undefined },
    "expected a loss with `interval`, found none",
  ],
])("refuses options: %s %#", async (_, options, message) => {
  const error = await evaluate(options as EvaluateOptions).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ColumnsError);
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect((error as Error).message).toContain(message);
});
