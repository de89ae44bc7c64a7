// Reads a stub back: the instructions that the compiler wrote, with operands as numbers.
import type { Operation } from "../float32.js";

/** The kind of an operand. An operand is a kind and, above it, an index or a register number. */
export const enum OperandKind {
  /** Index into `Stub.constants`. */
  constant = 0,
  /** Index of an input. */
  input = 1,
  /** The line that computes it. */
  register = 2,
  mask = 3,
  shift = 2,
}

export interface Stub {
  /** The operation of each line. */
  readonly operations: readonly Operation[];
  /** The operands of all lines, one after the other. */
  readonly operands: readonly number[];
  /** The bits of the constants, repeated as often as they were written. */
  readonly constants: readonly number[];
  /** The operand that is the value of the stub. */
  readonly result: number;
}

const REGISTER = "%ast";
const HEX_DIGITS = 8;

/** ASCII. */
const enum Character {
  percent = 37,
  comma = 44,
  zero = 48,
  nine = 57,
}

/**
 * The operation of a line's instruction, given its number of arguments.
 * @throws AstPtxError UNSUPPORTED_INSTRUCTION when it is unknown
 */
export type FindOperation = (ptx: string, args: number, line: number) => Operation;

/** Reads a stub whose inputs are named by their indices. @throws the errors of `findOperation` */
export function readStub(text: string, findOperation: FindOperation): Stub {
  const operations: Operation[] = [];
  const operands: number[] = [];
  const constants: number[] = [];
  // After the brace, and after the declaration if there is one.
  let at = text.startsWith(".reg ", 2) ? text.indexOf("\n", 2) + 1 : 2;

  /** Reads the operand at `at` and moves past it. */
  const readOperand = (): number => {
    if (text.charCodeAt(at) !== Character.percent) {
      constants.push(Number.parseInt(text.slice(at + 2, at + 2 + HEX_DIGITS), 16));
      at += 2 + HEX_DIGITS;
      return ((constants.length - 1) << OperandKind.shift) | OperandKind.constant;
    }
    const isRegister = text.startsWith(REGISTER, at);
    at += isRegister ? REGISTER.length : 1;
    let index = 0;
    for (
      let code = text.charCodeAt(at);
      code >= Character.zero && code <= Character.nine;
      code = text.charCodeAt(++at)
    ) {
      index = 10 * index + code - Character.zero;
    }
    return (index << OperandKind.shift) | (isRegister ? OperandKind.register : OperandKind.input);
  };

  for (;;) {
    const nameEnd = text.indexOf(" %", at);
    if (!text.startsWith(REGISTER, nameEnd + 1)) {
      // The copy to the output.
      at = text.indexOf(", ", nameEnd) + 2;
      return { operations, operands, constants, result: readOperand() };
    }
    const ptx = text.slice(at, nameEnd);
    at = nameEnd + 1;
    readOperand();
    const before = operands.length;
    while (text.charCodeAt(at) === Character.comma) {
      at += 2;
      operands.push(readOperand());
    }
    // After the semicolon and the newline.
    at += 2;
    operations.push(findOperation(ptx, operands.length - before, operations.length));
  }
}
