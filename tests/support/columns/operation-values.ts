// Values for operands: edge values of each type in all pairs, then random bits.
import type { PtxType } from "../../../packages/emulator/src/program/types.js";
import { TYPES } from "../../../packages/emulator/src/program/types.js";
import type { Random } from "../../../packages/stack/dist/random/index.js";

/** Zeros, subnormals, the least normals, ties of narrower formats and of integers, limits, infinities, NaNs. */
const F32 = [
  ...[0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f801000],
  ...[0x3f803000, 0x3f000000, 0xc0200000, 0x40490fdb, 0x477fefff, 0x4f000000, 0xcf000000, 0x5f800000],
  ...[0x7e800001, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xffc12345, 0x3f808000, 0x33000000],
];
const F64 = [
  ...[0x0n, 0x8000000000000000n, 0x1n, 0x800fffffffffffffn, 0x0010000000000000n, 0x3ff0000000000000n],
  ...[
    0xbff0000000000001n,
    0x3ff0000010000000n,
    0x3fe0000000000000n,
    0xc004000000000000n,
    0x369fffffffffffffn,
  ],
  ...[
    0x380ffffff0000000n,
    0x41dfffffffc00000n,
    0xc1e0000000000000n,
    0x43e0000000000000n,
    0x43f0000000000000n,
  ],
  ...[
    0x47effffff0000000n,
    0x7fefffffffffffffn,
    0x7ff0000000000000n,
    0xfff0000000000000n,
    0x7ff0000000000001n,
  ],
  ...[0xfff8123456789abcn, 0x3ca0000000000000n, 0x4330000000000001n],
];
const F16 = [
  ...[
    0x0, 0x8000, 0x1, 0x83ff, 0x400, 0x3c00, 0xbc00, 0x3c01, 0x3800, 0xc100, 0x1000, 0x5bff, 0x6400, 0xf800,
  ],
  ...[0x7bff, 0x7c00, 0xfc00, 0x7c01, 0xfe12, 0x4248],
];
const BF16 = [
  ...[0x0, 0x8000, 0x1, 0x807f, 0x80, 0x3f80, 0xbf80, 0x3f81, 0x3f00, 0xc020, 0x4049, 0x4b80, 0x4f00, 0xdf80],
  ...[0x7f7f, 0x7f80, 0xff80, 0x7f81, 0xffc1, 0x3300],
];
const WORDS = [
  ...[0x0, 0x1, 0x2, 0x1f, 0x20, 0x21, 0x3f, 0x40, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000],
  ...[0x3210, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x0123cdef],
];
const DOUBLE_WORDS = [
  ...[0x0n, 0x1n, 0x20n, 0x3fn, 0x40n, 0x7fffn, 0xffffn, 0x7fffffffn, 0x80000000n, 0xffffffffn, 0x100000000n],
  ...[0x20000000000001n, 0x7fffffffffffffffn, 0x8000000000000000n, 0x8000000000000001n, 0xfffffffffffffffen],
  ...[0xffffffffffffffffn, 0xffffffff00000000n, 0x123456789abcdefn, 0x8000000000000400n],
];
const BYTES = [0x0, 0x1, 0x7, 0x8, 0x38, 0x7b, 0x7c, 0x7e, 0x7f, 0x80, 0x81, 0xb8, 0xfc, 0xff];

const pairs = (list: readonly number[], bits: number): readonly bigint[] =>
  list.map((low, index) => BigInt(low) | (BigInt(list[(index * 5 + 3) % list.length]!) << BigInt(bits)));
const bigs = (list: readonly number[]): readonly bigint[] => list.map(BigInt);

const EDGES: Readonly<Partial<Record<PtxType, readonly bigint[]>>> = {
  pred: [0n, 1n],
  f32: bigs(F32),
  tf32: bigs(F32),
  f64: F64,
  f16: bigs(F16),
  bf16: bigs(BF16),
  f16x2: pairs(F16, 16),
  bf16x2: pairs(BF16, 16),
  f32x2: pairs(F32, 32),
  e4m3x2: pairs(BYTES, 8),
  e5m2x2: pairs(BYTES, 8),
  u16x2: pairs(WORDS.slice(0, 17), 16),
  s16x2: pairs(WORDS.slice(0, 17), 16),
};

/** The exponent fields near that of 1, in which sums and products round, and the place of the field. */
const NEAR_ONE: Readonly<Partial<Record<PtxType, readonly [first: number, count: number, shift: number]>>> = {
  f32: [115, 24, 23],
  f64: [1011, 24, 52],
  f16: [9, 12, 10],
  bf16: [115, 24, 7],
};

function edgesOf(type: PtxType): readonly bigint[] {
  return EDGES[type] ?? (TYPES[type].bits === 64 ? DOUBLE_WORDS : bigs(WORDS));
}

/** The number of rows in which all pairs of edge values appear. */
export const PAIRED_ROWS = 24 * 24;

/** Bits for the operand of a type at a position; of two operands, all pairs of edge values appear. */
export function operandColumn(type: PtxType, position: number, rows: number, random: Random): BigUint64Array {
  const edges = edgesOf(type);
  const { bits } = TYPES[type];
  const at = [
    (row: number) => Math.floor(row / edges.length),
    (row: number) => row,
    (row: number) => 3 * row + Math.floor(row / edges.length),
    (row: number) => 7 * row + 5,
  ][position]!;
  return BigUint64Array.from({ length: rows }, (_, row) => {
    if (row < PAIRED_ROWS) return edges[at(row) % edges.length]!;
    return BigInt.asUintN(bits, row % 2 === 0 ? anyBits(random) : nearOne(type, random));
  });
}

const anyBits = (random: Random): bigint => (BigInt(random.word()) << 32n) | BigInt(random.word());

function nearOne(type: PtxType, random: Random): bigint {
  const near = NEAR_ONE[type];
  if (near === undefined) return BigInt(random.below(70));
  const [first, count, shift] = near;
  const sign = BigInt(random.below(2)) << BigInt(TYPES[type].bits - 1);
  return (
    sign | (BigInt(first + random.below(count)) << BigInt(shift)) | BigInt.asUintN(shift, anyBits(random))
  );
}
