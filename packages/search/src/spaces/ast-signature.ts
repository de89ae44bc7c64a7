// Signatures of AST programs: 128-bit hashes of the tree that do not depend on the order of operands that commute.
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";

/** The words of a hash. */
const LANES = 4;

export class AstSignature {
  readonly #symbols: AstSymbols;
  /** The hash of each symbol before its operands. */
  readonly #seeds: Int32Array;
  readonly #stack: Int32Array;

  constructor(symbols: AstSymbols, maxLength: number) {
    this.#symbols = symbols;
    this.#seeds = new Int32Array(LANES * symbols.count);
    for (let lane = 0; lane < this.#seeds.length; lane++)
      this.#seeds[lane] = finish(Math.imul(lane + 1, 0x9e3779b9));
    this.#stack = new Int32Array(LANES * (maxLength + 1));
  }

  /** Writes the hash of the program from word `start` up to `end`, which has at most `maxLength` instructions. */
  write(words: Uint32Array, start: number, end: number, hash: Uint32Array): void {
    const stack = this.#stack;
    const seeds = this.#seeds;
    const symbols = this.#symbols;
    let top = 0;
    for (let at = start; at < end; at += AstWord.perInstruction) {
      const head = words[at]!;
      const payload = words[at + 1]!;
      const arity = head >>> AstWord.arityShift;
      const number = symbols.numberOf(head, payload);
      let a = seeds[LANES * number]!;
      let b = seeds[LANES * number + 1]!;
      let c = seeds[LANES * number + 2]!;
      let d = seeds[LANES * number + 3]!;
      if (head === AstWord.constant) {
        a = Math.imul(a ^ payload, 0x239b961b);
        b = Math.imul(b + payload, 0xab0e9789);
        c = Math.imul(c ^ ((payload << 16) | (payload >>> 16)), 0x38b34ae5);
        d = Math.imul(d - payload, 0xa1e38b93);
        a ^= (a >>> 15) + b;
        b ^= (b >>> 13) + c;
        c ^= (c >>> 16) + d;
        d ^= (d >>> 14) + a;
      }
      const first = top - LANES * arity;
      if (arity > 1 && symbols.commuting[number]! > 1) sort(stack, first, symbols.commuting[number]!);
      // The body of MurmurHash3_x86_128 (Austin Appleby), with each operand as a block.
      for (let operand = first; operand < top; operand += LANES) {
        let k = Math.imul(stack[operand]!, 0x239b961b);
        a ^= Math.imul((k << 15) | (k >>> 17), 0xab0e9789);
        a = (Math.imul(((a << 19) | (a >>> 13)) + b, 5) + 0x561ccd1b) | 0;
        k = Math.imul(stack[operand + 1]!, 0xab0e9789);
        b ^= Math.imul((k << 16) | (k >>> 16), 0x38b34ae5);
        b = (Math.imul(((b << 17) | (b >>> 15)) + c, 5) + 0x0bcaa747) | 0;
        k = Math.imul(stack[operand + 2]!, 0x38b34ae5);
        c ^= Math.imul((k << 17) | (k >>> 15), 0xa1e38b93);
        c = (Math.imul(((c << 15) | (c >>> 17)) + d, 5) + 0x96cd1c35) | 0;
        k = Math.imul(stack[operand + 3]!, 0xa1e38b93);
        d ^= Math.imul((k << 18) | (k >>> 14), 0x239b961b);
        d = (Math.imul(((d << 13) | (d >>> 19)) + a, 5) + 0x32ac3b17) | 0;
      }
      stack[first] = a;
      stack[first + 1] = b;
      stack[first + 2] = c;
      stack[first + 3] = d;
      top = first + LANES;
    }
    const length = (end - start) / AstWord.perInstruction;
    let a = stack[0]! ^ length;
    let b = stack[1]! ^ length;
    let c = stack[2]! ^ length;
    let d = stack[3]! ^ length;
    a = (a + b + c + d) | 0;
    b = (b + a) | 0;
    c = (c + a) | 0;
    d = (d + a) | 0;
    a = finish(a);
    b = finish(b);
    c = finish(c);
    d = finish(d);
    a = (a + b + c + d) | 0;
    hash[0] = a;
    hash[1] = b + a;
    hash[2] = c + a;
    hash[3] = d + a;
  }
}

/** The last step of MurmurHash3, a permutation of the 32-bit integers. */
function finish(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Sorts the hashes of the first `count` operands, whose order does not matter. */
function sort(stack: Int32Array, first: number, count: number): void {
  for (let sorted = 1; sorted < count; sorted++) {
    for (let at = first + LANES * sorted; at > first && isGreater(stack, at - LANES, at); at -= LANES) {
      for (let lane = at; lane < at + LANES; lane++) {
        const lower = stack[lane - LANES]!;
        stack[lane - LANES] = stack[lane]!;
        stack[lane] = lower;
      }
    }
  }
}

function isGreater(stack: Int32Array, left: number, right: number): boolean {
  for (let lane = 0; lane < LANES; lane++) {
    const difference = stack[left + lane]! - stack[right + lane]!;
    if (difference !== 0) return difference > 0;
  }
  return false;
}
