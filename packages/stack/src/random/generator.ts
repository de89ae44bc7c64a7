// A random number generator that gives the same numbers on every machine, using only 32-bit integers.

import { rotated } from "@mm-ptx/types/internal";
import { integer, invalid } from "../arguments.js";

/**
 * A source of random numbers: a `Random`, or another generator with these three methods, whose results match their
 * descriptions.
 */
export interface RandomSource {
  /** The next 32 bits, as u32. */
  word(): number;
  /** The next number from 0 to 1 (exclusive). */
  fraction(): number;
  /** The next integer from 0 to `bound` (exclusive), where `bound` is from 1 to 2^32. */
  below(bound: number): number;
}

/** The polynomial that advances the state by 2^64 words. */
const JUMP = [0x8764000b, 0xf542d2d3, 0x6fa035c3, 0x77f2db5b];

/**
 * A sequence of random numbers; equal seeds give equal sequences on every platform and in every version. The generator
 * is xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47, 2021), seeded
 * through splitmix32. Its period is 2^128 - 1. It is well distributed but not cryptographically secure.
 */
export class Random implements RandomSource {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;

  /**
   * @param seed an integer from 0 to 2^32 - 1
   * @throws StackPtxError INVALID_ARGUMENT for any other seed
   */
  constructor(seed: number) {
    let mixed = integer("seed", seed, 0xffffffff);
    const word = (): number => {
      mixed = (mixed + 0x9e3779b9) | 0;
      let mixing = mixed;
      mixing = Math.imul(mixing ^ (mixing >>> 16), 0x21f0aaad);
      mixing = Math.imul(mixing ^ (mixing >>> 15), 0x735a2d97);
      return mixing ^ (mixing >>> 15);
    };
    this.#a = word();
    this.#b = word();
    this.#c = word();
    this.#d = word();
  }

  /** The next 32 bits, as u32. */
  word(): number {
    const a = this.#a;
    const b = this.#b;
    const c = this.#c;
    const d = this.#d;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const mixed = c ^ a;
    const turned = d ^ b;
    this.#b = b ^ mixed;
    this.#a = a ^ turned;
    this.#c = mixed ^ (b << 9);
    this.#d = rotated(turned, 11);
    return result;
  }

  /** The next number from 0 to 1 (exclusive): a multiple of 2^-32. */
  fraction(): number {
    return this.word() / 2 ** 32;
  }

  /**
   * The next integer from 0 to `bound` (exclusive); all are equally likely.
   * @throws StackPtxError INVALID_ARGUMENT unless `bound` is an integer from 1 to 2^32
   */
  below(bound: number): number {
    // Words from this limit on would make small results more likely.
    const end = 2 ** 32 - (2 ** 32 % integer("bound", bound, 2 ** 32, 1));
    let word = this.word();
    while (word >= end) word = this.word();
    return word % bound;
  }

  /**
   * Picks one of several values.
   * @throws StackPtxError INVALID_ARGUMENT when there are none
   */
  pick<T>(values: readonly T[]): T {
    if (!Array.isArray(values)) throw invalid("an array to pick from", values);
    return values[this.below(values.length)]!;
  }

  /**
   * Returns a generator that continues this sequence from here, and advances this one by 2^64 words, so that the two do
   * not overlap. Use it for workers that share a seed.
   */
  fork(): Random {
    const copy = new Random(0);
    copy.#set(this.#a, this.#b, this.#c, this.#d);
    let [a, b, c, d] = [0, 0, 0, 0];
    for (const bits of JUMP) {
      for (let bit = 0; bit < 32; bit++) {
        if ((bits >>> bit) & 1) {
          a ^= this.#a;
          b ^= this.#b;
          c ^= this.#c;
          d ^= this.#d;
        }
        this.word();
      }
    }
    this.#set(a, b, c, d);
    return copy;
  }

  #set(a: number, b: number, c: number, d: number): void {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }
}

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkRandom(random: RandomSource): void {
  if (random instanceof Random) return;
  const { word, fraction, below } = (random ?? {}) as Partial<RandomSource>;
  if (typeof word === "function" && typeof fraction === "function" && typeof below === "function") return;
  throw invalid("a Random", random);
}
