// Random straight-line codes of f32 instructions with one input and one output, and their stubs.
import {
  codeType,
  constantOperation,
  encodeOperation,
  inputOperation,
  operandsOf,
  operationText,
  StraightLineCode,
} from "../../packages/types/dist/code/index.js";

const F32 = codeType("f32");
const INPUT = inputOperation(F32);
const CONSTANT = constantOperation(F32);
/** Values that programs have often, besides others. */
const CONSTANTS = [0.0347, -5.759, 1.7, 0.3, 0.123, 1, -1, 2, 0.25, 0, -0.0347];

interface Item {
  readonly operation: number;
  /** The index of an input, the bits of a constant, or the numbers of items. */
  readonly operands: readonly number[];
}

const bitsOf = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;
const isValue = ({ operation }: Item): boolean => operation === INPUT || operation === CONSTANT;

/** The random numbers that are needed: those of a search. */
export interface RandomNumbers {
  start(seed: number, batch: number, candidate: number): void;
  below(bound: number): number;
}

export class RandomCodes {
  readonly #operations: readonly number[];
  readonly #draws: RandomNumbers;
  readonly #seed: number;

  /** @param instructions those that are drawn more often occur more often */
  constructor(instructions: readonly string[], draws: RandomNumbers, seed: number) {
    this.#draws = draws;
    this.#seed = seed >>> 0;
    this.#operations = instructions.map((name) => {
      const word = [1, 2, 3].map((operands) => encodeOperation(name, operands)).find((each) => each !== 0);
      if (word === undefined) throw new Error(`expected an instruction, found ${name}`);
      return word;
    });
  }

  /** Codes that depend on their input. */
  make(count: number, most: number): Uint32Array[] {
    const codes: Uint32Array[] = [];
    for (let candidate = 0; codes.length < count; candidate++) {
      this.#draws.start(this.#seed, 0, candidate);
      const items = withoutUnused(this.#items(1 + this.#draws.below(most)));
      if (dependsOnInput(items)) codes.push(wordsOf(items));
    }
    return codes;
  }

  #items(instructions: number): Item[] {
    const draws = this.#draws;
    const items: Item[] = [{ operation: INPUT, operands: [0] }];
    for (let made = 0; made < instructions; made++) {
      const operation = this.#operations[draws.below(this.#operations.length)]!;
      const operands = Array.from({ length: operandsOf(operation) }, () => {
        const kind = draws.below(10);
        if (kind < 3) {
          const bits = bitsOf(CONSTANTS[draws.below(CONSTANTS.length)]!);
          return items.push({ operation: CONSTANT, operands: [bits] }) - 1;
        }
        const values = [...items.keys()].filter((index) => items[index]!.operation !== CONSTANT);
        return kind < 7 ? values.at(-1)! : values[draws.below(values.length)]!;
      });
      items.push({ operation, operands });
    }
    return items;
  }
}

function withoutUnused(items: readonly Item[]): Item[] {
  const used = new Set([0, items.length - 1]);
  for (let index = items.length - 1; index > 0; index--) {
    if (used.has(index) && !isValue(items[index]!)) for (const each of items[index]!.operands) used.add(each);
  }
  const numbers = new Map([...used].sort((a, b) => a - b).map((index, number) => [index, number]));
  return [...numbers.keys()].map((index) => {
    const item = items[index]!;
    return isValue(item) ? item : { ...item, operands: item.operands.map((each) => numbers.get(each)!) };
  });
}

function dependsOnInput(items: readonly Item[]): boolean {
  const depends: boolean[] = [];
  for (const { operation, operands } of items) {
    depends.push(operation === INPUT || (operation !== CONSTANT && operands.some((each) => depends[each])));
  }
  return depends.at(-1)!;
}

function wordsOf(items: readonly Item[]): Uint32Array {
  const body = items.flatMap(({ operation, operands }) => [operation, ...operands]);
  const arity = 1 | (1 << StraightLineCode.outputShift);
  const output = (items.length - 1) | (F32 << StraightLineCode.typeShift);
  return Uint32Array.of(StraightLineCode.magic, items.length, arity, ...body, output);
}

/** A block of PTX that computes `%g` of `%x`. */
export function stubText(words: Uint32Array): string {
  const lines: string[] = [];
  const items = words[StraightLineCode.itemCount]!;
  let at = StraightLineCode.headerWords;
  for (let item = 0; item < items; item++) {
    const operation = words[at]!;
    const operands = [...words.subarray(at + 1, at + 1 + operandsOf(operation))];
    if (operation === INPUT) lines.push(`mov.f32 %v${item}, %x;`);
    else if (operation === CONSTANT)
      lines.push(`mov.f32 %v${item}, 0f${operands[0]!.toString(16).padStart(8, "0")};`);
    else
      lines.push(`${operationText(operation)} ${[item, ...operands].map((each) => `%v${each}`).join(", ")};`);
    at += 1 + operandsOf(operation);
  }
  return `{ .reg .f32 %v<${items}>; ${lines.join(" ")} mov.f32 %g, %v${items - 1}; }`;
}
