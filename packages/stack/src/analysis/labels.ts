// The words that a signature hashes in place of the stub's text: two for each mnemonic, and a label for each operand.
// All of them come from texts, never from indices of a table, so tables that print the same stubs give the same words.
import type { StackTable } from "@mm-ptx/types/core";
import { murmur128Into } from "@mm-ptx/types/internal";
import { constantForms } from "../emit/text-table.js";

/**
 * The last word of a node's text while a signature is being made. Values without a label have 0 there. A result's label
 * is a number from 1 on, assigned when the value is first read.
 */
export const enum Label {
  /**
   * A register of the caller: 30 bits of the hash of its name; 32 more bits are in the word where a constant has its
   * bits.
   */
  text = 0x40000000,
  textMask = 0x3fffffff,
  /** A constant, hashed in the form in which it is written. Its bits follow. */
  constant = 0x80000000,
}

/** The words that represent the fixed pieces of a table's stubs. The first of two words is never 0. */
export interface SignatureTable {
  /** Two words for each instruction: its text, the shape of its operands, and the stacks of its results. */
  readonly instructions: Int32Array;
  /** The same, but 0 for instructions that need the general code. */
  readonly common: Int32Array;
  /** Whether an instruction prints the same text as the move that saves a register before the copies. */
  readonly moves: Uint8Array;
  /** Two words for the move from each special register. */
  readonly specials: Int32Array;
  /**
   * The label of each element of each special register, first word first. Special registers are `Node.specialElements`
   * apart.
   */
  readonly specialLabels: Int32Array;
  /** Each element's text without `%`, in the same order. */
  readonly specialNames: readonly string[];
  /** Two words for the final copy of each stack. */
  readonly copies: Int32Array;
  /** How each stack prints constants. */
  readonly forms: Uint8Array;
}

export function signatureTable(table: StackTable, shape: Int32Array): SignatureTable {
  const { argTypes, instructions, specialRegisters, stackTypes } = table;
  const elements = (type: number) => argTypes[type]!.vectorElements;
  const prefixOf = (stack: number) => stackTypes[stack]!.literalPrefix;
  const home = (type: number) => `${argTypes[type]!.stackIndex}.${prefixOf(argTypes[type]!.stackIndex)}`;
  const line = (ptx: string, results: readonly number[], args: readonly number[]) =>
    textWords([ptx, results.map(elements), results.map(home), args.map(elements)].join(" "));

  const specialNames = specialRegisters.flatMap(({ ptx, argType }) =>
    [..."xyzw"].map((element) => (elements(argType) === 0 ? ptx : `${ptx}.${element}`)),
  );
  const words = instructions.map(({ ptx, results, args }) => line(ptx, results, args));
  const moves = Uint8Array.from(instructions, ({ ptx, results, args }) => {
    const scalars =
      args.length === 1 && results.length === 1 && elements(args[0]!) + elements(results[0]!) === 0;
    return Number(scalars && ptx === `mov.${prefixOf(argTypes[results[0]!]!.stackIndex)}`);
  });
  return {
    instructions: Int32Array.from(words.flat()),
    common: Int32Array.from(
      words.flatMap((pair, index) => (shape[index] !== 0 && !moves[index] ? pair : [0, 0])),
    ),
    moves,
    specials: Int32Array.from(
      specialRegisters.flatMap(({ argType }) => {
        const { stackIndex } = argTypes[argType]!;
        return textWords(
          [`mov.${prefixOf(stackIndex)}`, 0, `${stackIndex}.${prefixOf(stackIndex)}`, 0].join(" "),
        );
      }),
    ),
    specialLabels: Int32Array.from(specialNames.flatMap(nameLabel)),
    specialNames,
    copies: Int32Array.from(stackTypes.flatMap(({ literalPrefix }) => textWords(`copy ${literalPrefix}`))),
    forms: constantForms(table),
  };
}

/** The label of a register that is written by its name: the bits that fit, and the rest. */
export function nameLabel(name: string): [label: number, bits: number] {
  const [first, second] = textWords(name);
  return [Label.text | (first & Label.textMask), second];
}

/** 64 bits of a text's hash; the first 32 are not all 0. */
function textWords(text: string): [number, number] {
  const words = new Uint32Array(text.length + (text.length & 1));
  for (let index = 0; index < text.length; index++) words[index] = text.charCodeAt(index);
  const hash = new Uint32Array(4);
  murmur128Into(words, words.length, hash);
  return [hash[0]! || 1, hash[1]!];
}
