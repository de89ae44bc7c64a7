// The layout of straight-line code: what a program of any of the compilers computes, as 32-bit words. The file is both
// TypeScript and AssemblyScript.

/** Offsets, masks and limits; `StraightLineCode` describes the format. */
export const enum CodeWord {
  /** The first word of every code: "SLC" and the version, 1. */
  magic = 0x01434c53,
  header = 3,
  /** Offsets in the header. */
  itemCount = 1,
  arity = 2,
  /** The number of inputs is the low half of the word at `arity`, the number of outputs its high half. */
  inputMask = 0xffff,
  outputShift = 16,
  /** The number of the value of an output, and the index of its type in `CODE_TYPES`. */
  valueMask = 0xffffff,
  typeShift = 24,
  /** Limits of the format. */
  mostItems = 0x1000000,
  mostInputs = 0xffff,
  mostOutputs = 0xffff,
}

/**
 * The fields of an operation: the indices of its name in `CODE_NAMES`, its types in `CODE_TYPES`, its rounding in
 * `CODE_ROUNDINGS`, its saturation in `CODE_SATURATIONS`, and its remaining modifiers in `CODE_CHOICES`.
 */
export const enum OperationField {
  nameMask = 0x7f,
  typeShift = 7,
  typeMask = 0x1f,
  secondShift = 12,
  roundingShift = 17,
  roundingMask = 0xf,
  /** `.ftz` */
  flush = 0x200000,
  saturationShift = 22,
  saturationMask = 3,
  /** `.relu` */
  rectify = 0x1000000,
  choiceShift = 25,
  choiceMask = 0x7f,
}

/** The names that are not instructions, by their index in `CODE_NAMES`. */
export const enum CodeName {
  input = 1,
  constant = 2,
}

/** The types of values, by their index in `CODE_TYPES`. */
export const enum CodeType {
  pred = 1,
  b8,
  u8,
  s8,
  b16,
  u16,
  s16,
  f16,
  bf16,
  b32,
  u32,
  s32,
  f32,
  tf32,
  b64,
  u64,
  s64,
  f64,
  f16x2,
  bf16x2,
  f32x2,
  u16x2,
  s16x2,
  e4m3x2,
  e5m2x2,
}
