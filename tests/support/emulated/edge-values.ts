// Bits that programs get: half of them are edge values of each type, the others arbitrary.

import type { RandomSource } from "../../../packages/stack/dist/random/index.js";

const WORDS = [
  ...[0x0, 0x1, 0x2, 0x1f, 0x20, 0x21, 0x3f, 0x40, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000],
  ...[0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff],
];
/**
 * Zeros, subnormals and the least normals, powers of two and their neighbours, limits of integers, extremes,
 * infinities, NaNs.
 */
const F32 = [
  ...[0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x33000000, 0x33800000, 0x3f7fffff],
  ...[0x3f800000, 0x3f800001, 0x3f000000, 0x3fc00000, 0x40000000, 0x40490fdb, 0x42c80000, 0x4b000000],
  ...[0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000, 0x4f800000, 0x5f000000, 0x7e800000, 0x7e800001],
  ...[0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff],
];
const F64 = [
  ...[0x0n, 0x1n, 0xfffffffffffffn, 0x10000000000000n, 0x36a0000000000000n, 0x3690000000000001n],
  ...[
    0x3810000000000000n,
    0x380fffffe0000000n,
    0x380ffffff0000000n,
    0x3fe0000000000000n,
    0x3ff0000000000000n,
  ],
  ...[
    0x3ff0000000000001n,
    0x3fefffffffffffffn,
    0x3ff8000000000000n,
    0x3ff0000010000000n,
    0x4000000000000000n,
  ],
  ...[
    0x41dfffffffc00000n,
    0x41e0000000000000n,
    0x41efffffffe00000n,
    0x43e0000000000000n,
    0x43f0000000000000n,
  ],
  ...[
    0x47efffffe0000000n,
    0x47effffff0000000n,
    0x7fefffffffffffffn,
    0x7ff0000000000000n,
    0x7ff0000000000001n,
  ],
  ...[0x7ff8000000000000n, 0x7fffffffffffffffn],
];
const F16 = [0x0, 0x1, 0x3ff, 0x400, 0x1000, 0x3800, 0x3bff, 0x3c00, 0x3c01, 0x5bff, 0x6400, 0x7800, 0x7bff];
const F16_NOT_FINITE = [0x7c00, 0x7c01, 0x7e00, 0x7fff];
const BF16 = [0x0, 0x1, 0x7f, 0x80, 0x3f00, 0x3f7f, 0x3f80, 0x3f81, 0x4000, 0x4b80, 0x4f00, 0x7f7f];
const BF16_NOT_FINITE = [0x7f80, 0x7f81, 0x7fc0, 0x7fff];

type Draw = (random: RandomSource) => bigint;
const pick = <T>(random: RandomSource, list: readonly T[]): T => list[random.below(list.length)]!;

const signed =
  (bits: number, list: readonly (number | bigint)[]): Draw =>
  (random) =>
    BigInt(pick(random, list)) | (BigInt(random.below(2)) << BigInt(bits - 1));
const any =
  (bits: number): Draw =>
  (random) =>
    BigInt.asUintN(bits, (BigInt(random.word()) << 32n) | BigInt(random.word()));
/** Floats whose sums and products are informative: exponents near that of 1. */
const near =
  (fraction: number, bias: number, bits: number): Draw =>
  (random) =>
    (BigInt(random.below(2)) << BigInt(bits - 1)) |
    (BigInt(bias - 12 + random.below(24)) << BigInt(fraction)) |
    BigInt.asUintN(fraction, any(64)(random));
const pairOf =
  (bits: number, item: Draw): Draw =>
  (random) =>
    item(random) | (item(random) << BigInt(bits));
const oneOf =
  (...draws: readonly Draw[]): Draw =>
  (random) =>
    pick(random, draws)(random);

const word: Draw = (random) => BigInt(pick(random, WORDS));
const integer32 = oneOf(word, word, any(32), (random) => BigInt(random.below(40)));
const integer64 = oneOf(word, any(64), pairOf(32, word), (random) => BigInt.asUintN(64, -word(random)));
const f32 = oneOf(signed(32, F32), near(23, 127, 32), near(23, 127, 32), any(32));
const f64 = oneOf(signed(64, F64), near(52, 1023, 64), near(52, 1023, 64), any(64));
const f16 = oneOf(signed(16, [...F16, ...F16_NOT_FINITE]), near(10, 15, 16), any(16));
const bf16 = oneOf(signed(16, [...BF16, ...BF16_NOT_FINITE]), near(7, 127, 16), any(16));

const DRAWS: Readonly<Record<string, Draw>> = {
  PRED: (random) => BigInt(random.below(2)),
  F32: f32,
  TF32: f32,
  F64: f64,
  F16: f16,
  F16X2: pairOf(16, f16),
  BF16: bf16,
  BF16X2: pairOf(16, bf16),
  F32X2: pairOf(32, f32),
  E4M3X2: any(16),
  E5M2X2: any(16),
  U64: integer64,
  S64: integer64,
  B64: oneOf(integer64, f64),
};

/** Bits for a register of a stack of the default description. */
export function edgeBits(stackName: string, random: RandomSource): bigint {
  return (DRAWS[stackName] ?? integer32)(random);
}
