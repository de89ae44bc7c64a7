// Signatures of AST programs: 64-bit hashes of the tree, in four words, that do not depend on the order of operands that commute.
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";

/** The words of a hash while it is computed. */
const LANES = 2;
/** Operands that are computed without asking how many there are. */
const USUAL = 2;

export class AstSignature {
  readonly #symbols: AstSymbols;
  /** The hash of each symbol without operands. */
  readonly #seeds: Int32Array;
  /** What distinguishes the operands of each symbol: words that are the same for operands that commute. */
  readonly #places: Int32Array;
  /** The most operands of a symbol, at least `USUAL`. */
  readonly #operands: number;
  /** The bits of payloads that hashes depend on: those of constants. */
  readonly #bits: Int32Array;
  readonly #stack: Int32Array;

  constructor(symbols: AstSymbols, maxLength: number) {
    const { count, arity, commuting } = symbols;
    this.#symbols = symbols;
    this.#bits = new Int32Array(count);
    this.#bits[symbols.constant] = -1;
    this.#seeds = new Int32Array(LANES * count);
    for (let lane = 0; lane < this.#seeds.length; lane++)
      this.#seeds[lane] = mixed(Math.imul(lane + 1, 0x9e3779b9));
    this.#operands = arity.reduce((most, each) => Math.max(most, each), USUAL);
    this.#places = new Int32Array(this.#operands * count);
    for (let number = 0; number < count; number++) {
      for (let operand = 0; operand < arity[number]!; operand++) {
        const place = operand < commuting[number]! ? 0 : operand;
        this.#places[this.#operands * number + operand] = mixed(Math.imul(place + 1, 0x85ebca6b));
      }
    }
    this.#stack = new Int32Array(LANES * (maxLength + USUAL));
  }

  /**
   * Writes the hash of the program from word `start` up to `end`, which has at most `maxLength` instructions. Every instruction makes one
   * hash of those of its operands: a sum, which does not depend on their order, and a permutation of its 64 bits.
   */
  write(words: Uint32Array, start: number, end: number, hash: Uint32Array): void {
    const stack = this.#stack;
    const seeds = this.#seeds;
    const places = this.#places;
    const symbols = this.#symbols;
    const most = this.#operands;
    const bitsOf = this.#bits;
    let top = 0;
    for (let at = start; at < end; at += AstWord.perInstruction) {
      const head = words[at]!;
      const payload = words[at + 1]!;
      const number = symbols.numberOf(head, payload);
      // All symbols but constants have hashes of their own, without their payloads.
      const bits = payload & bitsOf[number]!;
      let a = (seeds[LANES * number]! + Math.imul(bits, 0x239b961b)) | 0;
      let b = seeds[LANES * number + 1]! ^ bits;
      const operands = head >>> AstWord.arityShift;
      const first = top - LANES * operands;
      // Processors cannot predict how many operands come: two are always read, and a mask removes those that the symbol does not have.
      const one = most * number;
      let mask = -operands >> 31;
      let mark = places[one]!;
      let x = Math.imul(stack[first]! ^ mark, 0x239b961b);
      let y = Math.imul(stack[first + 1]! + mark, 0xab0e9789);
      a = (a + ((x ^ (y >>> 15)) & mask)) | 0;
      b = (b + ((y ^ (x >>> 16)) & mask)) | 0;
      mask = (1 - operands) >> 31;
      mark = places[one + 1]!;
      x = Math.imul(stack[first + LANES]! ^ mark, 0x239b961b);
      y = Math.imul(stack[first + LANES + 1]! + mark, 0xab0e9789);
      a = (a + ((x ^ (y >>> 15)) & mask)) | 0;
      b = (b + ((y ^ (x >>> 16)) & mask)) | 0;
      for (let at = first + USUAL * LANES, place = one + USUAL; at < top; at += LANES, place++) {
        mark = places[place]!;
        x = Math.imul(stack[at]! ^ mark, 0x239b961b);
        y = Math.imul(stack[at + 1]! + mark, 0xab0e9789);
        a = (a + (x ^ (y >>> 15))) | 0;
        b = (b + (y ^ (x >>> 16))) | 0;
      }
      a ^= (b << 13) | (b >>> 19);
      a = Math.imul(a, 0x9e3779b1);
      b = (b + (a ^ (a >>> 15))) | 0;
      b = Math.imul(b, 0x85ebca77);
      a ^= b >>> 13;
      stack[first] = a;
      stack[first + 1] = b;
      top = first + LANES;
    }
    const a = stack[0]!;
    const b = stack[1]!;
    hash[0] = mixed(a);
    hash[1] = mixed(b);
    hash[2] = mixed(a ^ 0x38b34ae5);
    hash[3] = mixed(b ^ 0xa1e38b93);
  }
}

/** The last step of MurmurHash3 (Austin Appleby), a permutation of the 32-bit integers. */
function mixed(word: number): number {
  let result = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  result = Math.imul(result ^ (result >>> 13), 0xc2b2ae35);
  return result ^ (result >>> 16);
}
