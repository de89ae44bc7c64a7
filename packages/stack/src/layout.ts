// The packed layout of an instruction: two little-endian u32 words, `type | aux << 16` and the payload (as 8 bytes:
// `u16 type | u16 aux | u32 payload`). Both the encoders and the machine use these definitions.

// Constants of the hot loops are const enums: the build writes their values in place, whereas an imported `const` would
// be loaded and checked at each use.

/** Sizes and fields of a packed instruction. */
export const enum Packed {
  wordsPerInstruction = 2,
  bytesPerInstruction = 8,
  /** The low half of the first word. */
  typeMask = 0xffff,
  /** The high half of the first word holds the stack (or another auxiliary number). */
  auxShift = 16,
  /** `aux` and every index of a table are 16 bits wide. */
  auxMax = 0xffff,
}

/** Instruction types. 0 is invalid; 8 and 9 exist only inside the reference compiler and are invalid in a program. */
export const enum InstructionType {
  ptx = 1,
  constant = 2,
  input = 3,
  special = 4,
  meta = 5,
  metaConstant = 6,
  routine = 7,
  return = 10,
  store = 11,
  load = 12,
}

/** Payloads of a meta instruction: operations on the stack that `aux` names. */
export const MetaOperation = {
  dup: 0,
  yankDup: 1,
  swap: 2,
  swapWith: 3,
  replace: 4,
  drop: 5,
  clear: 6,
  rotate: 7,
  reverse: 8,
} as const;

/** The name of a meta operation, which works on a whole stack. */
export type MetaOperationName = keyof typeof MetaOperation;

/** The names of the meta operations, by payload. */
export const META_OPERATION_NAMES = Object.keys(MetaOperation) as readonly MetaOperationName[];

/** The first word of an instruction. */
export function packHead(type: number, aux = 0): number {
  return (type | (aux << Packed.auxShift)) >>> 0;
}

/** Represents the main program wherever routines are identified by index. */
export const MAIN_PROGRAM = -1;
