// The layout of the memory of a compile: where everything is and how long it is. The file is both TypeScript and
// AssemblyScript: the arena creates this layout, and the loops in both languages read it.

/** The regions, in the order of their addresses. */
export const enum Region {
  /** `Control` */
  control,
  /** The first word of each PTX instruction in a program, or 0 when the loop leaves it to the general code. */
  heads,
  /** The length of each mnemonic in characters. */
  lengths,
  /** The mnemonics, `Line.mnemonicBytes` each. */
  mnemonics,
  /** The value of each input. */
  inputs,
  /** The texts of inputs that are too long for a value. */
  names,
  /** The value of each register of the stub. */
  registers,
  /** The arguments of all frames; those of the current frame are last. */
  args,
  /** The stack of values. */
  values,
  /** The words of the routines, then those of the program. */
  code,
  /** The stub. */
  output,
}

/** The words that the loop reads and writes, as addresses in the control region. */
export const enum Control {
  /** The address of each region, in order; the loop needs those from heads to inputs, and values. */
  regions = 0,
  /** The number of entries of each. */
  instructionCount = 44,
  inputCount = 48,
  argCount = 52,
  /** Addresses: the current frame's arguments, the end of the values, the next register, the end of the text. */
  args = 56,
  valuesEnd = 60,
  nextRegister = 64,
  outputEnd = 68,
}

/** A value; text.ts describes its bytes. */
export const enum Value {
  bytes = 16,
  lengthAt = 15,
  /** The most characters that a value holds, and the length byte of a text that is stored elsewhere. */
  mostCharacters = 15,
  elsewhere = 255,
  constantLength = 12,
}

export const enum Line {
  /** The bytes of a mnemonic in the arena; longer mnemonics are left to the general code. */
  mnemonicBytes = 24,
  /** The most bytes that a line of the loop touches: a mnemonic, the register, and arguments that fit in values. */
  bytes = 96,
  /** The most arguments of a line of the loop. */
  mostArgs = 3,
}

/** Two bytes of text in the byte order that `DataView.setUint16(…, true)` writes. */
export const enum Pair {
  endOfLine = 0x0a3b, // ";\n"
  comma = 0x202c, // ", "
  zeroF = 0x6630, // "0f"
}
