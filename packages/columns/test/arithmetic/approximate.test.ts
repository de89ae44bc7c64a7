// Approximate functions: their distance from the exact value, against the bounds of PTX ISA 9.0 (section
// Floating-Point Instructions), on many arguments of all magnitudes. Exact values come from an independent
// source: double precision of the C library through Math, which is at least a thousand times as exact as the
// bounds.
import { describe, expect, it } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { evaluatorOf } from "../../src/arithmetic/evaluator.js";
import {
  BF16,
  bitsOfFloat32,
  decode,
  encode,
  F16,
  F32,
  type FloatFormat,
  float32OfBits,
} from "../../src/arithmetic/formats.js";
import { readMnemonic } from "../../src/arithmetic/operation.js";

interface Bounded {
  readonly name: string;
  readonly exact: (x: number) => number;
  /** The smallest magnitude of arguments, and the largest. */
  readonly from: number;
  readonly to: number;
  /** Whether every other argument is negative. */
  readonly signed?: boolean;
  readonly bound: { readonly relative: number } | { readonly absolute: number } | { readonly ulps: number };
}

const FUNCTIONS: readonly Bounded[] = [
  { name: "rcp.approx.f32", exact: (x) => 1 / x, from: 2 ** -125, to: 2 ** 126, bound: { ulps: 1 } },
  {
    name: "sqrt.approx.f32",
    exact: Math.sqrt,
    from: 2 ** -126,
    to: F32.greatest,
    bound: { relative: 2 ** -23 },
  },
  {
    name: "rsqrt.approx.f32",
    exact: (x) => 1 / Math.sqrt(x),
    from: 2 ** -126,
    to: F32.greatest,
    bound: { relative: 2 ** -22.9 },
  },
  {
    name: "sin.approx.f32",
    exact: Math.sin,
    from: 2 ** -20,
    to: 2 * Math.PI,
    signed: true,
    bound: { absolute: 2 ** -20.5 },
  },
  {
    name: "sin.approx.f32",
    exact: Math.sin,
    from: 6,
    to: 100 * Math.PI,
    signed: true,
    bound: { absolute: 2 ** -14.7 },
  },
  {
    name: "cos.approx.f32",
    exact: Math.cos,
    from: 2 ** -20,
    to: 2 * Math.PI,
    signed: true,
    bound: { absolute: 2 ** -20.5 },
  },
  {
    name: "cos.approx.f32",
    exact: Math.cos,
    from: 6,
    to: 100 * Math.PI,
    signed: true,
    bound: { absolute: 2 ** -14.7 },
  },
  { name: "lg2.approx.f32", exact: Math.log2, from: 0.5, to: 2, bound: { absolute: 2 ** -22 } },
  { name: "lg2.approx.f32", exact: Math.log2, from: 2, to: F32.greatest, bound: { relative: 2 ** -22 } },
  { name: "lg2.approx.f32", exact: Math.log2, from: 2 ** -126, to: 0.5, bound: { relative: 2 ** -22 } },
  { name: "ex2.approx.f32", exact: (x) => 2 ** x, from: 2 ** -20, to: 126, signed: true, bound: { ulps: 2 } },
  {
    name: "tanh.approx.f32",
    exact: Math.tanh,
    from: 2 ** -30,
    to: 20,
    signed: true,
    bound: { relative: 2 ** -11 },
  },
];

/** Values between two bounds, evenly over all magnitudes. */
function* between(from: number, to: number, count: number): Generator<number> {
  const first = bitsOfFloat32(from);
  const last = bitsOfFloat32(to);
  // Steps of the golden ratio cover the range evenly.
  let at = 0;
  for (let index = 0; index < count; index++) {
    yield float32OfBits(first + Math.floor(at * (last - first)));
    at = (at + 0.6180339887498949) % 1;
  }
}

const ulpOf = (x: number): number => {
  const bits = bitsOfFloat32(Math.abs(Math.fround(x)));
  return float32OfBits(bits + 1) - float32OfBits(bits);
};

function errorIn({ bound }: Bounded, found: number, exact: number): number {
  const error = Math.abs(found - exact);
  if ("absolute" in bound) return error / bound.absolute;
  return "relative" in bound ? error / Math.abs(exact) / bound.relative : error / ulpOf(exact) / bound.ulps;
}

describe("bounds", { timeout: 120_000 }, () => {
  const variants = FUNCTIONS.flatMap((bounded) =>
    bounded.name === "tanh.approx.f32"
      ? [bounded]
      : [bounded, { ...bounded, name: bounded.name.replace(".f32", ".ftz.f32") }],
  );

  it.each(variants)("of $name from $from to $to", (bounded) => {
    const evaluate = evaluatorOf(readMnemonic(bounded.name), 1, 1)!;
    let worst = 0;
    let sign = 1;
    for (const size of between(bounded.from, bounded.to, rare(1_000_000))) {
      if (bounded.signed === true) sign = -sign;
      const x = sign * size;
      const [bits = 0n] = evaluate([BigInt(bitsOfFloat32(x))]);
      worst = Math.max(worst, errorIn(bounded, float32OfBits(Number(bits)), bounded.exact(x)));
    }
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThanOrEqual(1);
  });

  it("of div.approx and div.full are 2 ulp", () => {
    let worst = 0;
    const divisors = between(2 ** -126, 2 ** 126, rare(1_000_000));
    const names = ["div.approx.f32", "div.full.f32", "div.approx.ftz.f32", "div.full.ftz.f32"];
    const evaluators = names.map((name) => evaluatorOf(readMnemonic(name), 2, 1)!);
    for (const a of between(2 ** -20, 2 ** 20, rare(1_000_000))) {
      const b = divisors.next().value as number;
      const exact = a / b;
      if (!(exact > 2 ** -126 && exact < F32.greatest)) continue;
      for (const evaluate of evaluators) {
        const [bits = 0n] = evaluate([a, b].map((x) => BigInt(bitsOfFloat32(x))));
        worst = Math.max(worst, Math.abs(float32OfBits(Number(bits)) - exact) / ulpOf(exact) / 2);
      }
    }
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThanOrEqual(1);
  });
});

/** Every argument of narrow formats. Bounds are relative, and absolute below the normal numbers. */
const NARROW: readonly (readonly [string, FloatFormat, (x: number) => number, number])[] = [
  ["ex2.approx.f16", F16, (x) => 2 ** x, 2 ** -9.9],
  ["tanh.approx.f16", F16, Math.tanh, 2 ** -10.987],
  ["ex2.approx.ftz.bf16", BF16, (x) => 2 ** x, 2 ** -7],
  ["tanh.approx.bf16", BF16, Math.tanh, 2 ** -8],
];

it.each(NARROW)("%s is within its bound for every argument", (name, format, exact, bound) => {
  const evaluate = evaluatorOf(readMnemonic(name), 1, 1)!;
  const least = 2 ** format.leastExponent;
  for (let bits = 0; bits < 65536; bits++) {
    const x = decode(format, bits);
    const expected = exact(x);
    const found = decode(format, Number(evaluate([BigInt(bits)])[0]));
    if (Number.isNaN(x)) expect(found).toBeNaN();
    else if (Math.abs(expected) > format.greatest)
      expect(Math.abs(found)).toBeGreaterThanOrEqual(format.greatest);
    else if (name.includes(".ftz.") && expected < least) expect(found).toBe(0);
    else if (Math.abs(found - expected) > bound * Math.max(Math.abs(expected), least)) {
      expect([name, x, found]).toEqual([name, x, expected]);
    }
  }
});

describe("formats of 16 bits", () => {
  it.each([F16, BF16])("keep all of their values", (format) => {
    for (let bits = 0; bits < 65536; bits++) {
      const value = decode(format, bits);
      if (!Number.isNaN(value)) expect(encode(format, value)).toBe(bits);
    }
  });
});
