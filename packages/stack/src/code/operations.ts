// A table's instructions as operations of straight-line code. Each is encoded when the first program needs it, because
// most programs use few of a table's instructions.

import {
  codeType,
  codeTypeBits,
  constantOperation,
  encodeOperation,
  inputOperation,
} from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";

/** In `OperationTable.words`: not encoded yet, and not an operation with one result. */
export const enum Encoded {
  unknown = 0,
  none = -1,
}

/** The operations of one table. */
export class OperationTable {
  /** For each instruction, its operation or an `Encoded`. No operation is -1, which would name too many modifiers. */
  readonly words: Int32Array;
  /** For each stack, the type of its registers in `CODE_TYPES`; 0 if straight-line code does not have it. */
  readonly types: Uint8Array;
  /** For each stack, the operations that make an input and a constant. */
  readonly inputs: Uint32Array;
  readonly constants: Uint32Array;
  /** The same, but 0 for constants of other widths than 32 bits. */
  readonly commonConstants: Uint32Array;
  /** For each stack, whether its constants take two words. */
  readonly wide: Uint8Array;

  /** For each stack, the bits of its constants that its registers have room for. */
  readonly #masks: Uint32Array;
  readonly #table: StackTable;

  constructor(table: StackTable) {
    const types = table.stackTypes.map(({ literalPrefix }) => codeType(literalPrefix));
    const bits = types.map(codeTypeBits);
    this.#table = table;
    this.words = new Int32Array(table.instructions.length);
    this.types = Uint8Array.from(types);
    this.inputs = Uint32Array.from(types, inputOperation);
    this.constants = Uint32Array.from(types, constantOperation);
    this.commonConstants = this.constants.map((word, stack) => (bits[stack] === 32 ? word : 0));
    this.wide = Uint8Array.from(bits, (count) => Number(count === 64));
    this.#masks = Uint32Array.from(bits, (count) => 2 ** Math.min(count, 32) - 1);
  }

  /** The bits of a constant as its register has them: a predicate is true unless all bits are 0. */
  constantBits(stack: number, bits: number): number {
    const mask = this.#masks[stack]!;
    return mask === 1 ? Number(bits !== 0) : bits & mask;
  }

  /** Encodes an instruction; returns its operation or `Encoded.none`. */
  encode(instruction: number): number {
    const { args, ptx, results } = this.#table.instructions[instruction]!;
    const operation =
      results.length === 1 && this.#areScalar([...args, ...results]) ? encodeOperation(ptx, args.length) : 0;
    this.words[instruction] = operation === 0 ? Encoded.none : operation;
    return this.words[instruction]!;
  }

  /**
   * The operation of a comparison with two results, the second of which is the negation of the first; 0 for anything else.
   * Packed comparisons and those that are combined with a predicate have other second results.
   */
  comparison(instruction: number): number {
    const { args, ptx, results } = this.#table.instructions[instruction]!;
    const isPair = results.length === 2 && args.length === 2 && this.#areScalar([...args, ...results]);
    return isPair && /^setp\.[a-z]+(\.ftz)?\.\w+$/.test(ptx) && !ptx.endsWith("x2")
      ? encodeOperation(ptx, 2)
      : 0;
  }

  #areScalar(argTypes: readonly number[]): boolean {
    return argTypes.every((type) => this.#table.argTypes[type]!.vectorElements === 0);
  }
}
