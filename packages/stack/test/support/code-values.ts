// What stubs and codes compute, as numbers that are equal for equal computations: each value has the number of a text that
// consists of its mnemonic and the numbers of its operands.
import { operandsOf, operationParts, operationText, StraightLineCode } from "@mm-ptx/types/code";

/** Numbers texts. Stubs and codes that are compared share one. */
export class Values {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  input(name: string): number {
    return this.of(`%${name}`);
  }

  constant(bits: number): number {
    return this.of(String(bits));
  }
}

/** The contents of the registers after a stub that consists of scalar instructions and moves only. */
export function stubValues(values: Values, stub: string): (name: string) => number {
  const registers = new Map<string, number>();
  const read = (name: string): number => registers.get(name) ?? values.input(name);
  for (const [, mnemonic, text] of stub.matchAll(/^\t([a-z]\S*) (.*);$/gm)) {
    const [result, ...operands] = text!.split(", ");
    const args = operands.map((operand) =>
      operand.startsWith("%")
        ? read(operand.slice(1))
        : values.constant(Number.parseInt(operand.slice(2), 16)),
    );
    const [first, second] = result!.split("|").map((name) => name.slice(1));
    // Moves are copies of values and saves of registers.
    const value = mnemonic!.startsWith("mov.") ? args[0]! : values.of(`${mnemonic} ${args.join(" ")}`);
    registers.set(first!, value);
    if (second !== undefined) registers.set(second, values.of(`not.pred ${value}`));
  }
  return read;
}

export interface CodeContents {
  /** The values of the outputs, and their types. */
  readonly outputs: readonly { readonly value: number; readonly type: number }[];
  /** The indices and types of the inputs that it reads. */
  readonly inputs: readonly { readonly index: number; readonly type: number }[];
  readonly inputCount: number;
}

/** @throws Error when the words are not a code, or when an item is never read */
export function codeValues(values: Values, words: Uint32Array, names: readonly string[]): CodeContents {
  const { header, inputs, items } = readCode(words);
  const known: number[] = [];
  const read = new Set<number>();
  const use = (item: number): number => {
    if (known[item] === undefined) throw new Error(`item ${known.length} reads item ${item}`);
    read.add(item);
    return known[item];
  };
  for (const { name, text, operands } of items) {
    if (name === "input") known.push(values.input(names[operands[0]!]!));
    else if (name === "constant") known.push(values.constant(operands[0]!));
    else if (name === "mov") known.push(use(operands[0]!));
    else known.push(values.of(`${text} ${operands.map(use).join(" ")}`));
  }
  const outputs = header.outputs.map((word) => ({
    value: use(word & StraightLineCode.valueMask),
    type: word >>> StraightLineCode.typeShift,
  }));
  if (read.size !== items.length) throw new Error(`${items.length - read.size} items are never read`);
  return { outputs, inputs, inputCount: header.inputCount };
}

function readCode(words: Uint32Array) {
  const [magic, itemCount, arity] = words;
  if (magic !== StraightLineCode.magic) throw new Error(`magic ${magic}`);
  const items: { readonly name: string; readonly text: string; readonly operands: readonly number[] }[] = [];
  const inputs: { index: number; type: number }[] = [];
  let at: number = StraightLineCode.headerWords;
  for (let item = 0; item < itemCount!; item++) {
    const word = words[at]!;
    const operands = [...words.subarray(at + 1, at + 1 + operandsOf(word))];
    const { name } = operationParts(word);
    if (name === "input") inputs.push({ index: operands[0]!, type: (word >>> 7) & 31 });
    items.push({ name, text: operationText(word), operands });
    at += 1 + operands.length;
  }
  const outputs = [...words.subarray(at)];
  const outputCount = arity! >>> StraightLineCode.outputShift;
  if (outputs.length !== outputCount) throw new Error(`${outputs.length} outputs instead of ${outputCount}`);
  return { header: { outputs, inputCount: arity! & StraightLineCode.inputMask }, inputs, items };
}
