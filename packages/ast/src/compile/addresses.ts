// Where things lie in the memory of a compile, and how long they are. TypeScript and AssemblyScript at once: the arena lays
// it out, and the loops in both languages read it.

/** The regions, in the order in which they lie. */
export const enum Region {
  /** `Control` */
  control,
  /** The first word that each PTX instruction has in a program, or 0 when the loop leaves it to the general code. */
  heads,
  /** The characters of each mnemonic. */
  lengths,
  /** Each mnemonic, `Line.mnemonicBytes` for one. */
  mnemonics,
  /** The value of each input. */
  inputs,
  /** The texts of inputs that are too long for a value. */
  names,
  /** The value of each register of the stub. */
  registers,
  /** The arguments of all frames, those of the running one last. */
  args,
  /** The stack of values. */
  values,
  /** The words of the routines, then those of the program. */
  code,
  /** The stub. */
  output,
}

/** What the loop reads and writes, as addresses of u32 words in the control region. */
export const enum Control {
  /** Where each region begins, in their order; the loop needs those from heads to inputs, and values. */
  regions = 0,
  /** How many there are of each. */
  instructionCount = 44,
  inputCount = 48,
  argCount = 52,
  /** Addresses of the running frame's arguments, behind the last value, of the next register, behind the text. */
  args = 56,
  valuesEnd = 60,
  nextRegister = 64,
  outputEnd = 68,
}

/** A value: text.ts says what its bytes are. */
export const enum Value {
  bytes = 16,
  lengthAt = 15,
  /** Characters that a value holds, and what stands for the length of a text that lies elsewhere. */
  mostCharacters = 15,
  elsewhere = 255,
  constantLength = 12,
}

export const enum Line {
  /** What mnemonics take in the arena; a longer one is left to the general code. */
  mnemonicBytes = 24,
  /** What one line of the loop may touch: a mnemonic, the register, arguments that values hold. */
  bytes = 96,
  /** Arguments of a line of the loop. */
  mostArgs = 3,
}

/** Two bytes of text as `DataView.setUint16(…, true)` writes them. */
export const enum Pair {
  endOfLine = 0x0a3b, // ";\n"
  comma = 0x202c, // ", "
  zeroF = 0x6630, // "0f"
}
