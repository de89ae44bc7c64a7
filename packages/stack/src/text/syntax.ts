// The words of the text form: which first word stands for which instruction, and what follows it. Assembler and
// disassembler read this table; the guide to the language is in the package's README.
import { InstructionType, META_OPERATION_NAMES } from "../layout.js";

/** What an instruction's text says after its first word and its stack. */
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
  /** A constant as its stack writes it. */
  constant = 6,
}

/** An instruction type (or one meta operation) as text. */
export interface Mnemonic {
  readonly word: string;
  /** The instruction type. */
  readonly code: number;
  /** Whether a stack by name or index follows, which `aux` holds. */
  readonly stack: boolean;
  readonly operand: Operand;
  /** The payload where there is no operand. */
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

/** First words that stand for no instruction type. Their order is that of `Directive`. */
export const DIRECTIVES = [".word", ".registers", ".routines"] as const;

export const enum Directive {
  /** An instruction as its two words, for those that nothing else can say. */
  word = 0,
  /** Labels of registers, the first for register 0. */
  registers = 1,
  /** Labels of routines, the first for routine 0. */
  routines = 2,
}

/** Stands in a list of labels for what has none. */
export const NO_LABEL = "_";

/** Whether a name can stand in the text: one word that no index looks like. */
export function isWord(name: string): boolean {
  return /^[!-:<-~]+$/.test(name) && !/^[0-9]+$/.test(name);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
