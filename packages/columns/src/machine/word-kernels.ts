// The numbers of operations of kernels that compute several. The file is both TypeScript and AssemblyScript.
//
// The low byte of `Step.extra` is the number; the bits above it are called the argument.

/** What the kernel of words.ts computes. */
export const enum WordOperation {
  copy,
  not,
  neg,
  abs,
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
  divSigned,
  divUnsigned,
  remSigned,
  remUnsigned,
  shiftLeft,
  shiftRightUnsigned,
  shiftRightSigned,
  mad,
}

/** What the kernel of rare-words.ts computes. */
export const enum RareOperation {
  popc,
  brev,
  cnot,
  /** Moves words up by as many bits as the argument says, and down again with their sign. */
  extend,
  /** f32 to integral values. */
  nearest,
  truncate,
  floor,
  ceil,
  /** Limits f32 to [0, 1]; a NaN becomes 0. */
  saturate,
  addSaturated,
  subSaturated,
  mulHighSigned,
  mulHighUnsigned,
  lop3,
}

/** What the kernel of comparisons.ts computes: 0 or 1, and the other one where the argument is 1; and selections by such words. */
export const enum Comparison {
  equal,
  lessSigned,
  lessUnsigned,
  greaterSigned,
  greaterUnsigned,
  floatEqual,
  /** Neither equal nor unordered. */
  floatDifferent,
  floatLess,
  floatLessOrEqual,
  floatGreater,
  floatGreaterOrEqual,
  ordered,
  /** The first operand where the third is 1, the second where it is 0. */
  select,
}

/** What the kernel of conversions.ts computes. */
export const enum Conversion {
  toSigned,
  toUnsigned,
  fromSigned,
  fromUnsigned,
}

/** What the kernel of scalars.ts computes. */
export const enum ScalarOperation {
  clz,
  highestBitUnsigned,
  highestBitSigned,
  shiftToHighestUnsigned,
  shiftToHighestSigned,
  extractUnsigned,
  extractSigned,
  insert,
  /** The argument is the mode. */
  permute,
  funnelLeft,
  funnelRight,
  /** The product of two words of 24 bits, which are extended, without its low 16 bits. */
  mul24High,
  /** The argument: 1 if a is signed, 2 if b is signed. */
  dotOfBytes,
  /** The same, and 4 for the upper bytes of b. */
  dotOfHalves,
  findNthSet,
  mask,
  extendUnsigned,
  extendSigned,
}

/** What the kernel of directed.ts computes; the argument is a `Direction`. */
export const enum DirectedOperation {
  add,
  sub,
  mul,
  fma,
  div,
  sqrt,
  fromSigned,
  fromUnsigned,
}

/** Roundings that are not to nearest. */
export const enum Direction {
  zero,
  down,
  up,
}

/** The modes of `prmt`; the first one has no name. */
export const enum PermuteMode {
  any,
  forward,
  backward,
  replicateByte,
  clampLeft,
  clampRight,
  replicateHalf,
}
