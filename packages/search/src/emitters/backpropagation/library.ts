// Small formulas and their values.
import { Draws } from "../../draws.js";
import type { AstSpace } from "../../spaces/ast.js";
import { RESULTS } from "./operations.js";
import { SameValues } from "./same-values.js";
import { constantWords, joined, type Leaf } from "./writing.js";

/** Tries for the formulas of the last size, which is not complete. */
const TRIES = 4;
/** What draws of the library use instead of the number of a batch. */
const LIBRARY = 0xfffffffc;
const LARGEST = 1e12;
/** The constants of small formulas. */
const CONSTANTS = [1, 2];

/** Ways to make formulas of one size. */
interface Combinations {
  readonly count: number;
  readonly operator: number;
  readonly lefts: readonly number[];
  /** Undefined for operators with one operand. */
  readonly rights: readonly number[] | undefined;
}

/** Formulas from small to large, each with values that no smaller one has. */
export class Library {
  readonly #space: AstSpace;
  readonly #rows: number;
  /** The formulas, and the constants that are parts of them. */
  readonly #words: Uint32Array[] = [];
  readonly #values: Float64Array[] = [];
  readonly #bySize: number[][] = [[]];
  readonly #seen = new SameValues();

  /**
   * @param leaves what formulas consist of, besides constants
   * @param most how many formulas there are at most
   */
  constructor(space: AstSpace, leaves: readonly Leaf[], rows: number, most: number) {
    this.#space = space;
    this.#rows = rows;
    const { symbols } = space;
    this.#bySize.push([]);
    for (const { words, values } of leaves) this.#add(words, values, 1);
    if (symbols.isAllowed[symbols.constant] === 1) {
      for (const constant of CONSTANTS) {
        this.#add(constantWords(constant), new Float64Array(rows).fill(constant), 1);
      }
    }
    const draws = new Draws();
    draws.start(0, LIBRARY, 0);
    this.#fill(most, draws);
    // Where constants are written as such, they are not looked up.
    if (symbols.isAllowed[symbols.constant] !== 1) return;
    this.#bySize.forEach((entries, size) => {
      this.#bySize[size] = entries.filter((entry) => !isConstant(this.#values[entry]!));
    });
  }

  get count(): number {
    return this.#words.length;
  }

  /** The formulas of each size; the list of size 0 is empty. */
  get bySize(): readonly (readonly number[])[] {
    return this.#bySize;
  }

  words(entry: number): Uint32Array {
    return this.#words[entry]!;
  }

  values(entry: number): Float64Array {
    return this.#values[entry]!;
  }

  /** Makes formulas size by size, until there are as many as wanted or the next size would be too large. */
  #fill(most: number, draws: Draws): void {
    const { symbols, maxLength } = this.#space;
    const operators = symbols.allowed.filter(
      (number) => RESULTS[symbols.name(number)] !== undefined && symbols.arity[number]! <= 2,
    );
    for (let size = 2; size <= maxLength && this.count < most; size++) {
      this.#bySize.push([]);
      const combinations = operators.flatMap((operator) => this.#combinations(operator, size));
      const total = combinations.reduce((sum, { count }) => sum + count, 0);
      if (total === 0) continue;
      const left = TRIES * (most - this.count);
      if (total <= left) {
        for (const each of combinations)
          for (let index = 0; index < each.count; index++) this.#make(each, index, size);
        continue;
      }
      // Not all of this size: some at random, and nothing larger.
      for (let attempt = 0; attempt < left && this.count < most; attempt++) {
        let index = draws.below(Math.min(total, 2 ** 32));
        for (const each of combinations) {
          if (index < each.count) {
            this.#make(each, index, size);
            break;
          }
          index -= each.count;
        }
      }
      break;
    }
  }

  /** All ways to make formulas of a size with an operator. */
  #combinations(operator: number, size: number): Combinations[] {
    const { symbols } = this.#space;
    if (symbols.arity[operator] === 1) {
      const lefts = this.#bySize[size - 1]!;
      return [{ count: lefts.length, operator, lefts, rights: undefined }];
    }
    const groups: Combinations[] = [];
    for (let left = 1; left < size - 1; left++) {
      const [lefts, rights] = [this.#bySize[left]!, this.#bySize[size - 1 - left]!];
      if (symbols.commuting[operator] === 2 && left > size - 1 - left) continue;
      groups.push({ count: lefts.length * rights.length, operator, lefts, rights });
    }
    return groups;
  }

  #make({ operator, lefts, rights }: Combinations, index: number, size: number): void {
    const { symbols } = this.#space;
    const width = rights?.length ?? 1;
    const left = lefts[Math.floor(index / width)]!;
    const right = rights?.[index % width];
    const compute = RESULTS[symbols.name(operator)]!;
    const a = this.#values[left]!;
    const b = right === undefined ? a : this.#values[right]!;
    const values = new Float64Array(this.#rows);
    for (let row = 0; row < values.length; row++) values[row] = compute(a[row]!, b[row]!, 0);
    if (!isUseful(values)) return;
    const root = Uint32Array.of(symbols.heads[operator]!, symbols.payloads[operator]!);
    const parts = [this.#words[left]!, ...(right === undefined ? [] : [this.#words[right]!]), root];
    this.#add(joined(parts), values, size);
  }

  #add(words: Uint32Array, values: Float64Array, size: number): void {
    if (!isUseful(values) || !this.#space.fits(words, 0, words.length) || !this.#seen.add(values)) return;
    this.#bySize[size]!.push(this.#words.length);
    this.#words.push(words);
    this.#values.push(values);
  }
}

function isUseful(values: Float64Array): boolean {
  let isZero = true;
  for (const value of values) {
    if (!(Math.abs(value) < LARGEST)) return false;
    if (value !== 0) isZero = false;
  }
  return !isZero;
}

function isConstant(values: Float64Array): boolean {
  for (const value of values) if (value !== values[0]) return false;
  return true;
}
