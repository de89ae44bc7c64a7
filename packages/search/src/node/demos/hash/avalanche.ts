// Counts how often each bit of the input of a hash function flips each bit of its output, and says how far that is from half of the time.
import { bytesOfHex } from "@mm-ptx/types/internal";
import { MODULE } from "../../../wasm/avalanche.js";
import type { HashFunction } from "./hash-function.js";

/** Bits of inputs and of outputs. */
export const BITS = 32;
/** All pairs of an input bit and an output bit. */
export const BIT_PAIRS = BITS * BITS;
/** All inputs are this many blocks. */
export const BLOCKS = 2 ** 19;
/** For each input bit, the pairs of inputs of a block that differ in it. */
export const BLOCK_PAIRS = 2 ** 12;
/** All pairs of inputs that differ in one bit. */
export const ALL_PAIRS = BLOCKS * BLOCK_PAIRS;
/** Input bits are flipped in passes of this many, each in blocks of its own. */
const PASS_BITS = 11;
const PASSES = Math.ceil(BITS / PASS_BITS);
const MOST_MULTIPLIERS = 8;
const FUNCTION_BYTES = 4 * (2 * MOST_MULTIPLIERS + 1);
const PAGE_BYTES = 65_536;

interface Exports {
  readonly firstFree: { readonly value: number };
  count(
    hash: number,
    multipliers: number,
    first: number,
    flips: number,
    from: number,
    to: number,
    counts: number,
  ): void;
}

/** `counts[32 * i + j]`: for how many pairs of inputs that differ in bit i the hashes differ in bit j. */
export class AvalancheCounter {
  /** Up to 2^31, so that they fit into u32. */
  readonly counts: Uint32Array;
  readonly #exports: Exports;
  readonly #function: Uint32Array;

  constructor() {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const module = new WebAssembly.Module(bytesOfHex(MODULE));
    this.#exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    const start = this.#exports.firstFree.value;
    const end = start + FUNCTION_BYTES + 4 * BIT_PAIRS;
    if (end > PAGE_BYTES) memory.grow(Math.ceil(end / PAGE_BYTES) - 1);
    this.#function = new Uint32Array(memory.buffer, start, FUNCTION_BYTES / 4);
    this.counts = new Uint32Array(memory.buffer, start + FUNCTION_BYTES, BIT_PAIRS);
  }

  /** Counts for blocks `from` up to `to` and adds the numbers to `counts`. Blocks are a sample in any order, and all are all inputs. */
  add({ shifts, multipliers }: HashFunction, from: number, to: number): void {
    this.#function.set(shifts);
    this.#function.set(multipliers, shifts.length);
    for (let pass = 0; pass < PASSES; pass++) {
      const first = pass * PASS_BITS;
      this.#exports.count(
        this.#function.byteOffset,
        multipliers.length,
        first,
        Math.min(PASS_BITS, BITS - first),
        from,
        to,
        this.counts.byteOffset + 4 * BITS * first,
      );
    }
  }
}

/**
 * The mean square of 1000 (2 count / pairs - 1): the square of the bias, if all pairs are counted. The bias is that of hash-prospector
 * (Wellons, "Prospecting for hash functions", 2018): 0 for a function whose output bits flip for exactly half of the inputs.
 */
export function squareOf(counts: ArrayLike<number>, pairs: number): number {
  let sum = 0;
  for (let index = 0; index < BIT_PAIRS; index++) {
    const difference = (2 * counts[index]!) / pairs - 1;
    sum += difference * difference;
  }
  return (1e6 * sum) / BIT_PAIRS;
}

/** The bias from counts of all pairs. */
export const biasOf = (counts: ArrayLike<number>): number => Math.sqrt(squareOf(counts, ALL_PAIRS));
