// Fitting of constants: known problems, no harm to what cannot be fitted, the same bits everywhere, and bad input.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import {
  evaluateBatch,
  type FitOptions,
  FitStatuses,
  fitConstants,
  type LossKind,
  replaceConstants,
} from "../../src/index.js";
import { batchOf, bitsOf, codeWords, type Item, input, step } from "../support/codes.js";
import { codeOf, constant, type Formula } from "../support/formulas.js";

const ROWS = 101;
const X = Float32Array.from({ length: ROWS }, (_, row) => row / 25 - 2);
const x: Formula = { input: 0 };
const c = (value: number): Formula => ({ constant: value });
const call = (name: string, ...operands: Formula[]): Formula => ({ name, operands });
const targetOf = (of: (x: number) => number): Float64Array => Float64Array.from(X, of);

const floats = (bits: Uint32Array): Float32Array => new Float32Array(bits.slice().buffer);

/** Fits codes on both machines, and checks what holds for every fit. */
async function fit(codes: readonly (readonly number[])[], options: Omit<FitOptions, "signal">) {
  const batch = batchOf(...codes);
  const result = await fitConstants(batch, [X], options);
  const other = await fitConstants(batch, [X], { ...options, webAssembly: false });
  expect(bitsOf(other.loss)).toEqual(bitsOf(result.loss));
  expect({ ...other, loss: 0 }).toEqual({ ...result, loss: 0 });
  const { loss } = options;
  const before = await evaluateBatch(batch, [X], { loss });
  const after = await evaluateBatch(replaceConstants(batch, result), [X], { loss });
  expect(bitsOf(result.lossBefore)).toEqual(bitsOf(before.loss));
  expect(bitsOf(result.loss)).toEqual(bitsOf(after.loss));
  result.loss.forEach((value, code) => {
    if (!Number.isNaN(result.lossBefore[code]!)) expect(value).toBeLessThanOrEqual(result.lossBefore[code]!);
  });
  return { ...result, values: [...floats(result.constants)] };
}

describe("fitConstants", () => {
  it("finds the constants of a line at once, and stops", async () => {
    const line = call("fma", x, c(0), c(0));
    const target = targetOf((v) => 3 * v - 0.5);
    const { status, values, evaluations, loss } = await fit([codeOf(line, 1)], {
      loss: { kind: "mse", target },
      method: "lm",
      iterations: 20,
    });
    expect(status[0]).toBe(FitStatuses.ok);
    expect(values[0]).toBeCloseTo(3, 5);
    expect(values[1]).toBeCloseTo(-0.5, 5);
    expect(loss[0]).toBeLessThan(1e-12);
    expect(evaluations[0]).toBeLessThan(12);
  });

  it("finds the constants of a curve", async () => {
    // 2 exp2(-0.75 x) + sin(1.5 x)
    const curve = call(
      "add",
      call("mul", c(1), call("ex2", call("mul", c(-0.5), x))),
      call("sin", call("mul", c(1.2), x)),
    );
    const target = targetOf((v) => 2 * 2 ** (-0.75 * v) + Math.sin(1.5 * v));
    const { values } = await fit([codeOf(curve, 1)], {
      loss: { kind: "mse", target },
      method: "lm",
      iterations: 50,
    });
    [2, -0.75, 1.5].forEach((expected, index) => void expect(values[index]).toBeCloseTo(expected, 4));
  });

  it("takes linear scaling as part of the model for nmse", async () => {
    const inner = call("sin", call("mul", c(1), x));
    const target = targetOf((v) => 100 - 7 * Math.sin(1.3 * v));
    const options = { loss: { kind: "nmse", target }, method: "lm", iterations: 30 } as const;
    const { values, loss } = await fit([codeOf(inner, 1)], options);
    expect(values[0]).toBeCloseTo(1.3, 5);
    expect(loss[0]).toBeLessThan(1e-10);
    // A factor and an addend of the output change nothing.
    const outer = await fit([codeOf(call("fma", c(2), inner, c(3)), 1)], options);
    expect(outer.values[1]).toBeCloseTo(1.3, 5);
  });

  it("weighs rows", async () => {
    const weights = Float64Array.from(X, (v) => (v > 0 ? 2 : 0));
    const target = targetOf((v) => (v > 0 ? 4 * v : 1000));
    const slope = codeOf(call("mul", c(1), x), 1);
    const { values } = await fit([slope], { loss: { kind: "mse", target, weights }, method: "lm" });
    expect(values[0]).toBeCloseTo(4, 5);
    const shape = codeOf(call("sin", call("mul", c(0.4), x)), 1);
    const wave = targetOf((v) => (v > 0 ? 5 + 3 * Math.sin(0.7 * v) : 1000));
    const scaled = await fit([shape], {
      loss: { kind: "nmse", target: wave, weights },
      method: "lm",
      iterations: 40,
    });
    expect(scaled.values[0]).toBeCloseTo(0.7, 3);
  });

  it("copes with constants that do the same", async () => {
    const twins = call("mul", call("add", call("add", c(1), c(2)), c(0.5)), x);
    const { values, loss } = await fit([codeOf(twins, 1)], {
      loss: { kind: "mse", target: targetOf((v) => 10 * v) },
      method: "lm",
      iterations: 20,
    });
    expect(values[0]! + values[1]! + values[2]!).toBeCloseTo(10, 4);
    expect(loss[0]).toBeLessThan(1e-8);
  });

  it("fits none, one and forty constants", async () => {
    const polynomial = Array.from({ length: 40 }).reduce<Formula>(
      (sum) => call("fma", sum, c(0.5), call("mul", c(0.1), x)),
      x,
    );
    const codes = [x, c(2), call("mul", c(1), x), call("tanh", polynomial)].map((formula) =>
      codeOf(formula, 1),
    );
    const { offsets, status, loss, lossBefore, evaluations } = await fit(codes, {
      loss: { kind: "mse", target: targetOf((v) => Math.tanh(2 * v) + 0.1) },
      method: "lm",
    });
    expect([...offsets]).toEqual([0, 0, 1, 2, 82]);
    expect([...status]).toEqual([0, 0, 0, 0]);
    expect(evaluations[0]).toBe(1);
    expect(loss[0]).toBe(lossBefore[0]);
    for (const code of [1, 2, 3]) expect(loss[code]).toBeLessThan(lossBefore[code]!);
  });

  it("returns what cannot be fitted as it is", async () => {
    const raw = (...items: Item[]): number[] => codeWords(1, items, [[items.length - 1, "f32"]]);
    const infinite = raw(input("f32", 0), constant(0), step("div.rn.f32", 0, 1));
    const rough = raw(input("f32", 0), constant(1.5), step("add.sat.f32", 0, 1));
    const steep = raw(input("f32", 0), constant(0), step("sqrt.rn.f32", 1), step("add.f32", 0, 2));
    const many = raw(
      constant(1),
      ...Array.from({ length: 300 }, () => constant(0.5)),
      ...Array.from({ length: 300 }, (_, at) => step("add.f32", at === 0 ? 0 : 300 + at, 1 + at)),
    );
    const { status, values } = await fit([infinite, rough, steep, many], {
      loss: { kind: "mse", target: targetOf((v) => v) },
      method: "lm",
    });
    expect([...status]).toEqual([
      FitStatuses.notFinite,
      FitStatuses.notDifferentiable,
      FitStatuses.noGradient,
      FitStatuses.tooManyConstants,
    ]);
    expect(values.slice(0, 4)).toEqual([0, 1.5, 0, 1]);
  });

  it.each(["max", "mae", "misses", "mse", "nmse"] satisfies LossKind[])(
    "evolves constants for %s, the same for the same seed",
    async (kind) => {
      const line = codeOf(call("fma", x, c(1), c(1)), 1);
      const target = targetOf((v) => 3 * v - 0.5 + 0.1 * Math.sin(40 * v));
      const tolerance = kind === "misses" ? { tolerance: 0.3 } : {};
      const options = { loss: { kind, target, ...tolerance }, method: "es", iterations: 300 } as const;
      const result = await fit([line, line], { ...options, seed: 5 });
      expect(result.values.slice(0, 2)).not.toEqual(result.values.slice(2));
      const factor = kind === "nmse" || kind === "misses" ? 1 : 0.5;
      if (kind !== "nmse") expect(result.loss[0]).toBeLessThan(result.lossBefore[0]! * factor);
      const again = await fitConstants(batchOf(line, line), [X], { ...options, seed: 5 });
      expect(again.constants).toEqual(result.constants);
      const other = await fitConstants(batchOf(line, line), [X], { ...options, seed: 6 });
      if (kind !== "misses") expect(other.constants).not.toEqual(result.constants);
    },
  );

  it("evolves out of a start that is not finite", async () => {
    const quotient = codeOf(call("div", x, c(0)), 1);
    const { status, loss, lossBefore } = await fit([quotient], {
      loss: { kind: "mse", target: targetOf((v) => v) },
      method: "es",
    });
    expect(status[0]).toBe(FitStatuses.ok);
    expect(lossBefore[0]).toBeNaN();
    expect(loss[0]).toBeLessThan(10);
  });

  it("evolves constants of integers' neighbors too", async () => {
    const items: Item[] = [
      input("f32", 0),
      constant(1.2),
      step("cvt.rni.s32.f32", 1),
      step("cvt.rn.f32.s32", 2),
      step("mul.f32", 0, 3),
    ];
    const { values } = await fit([codeWords(1, items, [[4, "f32"]])], {
      loss: { kind: "mse", target: targetOf((v) => 3 * v) },
      method: "es",
      iterations: 200,
    });
    expect(Math.round(values[0]!)).toBe(3);
  });

  it("keeps bits that it cannot improve, NaNs and subnormals among them", async () => {
    const bits = (word: number): Item => [constant(0)[0]!, word];
    const dead: Item[] = [input("f32", 0), bits(0x7fc12345), bits(0x00000007), bits(0x80000000)];
    const words = codeWords(1, dead, [[0, "f32"]]);
    for (const method of ["lm", "es"] as const) {
      const result = await fit([words], { loss: { kind: "mse", target: targetOf((v) => v + 1) }, method });
      expect([...result.constants]).toEqual([0x7fc12345, 0x00000007, 0x80000000]);
    }
  });

  it("never makes a loss worse, and has the same bits on all machines", async () => {
    const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
      formula: fc.oneof(
        { maxDepth: 4, depthSize: "max" },
        { weight: 4, arbitrary: fc.double({ min: -3, max: 3, noNaN: true }).map(c) },
        { weight: 4, arbitrary: fc.constant(x) },
        ...["add", "sub", "mul", "divApprox", "max", "sin", "ex2", "lg2", "rsqrt"].map((name) => ({
          weight: 1,
          arbitrary: (name.length > 5 || ["add", "sub", "mul", "max"].includes(name)
            ? fc.tuple(tie("formula"), tie("formula"))
            : fc.tuple(tie("formula"))
          ).map((operands) =>
            call(name === "rsqrt" ? "rsqrt" : name, ...(name === "rsqrt" ? operands.slice(0, 1) : operands)),
          ),
        })),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(formula, { minLength: 1, maxLength: 10 }),
        fc.constantFrom<[FitOptions["method"], LossKind]>(
          ["lm", "mse"],
          ["lm", "nmse"],
          ["lm", "r2"],
          ["es", "max"],
        ),
        fc.integer({ min: 0, max: 12 }),
        async (formulas, [method, kind], iterations) => {
          const loss = { kind, target: targetOf((v) => v * v - 1) };
          await fit(
            formulas.map((each) => codeOf(each, 1)),
            { loss, method, iterations },
          );
        },
      ),
      { numRuns: smoke(500) },
    );
  });

  it("refuses bad input", async () => {
    const good = codeOf(call("mul", c(1), x), 1);
    const target = targetOf((v) => v);
    const run = (words: readonly number[], options: object) =>
      fitConstants(batchOf(good, words), [X], { loss: { kind: "mse", target }, method: "lm", ...options });
    await expect(run(good, { loss: { kind: "mae", target } })).rejects.toThrow(
      "expected `loss.kind` as `mse`, `nmse` or `r2` for the method `lm`",
    );
    for (const options of [
      { method: "sgd" },
      { iterations: -1 },
      { seed: 0.5 },
      { tolerance: 2 },
      { loss: undefined },
    ]) {
      await expect(run(good, options)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    await expect(run(good.slice(0, -1), {})).rejects.toMatchObject({ code: "BAD_CODE", place: { code: 1 } });
    await expect(run(good, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  it("stops when it is told to", async () => {
    const controller = new AbortController();
    const codes = Array.from({ length: 20000 }, () => codeOf(call("sin", call("mul", c(1), x)), 1));
    const fitting = fitConstants(batchOf(...codes), [X], {
      loss: { kind: "max", target: targetOf((v) => v) },
      method: "es",
      iterations: 1000,
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 5);
    await expect(fitting).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("replaceConstants", () => {
  it("refuses constants of other codes", () => {
    const codes = batchOf(codeOf(call("mul", c(1), x), 1));
    const replace = (constants: unknown, offsets: unknown) => () =>
      replaceConstants(codes, { constants, offsets } as never);
    expect(replace(Uint32Array.of(1, 2), Uint32Array.of(0, 2))).toThrow(
      "expected 1 constants of code 0, found 2",
    );
    expect(replace(Uint32Array.of(1), Uint32Array.of(0))).toThrow(
      "expected offsets of constants of 1 codes, found 1",
    );
    expect(replace([1], Uint32Array.of(0, 1))).toThrow("expected `constants` as a Uint32Array");
    expect(replace(Uint32Array.of(1), [0, 1])).toThrow("expected `offsets` of constants as a Uint32Array");
  });
});
