// Codes for tests, and what is the same in several of them.
import { CodeBuffer, codeType, encodeOperation, inputOperation } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";

/** An item of a code: its operation and operands. */
export type Item = readonly number[];

/** An input of a type. */
export const input = (type: string, index: number): Item => [inputOperation(codeType(type)), index];

/** An instruction. */
export const step = (instruction: string, ...operands: number[]): Item => [
  encodeOperation(instruction, operands.length),
  ...operands,
];

/** The words of a code. */
export function codeWords(
  inputs: number,
  items: readonly Item[],
  outputs: readonly (readonly [value: number, type: string])[],
): number[] {
  return [
    CodeWord.magic,
    items.length,
    inputs | (outputs.length << CodeWord.outputShift),
    ...items.flat(),
    ...outputs.map(([value, type]) => value | (codeType(type) << CodeWord.typeShift)),
  ].map((word) => word >>> 0);
}

export function batchOf(...codes: readonly (readonly number[])[]): CodeBuffer {
  const batch = new CodeBuffer();
  for (const words of codes) {
    batch.reserve(words.length).set(words, batch.end);
    batch.append(batch.end + words.length);
  }
  return batch;
}

/** A code whose outputs are its inputs, which have these types. */
export const copies = (...types: readonly string[]): number[] =>
  codeWords(
    types.length,
    types.map((type, index) => input(type, index)),
    types.map((type, index) => [index, type]),
  );

/** The bits of doubles, which tell NaNs and zeros apart. */
export const bitsOf = (values: Float64Array | undefined): bigint[] =>
  values === undefined ? [] : Array.from(new BigUint64Array(values.slice().buffer));
