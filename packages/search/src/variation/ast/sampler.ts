// Draws operators, leaves and whole trees.
import type { Draws } from "../../draws.js";
import type { AstConstants } from "../../spaces/ast-constants.js";
import { AstWord } from "../../spaces/ast-layout.js";
import type { AstSymbols } from "../../spaces/ast-symbols.js";

/** The length of the tables that operators are drawn from. */
const SLOTS = 1024;

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
  /** The sizes of the trees that are still to be drawn. */
  readonly #sizes: Int32Array;

  /** @param weights how often each symbol is drawn, relative to others */
  constructor(
    symbols: AstSymbols,
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
    this.#sizes = new Int32Array(maxLength + this.mostOperands + 1);
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
   * @returns the number of nodes
   */
  writeTree(size: number, draws: Draws, room: Uint32Array, at: number): number {
    const sizes = this.#sizes;
    let waiting = 1;
    sizes[0] = size;
    // Backwards, from the root: the next tree to write is the last operand of what was written before.
    let next = at + AstWord.perInstruction * size;
    const end = next;
    while (waiting > 0) {
      const left = sizes[--waiting]!;
      next -= AstWord.perInstruction;
      const operator = left > 1 ? this.operatorUpTo(left - 1, draws) : -1;
      if (operator < 0) {
        this.writeLeaf(draws, room, next);
        continue;
      }
      this.writeOperator(operator, room, next);
      // Each operand has a share of the size.
      let rest = left - 1;
      for (let operands = this.#symbols.arity[operator]!; operands > 1; operands--) {
        const share = 1 + draws.below(rest - operands + 1);
        sizes[waiting++] = share;
        rest -= share;
      }
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
