// The numbers of the operations of kernels for wide and narrow types in the module `extended`. The file is both TypeScript and
// AssemblyScript.
//
// The low byte of `Step.extra` is the number; the bits above it are called the argument.

/** What the kernel of longs.ts computes: integers of 64 bits from such integers. */
export const enum LongOperation {
  copy,
  not,
  neg,
  abs,
  cnot,
  brev,
  add,
  sub,
  mul,
  and,
  or,
  xor,
  minSigned,
  minUnsigned,
  maxSigned,
  maxUnsigned,
  mulHighSigned,
  mulHighUnsigned,
  divSigned,
  divUnsigned,
  remSigned,
  remUnsigned,
  copysign,
  mad,
  /** The amount, or position and length, are words. */
  shiftLeft,
  shiftRightUnsigned,
  shiftRightSigned,
  extractUnsigned,
  extractSigned,
  insert,
  /** The first operand where the third, a predicate, is 1, the second where it is 0. */
  select,
}

/** What the kernel of long-tests.ts computes: words from values of 64 bits. */
export const enum LongTest {
  equal,
  lessSigned,
  lessUnsigned,
  greaterSigned,
  greaterUnsigned,
  doubleEqual,
  /** Neither equal nor unordered. */
  doubleDifferent,
  doubleLess,
  doubleLessOrEqual,
  doubleGreater,
  doubleGreaterOrEqual,
  ordered,
  popc,
  clz,
  highestBitUnsigned,
  highestBitSigned,
  shiftToHighestUnsigned,
  shiftToHighestSigned,
  lowWord,
  /** From f64; a NaN becomes the highest bit. */
  doubleToSigned,
  doubleToUnsigned,
  /** To f32; the argument is a `Direction`, or 3 to nearest. */
  doubleToFloat,
  signedToFloat,
  unsignedToFloat,
}

/** What the kernel of widenings.ts computes: values of 64 bits from words. */
export const enum Widening {
  signed,
  unsigned,
  floatToDouble,
  signedToDouble,
  unsignedToDouble,
  /** A NaN becomes the highest bit. */
  floatToSigned,
  floatToUnsigned,
  mulSigned,
  mulUnsigned,
}

/** What the kernel of doubles.ts computes: f64 arithmetic and conversions of values of 64 bits. */
export const enum DoubleOperation {
  add,
  sub,
  mul,
  div,
  min,
  max,
  abs,
  neg,
  sqrt,
  rcp,
  rsqrt,
  /** With the upper halves of operand and result only. */
  rcpOfHalf,
  rsqrtOfHalf,
  nearest,
  truncate,
  floor,
  ceil,
  /** Only quiets NaNs. */
  copy,
  saturate,
  /** A NaN becomes the highest bit. */
  toSigned,
  toUnsigned,
  /** The argument is a `Direction`, or 3 to nearest. */
  fromSigned,
  fromUnsigned,
  fusedAdd,
  fusedSub,
  fusedMul,
  fma,
}

/** What the kernel of halves.ts computes: f16 and bf16. The argument has `HalfFlag`s. */
export const enum HalfOperation {
  add,
  sub,
  mul,
  fma,
  min,
  max,
  abs,
  neg,
  /** To f32. */
  expand,
  /** From other types, in all roundings. */
  fromFloat,
  fromDouble,
  fromSigned,
  fromUnsigned,
}

export const enum HalfFlag {
  /** bf16, not f16. */
  brain = 1,
  /** f32 with fewer bits. */
  tensor = 2,
  flush = 4,
  saturate = 8,
  rectify = 16,
  finite = 32,
  /** `.NaN` */
  nan = 64,
  /** `.xorsign.abs` */
  signed = 128,
  /** Pairs of values. */
  pairs = 256,
  /** `HalfRounding`, above these. */
  roundingShift = 9,
  roundingMask = 7,
}

/** `Direction`s, and other roundings. */
export const enum AnyRounding {
  zero,
  down,
  up,
  nearest,
  /** Ties go away from zero. */
  nearestAway,
}
