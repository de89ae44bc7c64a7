// Signatures of AST programs: 128-bit hashes of the tree that do not depend on the order of operands that commute.
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";

/** The words of a hash. */
const LANES = 4;

export class AstSignature {
  readonly #symbols: AstSymbols;
  /** The hash of each symbol without operands. */
  readonly #seeds: Int32Array;
  /** What distinguishes the operands of each symbol: words that are the same for operands that commute. */
  readonly #places: Int32Array;
  /** The most operands of a symbol. */
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
    this.#operands = arity.reduce((most, each) => Math.max(most, each), 0);
    this.#places = new Int32Array(this.#operands * count);
    for (let number = 0; number < count; number++) {
      for (let operand = 0; operand < arity[number]!; operand++) {
        const place = operand < commuting[number]! ? 0 : operand;
        this.#places[this.#operands * number + operand] = mixed(Math.imul(place + 1, 0x85ebca6b));
      }
    }
    this.#stack = new Int32Array(LANES * (maxLength + 1));
  }

  /** Writes the hash of the program from word `start` up to `end`, which has at most `maxLength` instructions. */
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
      let a = seeds[LANES * number]!;
      let b = seeds[LANES * number + 1]!;
      let c = seeds[LANES * number + 2]!;
      let d = seeds[LANES * number + 3]!;
      const first = top - LANES * (head >>> AstWord.arityShift);
      // All symbols but constants have hashes of their own, without their payloads.
      const bits = payload & bitsOf[number]!;
      a = (a + Math.imul(bits, 0x239b961b)) | 0;
      b ^= Math.imul(bits ^ (bits >>> 16), 0xab0e9789);
      // A sum does not depend on the order of its terms.
      for (let operand = first, place = most * number; operand < top; operand += LANES, place++) {
        const mark = places[place]!;
        const p = Math.imul(stack[operand]! ^ mark, 0x239b961b);
        a = (a + (p ^ (p >>> 15))) | 0;
        const q = Math.imul(stack[operand + 1]! + mark, 0xab0e9789);
        b = (b + (q ^ (q >>> 16))) | 0;
        const r = Math.imul(stack[operand + 2]! ^ mark, 0x38b34ae5);
        c = (c + (r ^ (r >>> 14))) | 0;
        const s = Math.imul(stack[operand + 3]! - mark, 0xa1e38b93);
        d = (d + (s ^ (s >>> 17))) | 0;
      }
      // A quarter round of ChaCha (Bernstein, 2008).
      a = (a + b) | 0;
      d ^= a;
      d = (d << 16) | (d >>> 16);
      c = (c + d) | 0;
      b ^= c;
      b = (b << 12) | (b >>> 20);
      a = (a + b) | 0;
      d ^= a;
      d = (d << 8) | (d >>> 24);
      c = (c + d) | 0;
      b ^= c;
      b = (b << 7) | (b >>> 25);
      stack[first] = a;
      stack[first + 1] = b;
      stack[first + 2] = c;
      stack[first + 3] = d;
      top = first + LANES;
    }
    hash[0] = mixed(stack[0]!);
    hash[1] = mixed(stack[1]!);
    hash[2] = mixed(stack[2]!);
    hash[3] = mixed(stack[3]!);
  }
}

/** The last step of MurmurHash3 (Austin Appleby), a permutation of the 32-bit integers. */
function mixed(word: number): number {
  let result = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  result = Math.imul(result ^ (result >>> 13), 0xc2b2ae35);
  return result ^ (result >>> 16);
}
