// Arithmetic in every rounding mode, against the processor's in a C++ program that the test compiles.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { evaluatorOf } from "../../src/arithmetic/evaluator.js";
import { readMnemonic } from "../../src/arithmetic/operation.js";

const hasCompiler = spawnSync("g++", ["--version"]).status === 0;
const ROUNDINGS = ["rn", "rz", "rm", "rp"];
/** The operations of the program, numbered by index: mnemonics without the type, and numbers of operands. */
const OPERATIONS = [
  { name: "add", sources: 2 },
  { name: "sub", sources: 2 },
  { name: "mul", sources: 2 },
  { name: "fma", sources: 3 },
  { name: "div", sources: 2 },
  { name: "sqrt", sources: 1 },
];
/**
 * Conversions with the same numbering; the width is that of the result, `from` that of the source if it
 * differs.
 */
const CONVERSIONS = [
  {
    mnemonicOf: (rounding: string, width: number) => `cvt.${rounding}.f${width}.s64`,
    operation: 6,
    from: 64,
    widths: [32, 64],
  },
  {
    mnemonicOf: (rounding: string, width: number) => `cvt.${rounding}.f${width}.u64`,
    operation: 7,
    from: 64,
    widths: [32, 64],
  },
  {
    mnemonicOf: (rounding: string, width: number) => `cvt.${rounding}i.f${width}.f${width}`,
    operation: 8,
    from: undefined,
    widths: [32, 64],
  },
  {
    mnemonicOf: (rounding: string) => `cvt.${rounding}.f32.f64`,
    operation: 9,
    from: 64,
    widths: [32],
  },
  {
    mnemonicOf: (rounding: string) => `cvt.${rounding}.f16.f64`,
    operation: 9,
    from: 64,
    widths: [16],
  },
] as const satisfies readonly {
  mnemonicOf: (rounding: string, width: number) => string;
  operation: number;
  from: 64 | undefined;
  widths: readonly (16 | 32 | 64)[];
}[];
const EDGES = {
  32: [
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f7fffff,
    0x3f800000, 0x3f800001, 0xbf800000, 0x4b800000, 0x4b7fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000,
  ].map(BigInt),
  64: [
    0x0n,
    0x8000000000000000n,
    0x1n,
    0x8000000000000001n,
    0xfffffffffffffn,
    0x10000000000000n,
    0x10000000000001n,
    0x3fefffffffffffffn,
    0x3ff0000000000000n,
    0x3ff0000000000001n,
    0xbff0000000000000n,
    0x4340000000000000n,
    0x7fefffffffffffffn,
    0xffefffffffffffffn,
    0x7ff0000000000000n,
    0xfff0000000000000n,
    0x7ff8000000000000n,
  ],
} as const;

/** Words from a seed (mulberry32), so that the cases are the same everywhere. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) >>> 0;
  };
}

/** Sums of a product and a third operand that are just beside the midpoint of two f64. */
function tightSums(count: number): bigint[][] {
  const random = generator(7);
  const near = (exponent: number) =>
    (BigInt(random() & 1) << 63n) | (BigInt(1023 + exponent) << 52n) | BigInt(random() & 3);
  return Array.from({ length: count }, () => {
    const shift = random() & 1;
    // (1 + x) (1 - x) is below 1 by less than the distance to the next f64.
    const above = BigInt(random() % 1000) + 1n;
    const below = 2n ** 52n - 2n * above;
    const [a, b] = [(970n << 52n) | above, (1022n << 52n) | below];
    return [
      [a, b, near(0)],
      [near(-53), near(0), near(shift)],
    ][random() & 1]!;
  });
}

describe.skipIf(!hasCompiler)("against the processor", { timeout: 120_000 }, () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "mm-ptx-arithmetic-"));
    const source = fileURLToPath(new URL("reference.cpp", import.meta.url));
    const flags = ["-O1", "-frounding-math", "-ffp-contract=off", "-mfma", "-msse4.1"];
    const compiled = spawnSync("g++", [...flags, source, "-o", join(folder, "reference")]);
    expect(compiled.stderr.toString()).toBe("");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const compute = (inputs: readonly (readonly [number, number, number, ...(bigint | undefined)[]])[]) => {
    const words = new BigUint64Array(inputs.length * 5);
    inputs.forEach(([operation, rounding, width, a, b, c], index) => {
      words.set(
        [BigInt(operation) | (BigInt(rounding) << 32n), BigInt(width), a ?? 0n, b ?? 0n, c ?? 0n],
        index * 5,
      );
    });
    const { stdout } = spawnSync(join(folder, "reference"), {
      input: new Uint8Array(words.buffer),
      maxBuffer: 2 ** 30,
    });
    return new BigUint64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
  };

  const operandsOf = (width: 32 | 64, sources: number, count: number, seed: number): bigint[][] => {
    const random = generator(seed);
    const edges = EDGES[width];
    const edge = () => edges[random() % edges.length]!;
    const any = () => (width === 64 ? (BigInt(random()) << 32n) | BigInt(random()) : BigInt(random()));
    /** Exponents near each other, with which sums cancel and quotients are near 1. */
    const near = () =>
      width === 64
        ? (BigInt(random() & 1) << 63n) |
          (BigInt(1010 + (random() % 70)) << 52n) |
          (BigInt(random()) << BigInt(random() % 21))
        : BigInt(
            (((random() & 1) << 31) |
              ((120 + (random() % 40)) << 23) |
              (random() >>> (9 + (random() % 15)))) >>>
              0,
          );
    const kinds = [edge, any, near, near];
    return Array.from({ length: count }, () => Array.from({ length: sources }, () => kinds[random() % 4]!()));
  };

  /** The differences from the processor's results; any NaN counts as 0. */
  const differences = (
    mnemonic: string,
    operation: number,
    rounding: number,
    width: 16 | 32 | 64,
    all: bigint[][],
  ) => {
    const expected = compute(all.map(([a, b, c]) => [operation, rounding, width, a!, b, c]));
    expect(expected).toHaveLength(all.length);
    const sources = all[0]!.length;
    const evaluate = evaluatorOf(readMnemonic(mnemonic), sources, 1)!;
    const infinity = { 16: 0x7c00n, 32: 0x7f800000n, 64: 0x7ff0000000000000n }[width];
    return all.flatMap((operands, index) => {
      const [bits = 0n] = evaluate(operands);
      const found = BigInt.asUintN(width - 1, bits) > infinity ? 0n : bits;
      const shown = operands.map((operand) => operand.toString(16)).join(" ");
      return found === expected[index]
        ? []
        : [`${shown}: ${found.toString(16)}, not ${expected[index]!.toString(16)}`];
    });
  };

  for (const [operation, { name, sources }] of OPERATIONS.entries()) {
    for (const width of [32, 64] as const) {
      for (const [rounding, suffix] of ROUNDINGS.entries()) {
        const mnemonic = `${name}.${suffix}.f${width}`;
        it(mnemonic, () => {
          const all = operandsOf(width, sources, smoke(50_000), operation * 8 + rounding + 1);
          expect(differences(mnemonic, operation, rounding, width, all).slice(0, 5)).toEqual([]);
        });
      }
    }
  }

  it("fma.rn.f64 near midpoints", () => {
    expect(differences("fma.rn.f64", 3, 0, 64, tightSums(smoke(50_000))).slice(0, 5)).toEqual([]);
  });

  for (const { mnemonicOf, operation, from, widths } of CONVERSIONS) {
    for (const width of widths) {
      for (const [rounding, suffix] of ROUNDINGS.entries()) {
        const mnemonic = mnemonicOf(suffix, width);
        it(mnemonic, () => {
          const all = operandsOf(
            from ?? (width as 32 | 64),
            1,
            smoke(20_000),
            operation * 8 + rounding + 101,
          );
          expect(differences(mnemonic, operation, rounding, width, all).slice(0, 5)).toEqual([]);
        });
      }
    }
  }
});
