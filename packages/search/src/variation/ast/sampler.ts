// Draws operators, leaves and whole trees.
import type { Draws } from "../../draws.js";
import type { AstConstants } from "../../spaces/ast-constants.js";
import { AstWord } from "../../spaces/ast-layout.js";
import type { AstSymbols } from "../../spaces/ast-symbols.js";
import type { Genome } from "../../spaces/space.js";

/** The length of the tables that operators are drawn from. */
const SLOTS = 1024;
const TRIES = 8;

/** Limits of nesting, by symbol: an operator with one of the `set` bits must not be below one with the same `forbidden` bit. */
export interface Nesting {
  readonly set: Uint32Array;
  readonly forbidden: Uint32Array;
}

export class TreeSampler {
  readonly #symbols: AstSymbols;
  readonly #constants: AstConstants;
  /** The probability of constants among leaves. */
  readonly #share: number;
  /** For each number of operands: operators with as many, and operators with at least one and at most as many, as often as drawn. */
  readonly #exactly: readonly Uint16Array[];
  readonly #upTo: readonly Uint16Array[];
  /** Operators without operands. */
  readonly #named: readonly number[];
  readonly mostOperands: number;
  /** The trees that are still to be drawn: their sizes, and which bits of nesting they must not have. */
  readonly #sizes: Int32Array;
  readonly #banned: Uint32Array;
  readonly #nesting: Nesting;

  /**
   * @param weights how often each symbol is drawn, relative to others
   * @param nesting what must not be nested in random trees
   */
  constructor(
    symbols: AstSymbols,
    nesting: Nesting,
    weights: Float64Array,
    constants: AstConstants,
    share: number,
    maxLength: number,
  ) {
    this.#symbols = symbols;
    this.#constants = constants;
    this.#share = share;
    const { allowed, arity } = symbols;
    this.mostOperands = allowed.reduce((most, number) => Math.max(most, arity[number]!), 0);
    const counts = Array.from({ length: this.mostOperands + 1 }, (_, index) => index);
    const table = (fits: (operands: number) => boolean): Uint16Array =>
      slots(
        allowed.filter((number) => fits(arity[number]!)),
        weights,
      );
    this.#exactly = counts.map((count) => table((operands) => operands === count));
    this.#upTo = counts.map((count) => table((operands) => operands > 0 && operands <= count));
    this.#named = allowed.filter((number) => arity[number] === 0);
    this.#nesting = nesting;
    this.#sizes = new Int32Array(maxLength + this.mostOperands + 1);
    this.#banned = new Uint32Array(this.#sizes.length);
  }

  /** A random operator with this many operands, or -1. */
  operatorWith(operands: number, draws: Draws): number {
    const table = this.#exactly[operands]!;
    return table.length === 0 ? -1 : table[draws.below(table.length)]!;
  }

  /** A random operator with at least one and at most this many operands, or -1. */
  operatorUpTo(operands: number, draws: Draws): number {
    const table = this.#upTo[Math.min(operands, this.mostOperands)]!;
    return table.length === 0 ? -1 : table[draws.below(table.length)]!;
  }

  /** The bits of nesting that are forbidden below the operators above a node. */
  around({ words, start, end }: Genome, node: number): number {
    const { forbidden } = this.#nesting;
    let bits = 0;
    /** The number of values after that of the node. */
    let after = 0;
    for (let at = start + AstWord.perInstruction * (node + 1); at < end; at += AstWord.perInstruction) {
      const head = words[at]!;
      const arity = head >>> AstWord.arityShift;
      if (arity <= after) after += 1 - arity;
      else {
        bits |= forbidden[this.#symbols.numberOf(head, words[at + 1]!)]!;
        after = 0;
      }
    }
    return bits;
  }

  /** Like `operatorUpTo`, without operators that have one of the bits, or -1 if several tries find none. */
  #nestable(operands: number, banned: number, draws: Draws): number {
    const { set } = this.#nesting;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const operator = this.operatorUpTo(operands, draws);
      if (operator < 0 || (set[operator]! & banned) === 0) return operator;
    }
    return -1;
  }

  /** Writes an operator. */
  writeOperator(number: number, room: Uint32Array, at: number): void {
    room[at] = this.#symbols.heads[number]!;
    room[at + 1] = this.#symbols.payloads[number]!;
  }

  /** Writes a random input, constant, or function without operands. */
  writeLeaf(draws: Draws, room: Uint32Array, at: number): void {
    const inputs = this.#symbols.inputs.length;
    const others = inputs + this.#named.length;
    if (others === 0 || (this.#share > 0 && draws.fraction() < this.#share)) {
      room[at] = AstWord.constant;
      room[at + 1] = this.#constants.draw(draws);
      return;
    }
    const chosen = draws.below(others);
    this.writeOperator(
      chosen < inputs ? this.#symbols.firstInput + chosen : this.#named[chosen - inputs]!,
      room,
      at,
    );
  }

  /**
   * Writes a random tree of `size` nodes, or fewer where no operator has few enough operands, from word `at` on.
   * @param around the bits of nesting that are forbidden around it
   * @returns the number of nodes
   */
  writeTree(size: number, draws: Draws, room: Uint32Array, at: number, around = 0): number {
    const sizes = this.#sizes;
    const banned = this.#banned;
    const { forbidden } = this.#nesting;
    let waiting = 1;
    sizes[0] = size;
    banned[0] = around;
    // Backwards, from the root: the next tree to write is the last operand of what was written before.
    let next = at + AstWord.perInstruction * size;
    const end = next;
    while (waiting > 0) {
      const left = sizes[--waiting]!;
      const outside = banned[waiting]!;
      next -= AstWord.perInstruction;
      const operator = left > 1 ? this.#nestable(left - 1, outside, draws) : -1;
      if (operator < 0) {
        this.writeLeaf(draws, room, next);
        continue;
      }
      this.writeOperator(operator, room, next);
      // Each operand has a share of the size.
      const inside = outside | forbidden[operator]!;
      let rest = left - 1;
      for (let operands = this.#symbols.arity[operator]!; operands > 1; operands--) {
        const share = 1 + draws.below(rest - operands + 1);
        banned[waiting] = inside;
        sizes[waiting++] = share;
        rest -= share;
      }
      banned[waiting] = inside;
      sizes[waiting++] = rest;
    }
    const written = end - next;
    if (next > at) room.copyWithin(at, next, end);
    return written / AstWord.perInstruction;
  }
}

/** Each number as often as its weight says, but at least once; a number with weight 0 does not occur. */
function slots(numbers: readonly number[], weights: Float64Array): Uint16Array {
  const total = numbers.reduce((sum, number) => sum + weights[number]!, 0);
  return Uint16Array.from(
    numbers.flatMap((number) => {
      const weight = weights[number]!;
      const count = weight === 0 ? 0 : Math.max(1, Math.round((SLOTS * weight) / total));
      return Array.from({ length: count }, () => number);
    }),
  );
}
