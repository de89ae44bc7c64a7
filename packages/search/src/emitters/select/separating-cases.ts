// Which cases tell some classes apart.
import type { CaseMatrix } from "./case-matrix.js";

/** Sets of up to this size consist of few pairs. */
export const FEW = 4;
/** The words of all sets of cases that are kept for pairs. */
const KEPT_WORDS = 2 ** 18;
const MOST_PAIRS = 2 ** 13;
const NO_PAIR = -1;

/**
 * Finds cases in which errors differ by more than epsilon. All others remove nothing from a set, nor from any part of it. The same few
 * classes are often left for many parents, so what was found for a pair is kept.
 */
export class SeparatingCases {
  /** The cases that were found, as bits. */
  bits = new Uint32Array(0);
  #matrix: CaseMatrix | undefined;
  /** The number of words for as many bits as there are cases. */
  #words = 0;
  /** The pairs that are kept, each in the only place for it, and their cases. */
  #pairs = new Float64Array(0);
  #kept = new Uint32Array(0);
  #mask = 0;
  #least = new Float64Array(0);
  #most = new Float64Array(0);

  /** Begins with other errors. */
  begin(matrix: CaseMatrix): void {
    const { cases } = matrix;
    this.#matrix = matrix;
    const words = (cases + 31) >>> 5;
    if (words !== this.#words) {
      this.#words = words;
      this.bits = new Uint32Array(words);
      this.#mask = Math.min(MOST_PAIRS, 2 ** (31 - Math.clz32(Math.max(1, KEPT_WORDS / words)))) - 1;
      this.#pairs = new Float64Array(this.#mask + 1);
      this.#kept = new Uint32Array((this.#mask + 1) * words);
      this.#least = new Float64Array(32 * words);
      this.#most = new Float64Array(32 * words);
    }
    this.#pairs.fill(NO_PAIR);
  }

  /** Finds the cases that tell the first `count` classes apart. Returns whether there are any. */
  find(classes: Int32Array, count: number): boolean {
    if (count <= FEW) this.#joinPairs(classes, count);
    else this.#compareAll(classes, count);
    const { bits } = this;
    for (let word = 0; word < bits.length; word++) if (bits[word] !== 0) return true;
    return false;
  }

  has(number: number): boolean {
    return ((this.bits[number >>> 5]! >>> (number & 31)) & 1) === 1;
  }

  #joinPairs(classes: Int32Array, count: number): void {
    const { bits } = this;
    const kept = this.#kept;
    const words = this.#words;
    bits.fill(0);
    for (let one = 1; one < count; one++) {
      for (let other = 0; other < one; other++) {
        const start = this.#pair(classes[other]!, classes[one]!);
        for (let word = 0; word < words; word++) bits[word]! |= kept[start + word]!;
      }
    }
  }

  /** Where the cases of a pair are kept. */
  #pair(one: number, other: number): number {
    const { rows, epsilons, cases, count } = this.#matrix!;
    const pair = one * count + other;
    const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
    const place = (mixed ^ (mixed >>> 15)) & this.#mask;
    const start = place * this.#words;
    if (this.#pairs[place] === pair) return start;
    this.#pairs[place] = pair;
    const kept = this.#kept;
    const first = one * cases;
    const second = other * cases;
    for (let from = 0; from < cases; from += 32) {
      const end = Math.min(cases, from + 32);
      let word = 0;
      for (let number = from; number < end; number++) {
        const a = rows[first + number]!;
        const b = rows[second + number]!;
        const epsilon = epsilons[number]!;
        // As a selection compares them, with its rounding.
        word |= (Number(a > b + epsilon) | Number(b > a + epsilon)) << (number - from);
      }
      kept[start + (from >>> 5)] = word;
    }
    return start;
  }

  #compareAll(classes: Int32Array, count: number): void {
    const { rows, epsilons, cases } = this.#matrix!;
    const least = this.#least;
    const most = this.#most;
    least.fill(Number.POSITIVE_INFINITY);
    most.fill(Number.NEGATIVE_INFINITY);
    for (let index = 0; index < count; index++) {
      const row = classes[index]! * cases;
      for (let number = 0; number < cases; number++) {
        const error = rows[row + number]!;
        least[number] = Math.min(least[number]!, error);
        most[number] = Math.max(most[number]!, error);
      }
    }
    const { bits } = this;
    bits.fill(0);
    for (let number = 0; number < cases; number++) {
      bits[number >>> 5]! |= Number(most[number]! > least[number]! + epsilons[number]!) << (number & 31);
    }
  }
}
