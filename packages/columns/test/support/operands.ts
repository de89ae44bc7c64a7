// Operands for kernels: edge values in all pairs, then random bits.

/** Limits, powers of two and their neighbors, positions and counts of bits. */
const WORDS = [
  ...[
    0x0, 0x1, 0x2, 0x8, 0xf, 0x10, 0x11, 0x18, 0x1f, 0x20, 0x21, 0x3f, 0x40, 0x7f, 0x80, 0xff, 0x100, 0x3210,
  ],
  ...[0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000, 0x80000001],
  ...[0xffff8000, 0xffffff80, 0xfffffffe, 0xffffffff, 0x0123cdef],
];
/** f32: zeros, subnormals, limits, ties and neighbors of integers, infinities, NaNs. */
const FLOATS = [
  ...[
    0x00000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0xbf800000,
    0x3f800001,
  ],
  ...[
    0x3f7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0xc0200000, 0x40490fdb, 0x42fe8000, 0xc3000000,
    0x437f8000,
  ],
  ...[
    0x46fffe00, 0xc7000080, 0x477fff80, 0x477fefff, 0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000,
    0x4f800000,
  ],
  ...[
    0x5f800000, 0x7e800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xff812345,
    0x7fffffff,
  ],
];
/** Pairs of these bits are what f16 and bf16 have at their limits. */
const HALVES = [
  ...[0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc01, 0x3800, 0xc100, 0x5bff, 0x6400, 0x7bff, 0xfc00, 0x7c01, 0xfe12],
  ...[0x807f, 0x0080, 0x3f80, 0xbf81, 0x4b80, 0x7f7f, 0x7f80, 0xff80, 0x7f81, 0xffc1],
];
const NARROW = [...WORDS, ...FLOATS, ...HALVES];

const DOUBLES = [
  ...[0x0n, 0x1n, 0x000fffffffffffffn, 0x800fffffffffffffn, 0x0010000000000000n, 0x3ff0000000000000n],
  ...[
    0xbff0000000000000n,
    0x3ff0000010000000n,
    0x3ff0000030000000n,
    0x3fe0000000000000n,
    0xc004000000000000n,
  ],
  ...[
    0x3ca0000000000000n,
    0x369fffffffffffffn,
    0x380ffffff0000000n,
    0x41dfffffffc00000n,
    0xc1e0000000000000n,
  ],
  ...[
    0x41efffffffe00000n,
    0x43dfffffffffffffn,
    0x43e0000000000000n,
    0xc3e0000000000000n,
    0x43f0000000000000n,
  ],
  ...[
    0x47efffffe0000000n,
    0x47effffff0000000n,
    0x7fefffffffffffffn,
    0x7ff0000000000000n,
    0xfff0000000000000n,
  ],
  ...[
    0x7ff0000000000001n,
    0xfff8123456789abcn,
    0x7ff8000000000000n,
    0x4330000000000001n,
    0x40f0000000000000n,
  ],
];
const LONGS = [
  ...[
    0x2n,
    0x1fn,
    0x20n,
    0x3fn,
    0x40n,
    0x41n,
    0x7fffn,
    0x8000n,
    0xffffn,
    0x7fffffffn,
    0x80000000n,
    0xffffffffn,
  ],
  ...[0x100000000n, 0x20000000000001n, 0x7fffffffffffffffn, 0x8000000000000000n, 0x8000000000000001n],
  ...[0xfffffffffffffffen, 0xffffffffffffffffn, 0xffffffff00000000n, 0xffffffff80000000n, 0x123456789abcdefn],
  ...[0x7fffffbfffffffffn, 0x8000004000000000n, 0x8000000000000400n],
];
const WIDE = [...DOUBLES, ...LONGS];

/** The number of rows that hold all pairs of edge values of two operands. */
export const PAIRED_ROWS = 2 * Math.max(NARROW.length, WIDE.length) ** 2;

/** Whole numbers below 2^32 (xorshift). */
export function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Has no divisor in common with the number of pairs. */
const STRIDE = 7919;

/** The edge value of an operand in a row: few rows have pairs from everywhere, and enough rows all of them. */
function edgeOf<T>(edges: readonly T[], position: number, row: number): T {
  const pair = (row * STRIDE) % edges.length ** 2;
  const [first, second] = [Math.floor(pair / edges.length), pair % edges.length];
  const index = [first, second, 3 * second + first, 7 * first + 5][position]!;
  return edges[index % edges.length]!;
}

/** Words that are edge values, or random: any bits, small numbers, and f32 and halves near 1. */
export function wordColumn(position: number, rows: number, random: () => number): Uint32Array {
  const nearOne = () => ((random() & 0x87ffffff) | 0x38000000) >>> 0;
  const kinds = [random, () => random() % 70, nearOne, () => (random() & 0x83ff83ff) | 0x3c003c00];
  return Uint32Array.from({ length: rows }, (_, row) =>
    row % 2 === 0 ? edgeOf(NARROW, position, row / 2) : kinds[((row - 1) / 2 + position) % kinds.length]!(),
  );
}

/** Double words that are edge values, or random: any bits, small numbers, f64 near 1 and as f32 have them. */
export function doubleColumn(position: number, rows: number, random: () => number): BigUint64Array {
  const any = () => (BigInt(random()) << 32n) | BigInt(random());
  const kinds = [
    any,
    () => BigInt(random() % 70),
    () => (any() & 0x800fffffffffffffn) | (BigInt(1000 + (random() % 48)) << 52n),
    () => (any() & 0x800fffffe0000000n) | (BigInt(860 + (random() % 330)) << 52n),
    () => BigInt.asUintN(64, BigInt(random() | 0)),
  ];
  return BigUint64Array.from({ length: rows }, (_, row) =>
    row % 2 === 0 ? edgeOf(WIDE, position, row / 2) : kinds[((row - 1) / 2 + position) % kinds.length]!(),
  );
}

export const predicateColumn = (position: number, rows: number, random: () => number): Uint32Array =>
  wordColumn(position, rows, random).map(() => random() & 1);
