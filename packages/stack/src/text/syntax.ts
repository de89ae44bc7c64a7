// The words of the text form: which first word means which instruction, and what follows it. Assembler and disassembler
// both read this table; the package's README is the guide to the language.
import { InstructionType, META_OPERATION_NAMES } from "../layout.js";

/** The operand that follows the first word and the stack in the text of an instruction. */
export const enum Operand {
  none = 0,
  /** A PTX instruction by name or index. */
  instruction = 1,
  /** A special register by name or index. */
  special = 2,
  /** A register by label or index. */
  register = 3,
  /** A routine by label or index. */
  routine = 4,
  /** A u32 in decimal. */
  number = 5,
  /** A constant in the format of its stack. */
  constant = 6,
}

/** The text form of an instruction type (or of one meta operation). */
export interface Mnemonic {
  readonly word: string;
  /** The instruction type. */
  readonly code: number;
  /** Whether a stack follows, by name or index, which `aux` holds. */
  readonly stack: boolean;
  readonly operand: Operand;
  /** The payload of instructions without an operand. */
  readonly payload: number;
}

const mnemonic = (
  word: string,
  code: number,
  { stack = false, operand = Operand.none, payload = 0 } = {},
): Mnemonic => ({ word, code, stack, operand, payload });

export const MNEMONICS: readonly Mnemonic[] = [
  mnemonic("ptx", InstructionType.ptx, { operand: Operand.instruction }),
  mnemonic("const", InstructionType.constant, { stack: true, operand: Operand.constant }),
  mnemonic("input", InstructionType.input, { operand: Operand.register }),
  mnemonic("special", InstructionType.special, { operand: Operand.special }),
  mnemonic("meta", InstructionType.metaConstant, { operand: Operand.number }),
  mnemonic("routine", InstructionType.routine, { operand: Operand.routine }),
  mnemonic("return", InstructionType.return),
  mnemonic("store", InstructionType.store, { stack: true, operand: Operand.number }),
  mnemonic("load", InstructionType.load, { operand: Operand.number }),
  ...META_OPERATION_NAMES.map((name, payload) =>
    mnemonic(snakeCase(name), InstructionType.meta, { stack: true, payload }),
  ),
];

/** First words that are not instruction types, in the order of `Directive`. */
export const DIRECTIVES = [".word", ".registers", ".routines"] as const;

export const enum Directive {
  /** An instruction as its two words, for those that no other text can express. */
  word = 0,
  /** Labels of registers, the first for register 0. */
  registers = 1,
  /** Labels of routines, the first for routine 0. */
  routines = 2,
}

/** Marks an index without a label in a list of labels. */
export const NO_LABEL = "_";

/** Whether a name can be used in the text: it has to be a single word that does not look like an index. */
export function isWord(name: string): boolean {
  return /^[!-:<-~]+$/.test(name) && !/^[0-9]+$/.test(name);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
