// A code under construction. Which values are live is known at the end.
import {
  type CodeBuffer,
  codeType,
  codeTypeBits,
  constantOperation,
  encodeOperation,
  inputOperation,
} from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";

/** A value and the type of the register that holds it. */
export interface Output {
  readonly value: number;
  readonly type: string;
}

const HALF = 32n;

/** Values are numbered in the order in which they are made. */
export class Draft {
  readonly #items: number[][] = [];
  readonly #inputs = new Map<number, number>();

  /** The value of an input, which is made once. */
  input(index: number, type: string): number {
    const known = this.#inputs.get(index);
    if (known !== undefined) return known;
    const value = this.#add([inputOperation(codeType(type)), index]);
    this.#inputs.set(index, value);
    return value;
  }

  constant(type: string, bits: bigint): number {
    const word = codeType(type);
    const item = [constantOperation(word), Number(BigInt.asUintN(32, bits))];
    if (codeTypeBits(word) === 64) item.push(Number(bits >> HALF));
    return this.#add(item);
  }

  /** An instruction that exists. */
  instruction(text: string, ...operands: number[]): number {
    return this.operation(encodeOperation(text, operands.length), operands);
  }

  operation(word: number, operands: readonly number[]): number {
    return this.#add([word, ...operands]);
  }

  #add(item: number[]): number {
    if (this.#items.length === CodeWord.mostItems) {
      throw new ColumnsError(
        "INSUFFICIENT_BUFFER",
        `expected at most ${CodeWord.mostItems} values, found more`,
      );
    }
    return this.#items.push(item) - 1;
  }

  /** Appends the code of the values that the outputs depend on. */
  append(outputs: readonly Output[], out: CodeBuffer): void {
    const numbers = this.#numberLive(outputs);
    const words: number[] = [CodeWord.magic, 0, 0];
    let inputCount = 0;
    this.#items.forEach((item, value) => {
      if (numbers[value]! < 0) return;
      words[CodeWord.itemCount]!++;
      const name = item[0]! & OperationField.nameMask;
      if (name === CodeName.input) inputCount = Math.max(inputCount, item[1]! + 1);
      item.forEach((word, at) => {
        words.push(name > CodeName.constant && at > 0 ? numbers[word]! : word);
      });
    });
    words[CodeWord.arity] = inputCount | (outputs.length << CodeWord.outputShift);
    for (const { value, type } of outputs)
      words.push(numbers[value]! | (codeType(type) << CodeWord.typeShift));
    const room = out.reserve(words.length);
    const start = out.end;
    words.forEach((word, at) => {
      room[start + at] = word;
    });
    out.append(start + words.length);
  }

  /** The number of each live value in the code, or -1. */
  #numberLive(outputs: readonly Output[]): Int32Array {
    const items = this.#items;
    const numbers = new Int32Array(items.length).fill(-1);
    for (const { value } of outputs) numbers[value] = 0;
    for (let value = items.length - 1; value >= 0; value--) {
      const [word, ...operands] = items[value]!;
      if (numbers[value] !== 0 || (word! & OperationField.nameMask) <= CodeName.constant) continue;
      for (const operand of operands) numbers[operand] = 0;
    }
    let next = 0;
    for (let value = 0; value < items.length; value++) if (numbers[value] === 0) numbers[value] = next++;
    return numbers;
  }
}
