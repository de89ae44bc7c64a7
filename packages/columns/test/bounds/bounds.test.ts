// Disturbed instructions: they stay within what the PTX manual permits, keep special values, and are functions of their operands.
import type { CodeBuffer } from "@mm-ptx/types/code";
import { describe, expect, it } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { BF16, decode, F16, type FloatFormat } from "../../src/arithmetic/formats.js";
import { type Column, type EvaluateOptions, evaluateBatch, type OutputColumn } from "../../src/index.js";
import { parseStub } from "../../src/stub/index.js";
import { operandsFor } from "../support/approximate-operands.js";

const SEEDS = [0, 1, 2, 0xffffffff, 0x12345678, 99, 1000, 77777];
const NAN = Number.NaN;
const INFINITE = Number.POSITIVE_INFINITY;

function codeOf(instruction: string, operands: number, type: string): CodeBuffer {
  const register = type.endsWith("x2") ? "b32" : type.endsWith("f16") ? "b16" : type;
  const operand = (direction: "in" | "out", name: string) => ({
    ...{ direction, name, register: name, registerType: register, type: register.toUpperCase() },
  });
  const names = ["x", "y"].slice(0, operands);
  const site = [...names.map((name) => operand("in", name)), operand("out", "d")];
  return parseStub(`${instruction} %d, ${names.map((name) => `%${name}`).join(", ")};`, site);
}

async function outputOf(
  code: CodeBuffer,
  columns: readonly Column[],
  options: EvaluateOptions = {},
): Promise<OutputColumn> {
  const { outputs } = await evaluateBatch(code, columns, { outputs: true, ...options });
  return outputs!.column(0);
}

const disturbedBy = (seed: number): EvaluateOptions => ({ bounds: "ptx", seed });
const bitsOf = (column: OutputColumn): Uint32Array => new Uint32Array(column.slice().buffer);

interface Manual {
  readonly exact: (a: number, b: number) => number;
  /** The permitted error, or `undefined` where the manual has none. */
  readonly bound: (exact: number, a: number, b: number) => number | undefined;
}

const ulps =
  (count: number) =>
  (exact: number): number =>
    count * 2 ** (Math.max(-126, Math.floor(Math.log2(Math.abs(exact)))) - 23);
const relative =
  (error: number) =>
  (exact: number): number =>
    error * Math.abs(exact);
const angular = (_: number, a: number): number | undefined =>
  Math.abs(a) <= 2 * Math.PI ? 2 ** -20.5 : Math.abs(a) <= 100 * Math.PI ? 2 ** -14.7 : undefined;

/** PTX ISA 9.0, section 9.7.3. */
const MANUAL: Readonly<Record<string, Manual>> = {
  "div.approx": {
    exact: (a, b) => a / b,
    bound: (exact, _, b) =>
      Math.abs(b) >= 2 ** -126 && Math.abs(b) <= 2 ** 126 ? ulps(2)(exact) : undefined,
  },
  "div.full": { exact: (a, b) => a / b, bound: ulps(2) },
  "rcp.approx": { exact: (a) => 1 / a, bound: ulps(1) },
  "sqrt.approx": { exact: Math.sqrt, bound: relative(2 ** -23) },
  "rsqrt.approx": { exact: (a) => 1 / Math.sqrt(a), bound: relative(2 ** -22.9) },
  "sin.approx": { exact: Math.sin, bound: angular },
  "cos.approx": { exact: Math.cos, bound: angular },
  "lg2.approx": {
    exact: Math.log2,
    bound: (exact, a) => 2 ** -22 * (a > 0.5 && a < 2 ? 1 : Math.abs(exact)),
  },
  "ex2.approx": { exact: (a) => 2 ** a, bound: ulps(2) },
  "tanh.approx": { exact: Math.tanh, bound: relative(2 ** -11) },
};

const NAMES = Object.keys(MANUAL).flatMap((name) =>
  (name.startsWith("tanh") ? [""] : ["", ".ftz"]).map((flush) => [name, flush] as const),
);
const count = rare(100_000);

describe.each(NAMES)("%s%s.f32", (name, flush) => {
  const { exact, bound } = MANUAL[name]!;
  const columns = operandsFor(name, count);
  const code = codeOf(`${name}${flush}.f32`, columns.length, "f32");

  it("stays within the bound, and uses it", async () => {
    const nearest = (await outputOf(code, columns)) as Float32Array;
    let worst = 0;
    let changed = 0;
    for (const seed of SEEDS) {
      const found = (await outputOf(code, columns, disturbedBy(seed))) as Float32Array;
      for (let row = 0; row < found.length; row++) {
        const [a = 0, b = 0] = columns.map((column) => column[row]!);
        const result = found[row]!;
        const expected = nearest[row]!;
        if (Object.is(result, expected)) continue;
        changed++;
        const value = exact(a, b);
        const most = bound(value, a, b);
        const error = Math.abs(result - value);
        const isFine =
          Math.abs(expected) >= 2 ** -126 &&
          Math.abs(result) >= 2 ** -126 &&
          Number.isFinite(expected) &&
          Number.isFinite(result) &&
          Math.sign(result) === Math.sign(expected) &&
          (most === undefined || error <= most);
        if (!isFine) expect({ a, b, result, expected, most }).toBeUndefined();
        if (most !== undefined) worst = Math.max(worst, error / most);
      }
    }
    expect(changed).toBeGreaterThan(SEEDS.length * count * 0.1);
    expect(worst).toBeGreaterThan(0.9);
  });

  it("has the same bits in JavaScript", async () => {
    for (const seed of SEEDS.slice(0, 3)) {
      const there = await outputOf(code, columns, disturbedBy(seed));
      const here = await outputOf(code, columns, { ...disturbedBy(seed), webAssembly: false });
      expect(bitsOf(here)).toEqual(bitsOf(there));
    }
  });

  it("has the manual's special values", async () => {
    const special = Float32Array.of(NAN, INFINITE, -INFINITE, 0, -0);
    const pairs = columns.length === 1 ? [special] : [special, Float32Array.from(special).fill(3)];
    const swapped = pairs.toReversed();
    const expected = [await outputOf(code, pairs), await outputOf(code, swapped)].map(bitsOf);
    for (const seed of SEEDS) {
      const found = [
        await outputOf(code, pairs, disturbedBy(seed)),
        await outputOf(code, swapped, disturbedBy(seed)),
      ];
      expect(found.map(bitsOf)).toEqual(expected);
    }
  });
});

describe("results are functions of the seed, the instruction and its operands", () => {
  const values = Float32Array.from({ length: 3000 }, (_, row) => 1 + (row % 1000) / 1000);
  const others = Float32Array.from({ length: 3000 }, (_, row) => 3 + (row % 1000) / 700);

  it("the same operands give the same result in every row and code", async () => {
    const code = codeOf("div.approx.f32", 2, "f32");
    const found = await outputOf(code, [values, others], disturbedBy(5));
    expect(found.slice(0, 1000)).toEqual(found.slice(2000));
    const part = [values, others].map((column) => column.slice(500, 777));
    expect(await outputOf(code, part, disturbedBy(5))).toEqual(found.slice(500, 777));
    const difference = parseStub(
      `.reg .f32 %a, %b; div.approx.f32 %a, %x, %y; div.approx.ftz.f32 %b, %x, %y; sub.f32 %d, %a, %b;`,
      ["in x", "in y", "out d"].map((text) => {
        const [direction, name] = text.split(" ") as ["in" | "out", string];
        return { direction, name, register: name, registerType: "f32", type: "F32" };
      }),
    );
    expect(await outputOf(difference, [values, others], disturbedBy(5))).toEqual(new Float32Array(3000));
  });

  it("seeds, instructions and operands differ", async () => {
    const results = new Set<string>();
    for (const seed of SEEDS) {
      for (const name of ["div.approx.f32", "div.full.f32"])
        results.add(String(await outputOf(codeOf(name, 2, "f32"), [values, others], disturbedBy(seed))));
    }
    expect(results.size).toBe(2 * SEEDS.length);
  });

  it.each(["sin", "tanh", "rcp"])("%s.approx is odd", async (name) => {
    const code = codeOf(`${name}.approx.f32`, 1, "f32");
    const negative = await outputOf(code, [values.map((x) => -x)], disturbedBy(1));
    const positive = (await outputOf(code, [values], disturbedBy(1))) as Float32Array;
    expect(negative).toEqual(positive.map((x) => -x));
  });

  it("seeds are biased, each in its own way", async () => {
    const code = codeOf("rcp.approx.f32", 1, "f32");
    const nearest = (await outputOf(code, [values])) as Float32Array;
    const shares: number[] = [];
    for (let seed = 0; seed < 20; seed++) {
      const found = (await outputOf(code, [values], disturbedBy(seed))) as Float32Array;
      shares.push(found.filter((value, row) => value > nearest[row]!).length / found.length);
    }
    expect(Math.min(...shares)).toBeLessThan(0.1);
    expect(Math.max(...shares)).toBeGreaterThan(0.4);
  });
});

describe("exact instructions, and what follows", () => {
  it.each(["div.rn.f32", "sqrt.rn.f32", "rcp.rn.f32", "add.f32"])("%s is not disturbed", async (name) => {
    const operands = name.startsWith("div") || name.startsWith("add") ? 2 : 1;
    const columns = operandsFor("div.approx", 1000).slice(0, operands);
    const code = codeOf(name, operands, "f32");
    const nearest = bitsOf(await outputOf(code, columns));
    expect(bitsOf(await outputOf(code, columns, disturbedBy(3)))).toEqual(nearest);
  });

  it.each([true, false])(
    "evaluations without bounds are as before (webAssembly: %s)",
    async (webAssembly) => {
      const columns = operandsFor("div.approx", 1000);
      const code = codeOf("div.approx.f32", 2, "f32");
      const nearest = bitsOf(await outputOf(code, columns, { webAssembly }));
      const disturbed = bitsOf(await outputOf(code, columns, { ...disturbedBy(3), webAssembly }));
      expect(disturbed).not.toEqual(nearest);
      expect(bitsOf(await outputOf(code, columns, { webAssembly }))).toEqual(nearest);
    },
  );
});

/** PTX ISA 9.0, section 9.7.4. */
const HALVES: readonly (readonly [string, FloatFormat, (x: number) => number, number, boolean])[] = [
  ["ex2.approx.f16", F16, (x) => 2 ** x, 2 ** -9.9, true],
  ["tanh.approx.f16", F16, Math.tanh, 2 ** -10.987, false],
  ["ex2.approx.ftz.bf16", BF16, (x) => 2 ** x, 2 ** -7, true],
  ["tanh.approx.bf16", BF16, Math.tanh, 2 ** -8, false],
];

it.each(HALVES)(
  "%s stays within its bound for every operand",
  async (name, format, exact, bound, isRelative) => {
    const every = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
    const code = codeOf(name, 1, name.split(".").at(-1)!);
    const nearest = await outputOf(code, [every]);
    const pairs = Uint32Array.from(every, (bits) => bits | (((bits + 1) & 0xffff) << 16));
    const paired = codeOf(`${name}x2`, 1, "f16x2");
    const least = 2 ** format.leastExponent;
    for (const seed of SEEDS.slice(0, 2)) {
      const found = await outputOf(code, [every], disturbedBy(seed));
      expect(found).not.toEqual(nearest);
      const here = await outputOf(code, [every], { ...disturbedBy(seed), webAssembly: false });
      expect(here).toEqual(found);
      const both = await outputOf(paired, [pairs], disturbedBy(seed));
      for (let bits = 0; bits < 65536; bits++) {
        const low = Number(both[bits]) & 0xffff;
        const high = Number(both[bits]) >>> 16;
        if (low !== found[bits] || high !== found[(bits + 1) & 0xffff])
          expect({ bits, low, high }).toBeUndefined();
        if (found[bits] === nearest[bits]) continue;
        const [result, expected] = [
          decode(format, Number(found[bits])),
          decode(format, Number(nearest[bits])),
        ];
        const value = exact(decode(format, bits));
        const most = isRelative ? bound * value : bound;
        const isFine =
          Math.abs(result - value) <= most &&
          Math.min(Math.abs(result), Math.abs(expected)) >= least &&
          Number.isFinite(result) &&
          Math.sign(result) === Math.sign(expected);
        if (!isFine) expect({ bits, result, expected, value }).toBeUndefined();
      }
    }
  },
);

it.each(["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64", "rsqrt.approx.f64"])(
  "%s is at most one unit of its last place from the nearest result",
  async (name) => {
    const special = [NAN, INFINITE, -INFINITE, 0, -0, 2 ** -1074, 2 ** 1023, -(2 ** 1023.5)];
    const values = Float64Array.from({ length: 4000 }, (_, row) => special[row] ?? (row / 100) ** 5);
    const code = codeOf(name, 1, "f64");
    const longs = (column: OutputColumn): BigUint64Array => new BigUint64Array(column.slice().buffer);
    const nearest = longs(await outputOf(code, [values]));
    const unit = name.includes("ftz") ? 1n << 32n : 1n;
    const steps = new Set<bigint>();
    for (const seed of SEEDS) {
      const found = longs(await outputOf(code, [values], disturbedBy(seed)));
      const here = longs(await outputOf(code, [values], { ...disturbedBy(seed), webAssembly: false }));
      expect(here).toEqual(found);
      expect(found.slice(0, 5)).toEqual(nearest.slice(0, 5));
      for (const [row, bits] of found.entries()) steps.add((bits - nearest[row]!) / unit);
      expect(found.every((bits, row) => (bits - nearest[row]!) % unit === 0n)).toBe(true);
    }
    expect([...steps].sort()).toEqual([-1n, 0n, 1n].sort());
  },
);
