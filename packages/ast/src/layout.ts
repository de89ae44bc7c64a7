// The packed layout of an instruction: two little-endian u32 words, `type | aux << 16` and the payload (as 8 bytes:
// `u16 type | u16 aux | u32 payload`). Encoders, compiler and interpreter use these definitions. The file is both
// TypeScript and AssemblyScript. The enums are const because the build then writes their values in place, whereas the
// hot loops would have to load an imported `const`.

/** Sizes and fields of a packed instruction. */
export const enum Packed {
  wordsPerInstruction = 2,
  bytesPerInstruction = 8,
  /** The low half of the first word. */
  typeMask = 0xffff,
  /** The high half of the first word holds the number of arguments. */
  auxShift = 16,
  /** The largest number of arguments, and the largest index of a table. */
  auxMax = 0xffff,
}

/** Instruction types. 0 is invalid; 7 exists only inside the reference compiler and is invalid in a program. */
export const enum InstructionType {
  /** Payload: index of the input. */
  input = 1,
  /** Payload: the bits of an f32. */
  constant = 2,
  /** Aux: number of arguments; payload: index in the table. */
  ptx = 3,
  /** Aux: number of arguments; payload: index of the routine. */
  routine = 4,
  /** Named like the PTX instruction, because AssemblyScript does not accept `return` here. */
  ret = 5,
  /** Payload: the index of an argument of the routine that contains the instruction. */
  routineArgument = 6,
}
