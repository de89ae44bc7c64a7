// The packed layout of Stack PTX 1.0: `u16 head | u16 index | u32 payload`, where the head has the type, the stack and a
// result number.

/** Fields of an instruction of 1.0. */
export const enum Legacy {
  typeMask = 0xf,
  stackShift = 4,
  stackMask = 0x1f,
  headMask = 0xffff,
  /** The place of the result number, which only the compiler of 1.0 uses; encoders write 0. */
  resultShift = 9,
  /** The index is in the high half of the first word. */
  indexShift = 16,
  /** Argument types are fields of 5 bits in the payload, from bit 0 on: first the arguments, then the results. */
  argTypeBits = 5,
  argTypeMask = 0x1f,
  args = 4,
  results = 2,
  /** The most stacks and argument types of a table, because their fields have 5 bits. */
  mostTypes = 32,
}

/** Instruction types of 1.0. 7 and 8 exist only inside its compiler; all others are invalid. */
export const enum LegacyType {
  ptx = 1,
  constant = 2,
  input = 3,
  special = 4,
  meta = 5,
  routine = 6,
  return = 9,
  store = 10,
  load = 11,
}

/** Meta operations of 1.0: the number 0 pushes a meta constant, and the operations have the numbers below plus 1. */
export const enum LegacyMeta {
  constant = 0,
  /** The last operation before `clear`, which only the dialect `1.0-clear` has. */
  drop = 6,
  /** The last operation of `1.0-clear`. */
  reverseWithClear = 9,
}

/** `1.0` is the released version; `1.0-clear` is the C repository between 7 February and 5 March 2026. */
export type LegacyDialect = "1.0" | "1.0-clear";

/** The versions of Stack PTX 1.0 whose words differ. */
export const LEGACY_DIALECTS: readonly LegacyDialect[] = ["1.0", "1.0-clear"];
