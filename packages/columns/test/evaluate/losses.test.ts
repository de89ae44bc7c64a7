// Losses: the same bits in WebAssembly and in JavaScript, values near those of exact arithmetic, and statuses.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { type Column, evaluateBatch, type Loss, type LossKind } from "../../src/index.js";
import { batchOf, bitsOf, copies } from "../support/codes.js";
import { absolute, exact, quotient } from "../support/exact.js";

const NUMERIC: readonly LossKind[] = ["mse", "mae", "max", "nmse", "r2", "misses"];

const lossOf = (kind: LossKind, target: Column, weights?: Float64Array): Loss => ({
  kind,
  target,
  ...(weights === undefined ? {} : { weights }),
  ...(kind === "misses" ? { tolerance: 0.5 } : {}),
});

/** The loss of outputs, which is the same in WebAssembly and in JavaScript, with cases and without. */
async function evaluate(type: string, output: Column, loss: Loss) {
  const batch = batchOf(copies(type));
  const results = await Promise.all(
    [
      { cases: true },
      { cases: false },
      { cases: true, webAssembly: false },
      { cases: false, webAssembly: false },
    ].map((options) => evaluateBatch(batch, [output], { loss, ...options })),
  );
  const [first] = results;
  for (const { status, loss: value, scale, offset } of results) {
    expect(status).toEqual(first!.status);
    expect(bitsOf(value)).toEqual(bitsOf(first!.loss));
    expect(bitsOf(scale)).toEqual(bitsOf(first!.scale));
    expect(bitsOf(offset)).toEqual(bitsOf(first!.offset));
  }
  expect(bitsOf(results[2]!.cases)).toEqual(bitsOf(first!.cases));
  return {
    status: first!.status[0]!,
    loss: first!.loss![0]!,
    scale: first!.scale?.[0],
    offset: first!.offset?.[0],
    cases: first!.cases!,
  };
}

const float = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true, min: -100, max: 100 }),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
);

const rowsOf = (least: number) =>
  fc.integer({ min: least, max: 70 }).chain((rows) =>
    fc.record({
      output: fc.array(float, { minLength: rows, maxLength: rows }).map((list) => Float32Array.from(list)),
      target: fc
        .array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { minLength: rows, maxLength: rows })
        .map((list) => Float64Array.from(list, (value) => value / 12345)),
      weights: fc.option(
        fc
          .array(fc.double({ noNaN: true, min: 0.125, max: 10 }), { minLength: rows, maxLength: rows })
          .map((list) => Float64Array.from(list)),
        { nil: undefined },
      ),
    }),
  );

/** The exact loss of outputs; denominators and numerators are integers. */
function exactLoss(
  kind: LossKind,
  output: ArrayLike<number>,
  target: Float64Array,
  weights: Float64Array,
): number {
  const errors = Array.from(target, (value, row) => exact(output[row]!) - exact(value));
  const weight = Array.from(weights, exact);
  const one = exact(1);
  const weightSum = weight.reduce((sum, each) => sum + each, 0n);
  const sum = (term: (row: number) => bigint): bigint =>
    errors.reduce((total, _, row) => total + weight[row]! * term(row), 0n);
  if (kind === "mse")
    return quotient(
      sum((row) => errors[row]! ** 2n),
      weightSum * one * one,
    );
  if (kind === "mae")
    return quotient(
      sum((row) => absolute(errors[row]!)),
      weightSum * one,
    );
  if (kind === "max") {
    const products = errors.map((error, row) => absolute(error) * weight[row]!);
    return quotient(products.sort((a, b) => (a < b ? -1 : 1)).at(-1)!, one * one);
  }
  if (kind === "misses")
    return quotient(
      sum((row) => (2n * absolute(errors[row]!) > one ? 1n : 0n)),
      one,
    );
  // 1 - R²: the mean of the target times the sum of the weights is an integer.
  const mean = sum((row) => exact(target[row]!));
  const deviations = sum((row) => (exact(target[row]!) * weightSum - mean) ** 2n);
  return quotient(sum((row) => errors[row]! ** 2n) * weightSum ** 2n, deviations);
}

const near = (found: number, expected: number, relative: number): void => {
  expect(Math.abs(found - expected), `${found} for ${expected}`).toBeLessThanOrEqual(
    relative * Math.abs(expected) + 1e-300,
  );
};

describe("losses of f32 are those of exact arithmetic", () => {
  it.each(["mse", "mae", "max", "misses", "r2"] as const)("%s", async (kind) => {
    await fc.assert(
      fc.asyncProperty(rowsOf(2), async ({ output, target, weights }) => {
        fc.pre(kind !== "r2" || new Set(target).size > 1);
        const { loss, status } = await evaluate("f32", output, lossOf(kind, target, weights));
        expect(status).toBe(0);
        const expected = exactLoss(kind, output, target, weights ?? new Float64Array(target.length).fill(1));
        // Each term has a few roundings, and the sum has next to none; a variance may have lost digits with its mean.
        near(loss, expected, kind === "r2" ? 1e-9 : 2 ** -50);
      }),
      { numRuns: smoke(600) },
    );
  });
});

describe("sums are compensated", () => {
  const ROWS = 40_001;
  const small = 2 ** -54;
  /** One large error, followed by many that a plain sum would lose. */
  const output = Float64Array.from({ length: ROWS }, (_, row) => (row < 4 ? 1 : Math.sqrt(small)));
  const target = new Float64Array(ROWS);

  it("mse", async () => {
    const { loss } = await evaluate("f64", output, lossOf("mse", target));
    near(loss, exactLoss("mse", output, target, new Float64Array(ROWS).fill(1)), 2 ** -51);
    let plain = 0;
    for (const value of output) plain += value * value;
    expect(Math.abs(plain / ROWS - loss) / loss).toBeGreaterThan(2 ** -45);
  });

  it("mse of f32", async () => {
    const floats = Float32Array.from(output);
    const { loss } = await evaluate("f32", floats, lossOf("mse", target));
    near(loss, exactLoss("mse", floats, target, new Float64Array(ROWS).fill(1)), 2 ** -51);
  });

  it("mae", async () => {
    const tiny = Float64Array.from({ length: ROWS }, (_, row) => (row < 4 ? 1 : small));
    const { loss } = await evaluate("f64", tiny, lossOf("mae", target));
    near(loss, exactLoss("mae", tiny, target, new Float64Array(ROWS).fill(1)), 2 ** -51);
  });
});

describe("nmse", () => {
  it("is the loss of the scaled output, and no other scale or offset has a smaller one", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(3), async ({ output, target, weights }) => {
        fc.pre(new Set(target).size > 1);
        const { loss, scale, offset, status } = await evaluate(
          "f32",
          output,
          lossOf("nmse", target, weights),
        );
        expect(status).toBe(0);
        const scaled = Float64Array.from(output, (value) => offset! + scale! * value);
        const every = weights ?? new Float64Array(target.length).fill(1);
        const expected = exactLoss("r2", scaled, target, every);
        expect(Math.abs(loss - expected)).toBeLessThanOrEqual(1e-9 * expected + 1e-18);
        expect(loss).toBeLessThanOrEqual(1 + 1e-9);
        for (const [a, b] of [
          [1.001, 1],
          [0.999, 1],
          [1, 1.001],
          [1, 0.999],
        ]) {
          const other = Float64Array.from(output, (value) => offset! * b! + scale! * a! * value);
          expect(exactLoss("r2", other, target, every)).toBeGreaterThanOrEqual(expected * (1 - 1e-9));
        }
      }),
      { numRuns: smoke(300) },
    );
  });

  it("finds the line that the target is", async () => {
    const output = Float32Array.from({ length: 1000 }, (_, row) => row / 7 + 1e4);
    const target = Float64Array.from(output, (value) => 3 - 2 * value);
    const { loss, scale, offset } = await evaluate("f32", output, lossOf("nmse", target));
    near(scale!, -2, 1e-12);
    near(offset!, 3, 1e-8);
    expect(loss).toBeLessThan(1e-24);
  });

  it("keeps its digits for outputs that hardly differ from a large number", async () => {
    const output = Float64Array.from({ length: 500 }, (_, row) => 2 ** 40 + (row % 10) / 64);
    const target = Float64Array.from({ length: 500 }, (_, row) => (row % 10) + (row % 2) / 1024);
    const { scale } = await evaluate("f64", output, lossOf("nmse", target));
    const plain = Float64Array.from({ length: 500 }, (_, row) => (row % 10) / 64);
    const expected = await evaluate("f64", plain, lossOf("nmse", target));
    near(scale!, expected.scale!, 1e-12);
  });

  it.each([0, 1 / 3, -1e30, 3e-310])("is 1 for outputs that are all %s", async (value) => {
    const target = Float64Array.from({ length: 37 }, (_, row) => Math.sin(row));
    const { loss, scale, status, offset } = await evaluate(
      "f64",
      new Float64Array(37).fill(value),
      lossOf("nmse", target),
    );
    expect({ loss, scale, status }).toEqual({ loss: 1, scale: 0, status: 0 });
    near(offset!, target.reduce((sum, each) => sum + each) / 37, 1e-12);
  });
});

describe("what is not finite is a status", () => {
  const target = Float64Array.of(1, 2, 3, 4, 5, 6, 7);

  it.each(
    NUMERIC.flatMap((kind) => [Number.NaN, Infinity, -Infinity].map((value) => [kind, value] as const)),
  )("%s with %s", async (kind, value) => {
    for (const row of [0, 3, 6]) {
      const output = Float32Array.from(target);
      output[row] = value;
      for (const weights of [undefined, Float64Array.from(target, (_, index) => (index === row ? 0 : 1))]) {
        const { status, loss, cases: terms } = await evaluate("f32", output, lossOf(kind, target, weights));
        expect({ status, loss }).toEqual({ status: 1, loss: Number.NaN });
        expect(Number.isFinite(terms[row])).toBe(false);
      }
    }
  });

  it.each(["f32", "f64"])("hamming of %s", async (type) => {
    const Kind = type === "f32" ? Float32Array : Float64Array;
    for (const value of [Number.NaN, Infinity]) {
      const { status, loss } = await evaluate(type, Kind.of(1, value), lossOf("hamming", Kind.of(1, 2)));
      expect({ status, loss }).toEqual({ status: 1, loss: Number.NaN });
    }
  });

  it.each(["mse", "r2", "nmse"] as const)("%s when squares overflow", async (kind) => {
    const output = Float64Array.of(1e200, 0, 0, 0, 0, 0, -1e200);
    expect(await evaluate("f64", output, lossOf(kind, target))).toMatchObject({
      status: 1,
      loss: Number.NaN,
    });
  });

  it("mae when a sum overflows", async () => {
    const output = new Float64Array(7).fill(1.7e308);
    expect(await evaluate("f64", output, lossOf("mae", target))).toMatchObject({ status: 1 });
    expect(await evaluate("f64", output, lossOf("max", target))).toMatchObject({ status: 0, loss: 1.7e308 });
  });
});

describe("outputs of all types of numbers", () => {
  const halves = [0x3c00, 0xc100, 0x0001, 0x7bff, 0x0400, 0x8000];
  const brains = [0x3f80, 0xc020, 0x0001, 0x7f00, 0x0080, 0x8000];

  it.each<[string, Column, number[]]>([
    ["f64", Float64Array.of(0.1, -1e10, 3), [0.1, -1e10, 3]],
    ["s32", Int32Array.of(-5, 2 ** 31 - 1), [-5, 2 ** 31 - 1]],
    ["u32", Uint32Array.of(5, 2 ** 32 - 1), [5, 2 ** 32 - 1]],
    ["s16", Int16Array.of(-5, 32767), [-5, 32767]],
    ["u16", Uint16Array.of(5, 65535), [5, 65535]],
    ["s64", BigInt64Array.of(-5n, 2n ** 62n + 1n), [-5, 2 ** 62]],
    ["u64", BigUint64Array.of(5n, 2n ** 64n - 1n, 2n ** 63n + 1024n), [5, 2 ** 64, 2 ** 63]],
    ["pred", Uint8Array.of(0, 1, 1), [0, 1, 1]],
    ["f16", Uint16Array.from(halves), [1, -2.5, 2 ** -24, 65504, 2 ** -14, -0]],
    ["bf16", Uint16Array.from(brains), [1, -2.5, 2 ** -133, 2 ** 127, 2 ** -126, -0]],
  ])("%s", async (type, output, values) => {
    const target = Float64Array.from(values, (_, row) => row - 1.25);
    for (const kind of NUMERIC) {
      const loss = lossOf(kind, target);
      const found = await evaluate(type, output, loss);
      const expected = await evaluate("f64", Float64Array.from(values), loss);
      expect(found).toEqual(expected);
    }
  });

  it("halves that are no numbers", async () => {
    for (const [type, nan] of [
      ["f16", 0x7e00],
      ["f16", 0xfc00],
      ["bf16", 0x7f81],
      ["bf16", 0xff80],
    ] as const) {
      const loss = lossOf("misses", Float64Array.of(1));
      expect(await evaluate(type, Uint16Array.of(nan), loss)).toMatchObject({ status: 1 });
    }
  });
});

describe("hamming counts the bits that differ", () => {
  it.each<[string, Column, Column, number]>([
    ["s32", Int32Array.of(-1, 0, 5), Int32Array.of(0, 0, 4), 33],
    ["b32", Uint32Array.of(0xff, 0), Uint32Array.of(0xf0, 1), 5],
    ["s16", Int16Array.of(-1, 1), Int16Array.of(1, 1), 15],
    ["u16", Uint16Array.of(0xffff), Uint16Array.of(0), 16],
    ["s64", BigInt64Array.of(-1n), BigInt64Array.of(0n), 64],
    ["u64", BigUint64Array.of(2n ** 63n), BigUint64Array.of(1n), 2],
    ["pred", Uint8Array.of(0, 1, 1), Uint8Array.of(1, 1, 0), 2],
    ["f32", Float32Array.of(1, -2), Float32Array.of(-1, -2), 1],
    ["f64", Float64Array.of(1), Float64Array.of(-1.5), 2],
    ["f16", Uint16Array.of(0x3c00), Uint16Array.of(0xbc01), 2],
    ["f16x2", Uint32Array.of(0x3c003c00), Uint32Array.of(0x3c00bc01), 2],
  ])("%s", async (type, output, target, bits) => {
    expect(await evaluate(type, output, lossOf("hamming", target))).toMatchObject({ status: 0, loss: bits });
    const weights = new Float64Array(output.length).fill(2.5);
    const weighted = await evaluate(type, output, lossOf("hamming", target, weights));
    expect(weighted.loss).toBe(bits * 2.5);
  });
});

it("cases are what each row adds", async () => {
  const output = Float32Array.of(1, 2, 4);
  const target = Float64Array.of(1, 0, 7);
  const weights = Float64Array.of(1, 2, 3);
  const terms = async (kind: LossKind) =>
    Array.from((await evaluate("f32", output, lossOf(kind, target, weights))).cases);
  expect(await terms("mse")).toEqual([0, 4, 9]);
  expect(await terms("r2")).toEqual([0, 4, 9]);
  expect(await terms("mae")).toEqual([0, 2, 3]);
  expect(await terms("max")).toEqual([0, 2, 3]);
  expect(await terms("misses")).toEqual([0, 1, 1]);
});
