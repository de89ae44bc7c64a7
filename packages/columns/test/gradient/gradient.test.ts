// Derivatives that are known, what has none, and bad input.
import { describe, expect, it } from "vitest";
import { type Column, GradientStatus, gradientBatch, type Loss } from "../../src/index.js";
import { batchOf, codeWords, type Item, input, step } from "../support/codes.js";
import { constant } from "../support/formulas.js";

const X = Float32Array.of(1, 2, -3, 4, 0.5);
const ZERO = new Float64Array(X.length);
const mse: Loss = { kind: "mse", target: ZERO };

/** Codes with one f32 output, the last value, on one column. */
const code = (items: readonly Item[], type = "f32"): number[] =>
  codeWords(1, items, [[items.length - 1, type]]);

/** The mean of a number for each row. */
const mean = (of: (x: number) => number): number => X.reduce((sum, x) => sum + of(x), 0) / X.length;

/** The derivatives of a code, the same on both machines. */
async function gradient(items: readonly Item[], loss = mse, columns: readonly Column[] = [X]) {
  const batch = batchOf(code(items));
  const result = await gradientBatch(batch, columns, { loss });
  expect(await gradientBatch(batch, columns, { loss, webAssembly: false })).toEqual(result);
  return { status: result.status[0], loss: result.loss[0], gradients: [...result.gradients] };
}

const c = 1.5;
const x = input("f32", 0);

describe("gradientBatch", () => {
  it.each<[name: string, items: readonly Item[], expected: readonly number[]]>([
    ["a factor", [x, constant(c), step("mul.f32", 0, 1)], [mean((v) => 2 * c * v * v)]],
    ["the output itself", [x, constant(c)], [2 * c]],
    [
      "a constant that is read twice",
      [x, constant(c), step("mul.f32", 1, 1), step("mul.f32", 2, 0)],
      [mean((v) => 4 * c ** 3 * v * v)],
    ],
    [
      "two constants in a difference",
      [x, constant(c), constant(0.25), step("sub.f32", 1, 2), step("mul.f32", 3, 0)],
      [mean((v) => 2.5 * v * v), mean((v) => -2.5 * v * v)],
    ],
    ["a divisor", [x, constant(2), step("div.rn.f32", 0, 1)], [mean((v) => -v * v * 0.25)]],
    ["max: the operand that is returned", [x, constant(c), step("max.f32", 0, 1)], [(2 * c * 3) / 5]],
    ["min: the other operand", [x, constant(c), step("min.f32", 1, 0)], [(2 * c * 2) / 5]],
    ["abs", [x, constant(-c), step("abs.f32", 1)], [-2 * c]],
    [
      "copysign, whose second operand has the magnitude",
      [x, constant(c), step("copysign.f32", 0, 1)],
      [2 * c],
    ],
    [
      "selp, whose comparison has the derivative 0",
      [x, constant(c), constant(1), step("setp.lt.f32", 0, 1), step("selp.f32", 2, 1, 3)],
      [(2 * c * 2) / 5, (2 * 3) / 5],
    ],
    [
      "selp of b32",
      [x, constant(c), step("setp.gt.f32", 0, 1), step("selp.b32", 0, 1, 2)],
      [(2 * c * 3) / 5],
    ],
    ["slct", [x, constant(c), step("slct.f32.f32", 1, 0, 0)], [(2 * c * 4) / 5]],
    [
      "a constant nobody reads",
      [constant(2), x, constant(c), step("mul.f32", 1, 2)],
      [0, mean((v) => 2 * c * v * v)],
    ],
    ["rounding as an identity", [x, constant(c), step("mul.rz.f32", 0, 1)], [mean((v) => 2 * c * v * v)]],
    ["mov and cvt as identities", [x, constant(c), step("mov.f32", 1), step("mov.b32", 2)], [2 * c]],
  ])("knows the derivative of %s", async (_, items, expected) => {
    const { status, gradients } = await gradient(items);
    expect(status).toBe(GradientStatus.ok);
    expect(gradients).toHaveLength(expected.length);
    gradients.forEach((found, index) => void expect(found).toBeCloseTo(expected[index]!, 5));
  });

  it("treats a subnormal that .ftz flushes like the zero that it selects by", async () => {
    const tiny = Float32Array.of(-1e-40, -1, 1);
    const loss: Loss = { kind: "mse", target: new Float64Array(3) };
    const items = (name: string): Item[] => [x, constant(1), constant(2), step(name, 1, 2, 0)];
    expect((await gradient(items("slct.ftz.f32.f32"), loss, [tiny])).gradients).toEqual([4 / 3, 4 / 3]);
    expect((await gradient(items("slct.f32.f32"), loss, [tiny])).gradients).toEqual([2 / 3, 8 / 3]);
  });

  it("ignores infinite factors of branches that are not taken", async () => {
    const column = Float32Array.of(0, 4);
    const loss: Loss = { kind: "mse", target: new Float64Array(2) };
    const items: Item[] = [
      x,
      constant(1),
      step("mul.f32", 0, 1),
      step("rcp.rn.f32", 2),
      step("setp.eq.f32", 0, 0),
      step("setp.gt.f32", 0, 1),
      step("selp.f32", 3, 2, 5),
    ];
    const { status, gradients } = await gradient(items, loss, [column]);
    expect(status).toBe(GradientStatus.ok);
    // 1 / (4 c) in the second row, c * 0 in the first.
    expect(gradients[0]).toBeCloseTo(-1 / 16, 6);
  });

  it("weighs rows, and takes the signs of absolute errors", async () => {
    const weights = Float64Array.of(1, 0, 2, 0, 1);
    const items = [x, constant(c), step("mul.f32", 0, 1)];
    const squared = await gradient(items, { ...mse, weights });
    expect(squared.gradients[0]).toBeCloseTo((2 * c * (1 + 2 * 9 + 0.25)) / 4, 5);
    const absolute = await gradient(items, { kind: "mae", target: ZERO, weights });
    expect(absolute.gradients[0]).toBeCloseTo((1 + 2 * 3 + 0.5) / 4, 5);
  });

  it("says which codes have no derivatives", async () => {
    const onPath = [
      x,
      constant(c),
      step("cvt.rni.s32.f32", 1),
      step("cvt.rn.f32.s32", 2),
      step("mul.f32", 0, 3),
    ];
    expect(await gradient(onPath)).toMatchObject({
      status: GradientStatus.notDifferentiable,
      loss: expect.any(Number),
      gradients: [Number.NaN],
    });
    const saturated = [x, constant(c), step("add.sat.f32", 0, 1)];
    expect((await gradient(saturated)).status).toBe(GradientStatus.notDifferentiable);
    const besides = [
      x,
      constant(c),
      step("cvt.rni.s32.f32", 0),
      step("cvt.rn.f32.s32", 2),
      step("mul.f32", 1, 3),
    ];
    expect((await gradient(besides)).status).toBe(GradientStatus.ok);
    const steep = [x, constant(0), step("sqrt.rn.f32", 1), step("add.f32", 0, 2)];
    expect(await gradient(steep)).toMatchObject({
      status: GradientStatus.noGradient,
      gradients: [Number.NaN],
    });
    const infinite = [x, constant(0), step("div.rn.f32", 0, 1)];
    expect(await gradient(infinite)).toMatchObject({
      status: GradientStatus.notFinite,
      loss: Number.NaN,
      gradients: [Number.NaN],
    });
  });

  it("has nothing to derive in a code without constants", async () => {
    expect(await gradient([x, step("mul.f32", 0, 0)])).toMatchObject({
      status: GradientStatus.ok,
      gradients: [],
    });
  });

  it("keeps the derivatives of a batch apart, whatever its size", async () => {
    const codes = Array.from({ length: 5000 }, (_, index) =>
      code([x, ...Array.from({ length: index % 4 }, () => constant(index)), step("add.f32", 0, index % 4)]),
    );
    const { offsets, gradients } = await gradientBatch(batchOf(...codes), [X], { loss: mse });
    codes.forEach((_, index) => {
      const count = index % 4;
      const found = [...gradients.subarray(offsets[index], offsets[index + 1])];
      const slope = 2 * mean((v) => v + index);
      expect(found).toEqual(
        Array.from({ length: count }, (_, at) => (at + 1 === count ? expect.closeTo(slope, 2) : 0)),
      );
    });
  });

  it("derives codes with values of 64 bits", async () => {
    const items = [x, constant(c), step("cvt.f64.f32", 0), step("cvt.rn.f32.f64", 2), step("mul.f32", 1, 3)];
    expect((await gradient(items)).gradients[0]).toBeCloseTo(
      mean((v) => 2 * c * v * v),
      5,
    );
  });

  it("refuses bad input", async () => {
    const good = code([x, constant(c), step("mul.f32", 0, 1)]);
    const call = (words: readonly number[], options: object) =>
      gradientBatch(batchOf(good, words), [X], { loss: mse, ...options });
    await expect(call(good, { loss: { kind: "max", target: ZERO } })).rejects.toThrow(
      "expected `loss.kind` as `mse`, `mae`, `nmse` or `r2`, which have derivatives",
    );
    await expect(call(good, { loss: undefined })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(call(good, { steps: 1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(call(good, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    await expect(call(good.slice(0, -1), {})).rejects.toMatchObject({ code: "BAD_CODE", place: { code: 1 } });
    await expect(call(good, { loss: { ...mse, output: 1 } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await expect(call([], { webAssembly: false })).rejects.toMatchObject({
      code: "BAD_CODE",
      place: { code: 1 },
    });
  });

  it("refuses a damaged code or treats it as another code, without harm", async () => {
    const good = code([
      x,
      constant(c),
      step("mul.f32", 0, 1),
      step("sin.approx.f32", 2),
      step("max.f32", 3, 1),
    ]);
    for (let bit = 0; bit < good.length * 32; bit++) {
      const damaged = good.map((word, index) =>
        index === bit >> 5 ? (word ^ (1 << (bit & 31))) >>> 0 : word,
      );
      const results = await Promise.all(
        [true, false].map((webAssembly) =>
          gradientBatch(batchOf(damaged), [X], { loss: mse, webAssembly }).catch(
            (error: Error) => error.message,
          ),
        ),
      );
      expect(results[1]).toEqual(results[0]);
    }
  });
});
