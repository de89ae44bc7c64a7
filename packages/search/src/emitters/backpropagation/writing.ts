// Writes parts of formulas as words.
import type { AstSpace } from "../../spaces/ast.js";
import { AstWord } from "../../spaces/ast-layout.js";
import type { AstSymbols } from "../../spaces/ast-symbols.js";

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

export function constantWords(value: number): Uint32Array {
  floats[0] = value;
  return Uint32Array.of(AstWord.constant, bits[0]!);
}

/** Parts one after the other. */
export function joined(parts: readonly Uint32Array[]): Uint32Array {
  const words = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    words.set(part, end);
    end += part.length;
  }
  return words;
}

/** A formula and its values. */
export interface Leaf {
  readonly words: Uint32Array;
  readonly values: Float64Array;
}

/** A base and its power, which is a multiple of a half. */
export interface Power {
  readonly words: Uint32Array;
  readonly power: number;
}

/** Writes formulas of what a space allows. */
export class Writer {
  readonly hasConstants: boolean;
  readonly #symbols: AstSymbols;

  constructor({ symbols }: AstSpace) {
    this.#symbols = symbols;
    this.hasConstants = symbols.isAllowed[symbols.constant] === 1;
  }

  /** An operator on operands; undefined if it is not allowed, or an operand is undefined. */
  apply(name: string, ...operands: readonly (Uint32Array | undefined)[]): Uint32Array | undefined {
    const number = this.#symbols.byName.get(name);
    if (number === undefined || operands.includes(undefined)) return undefined;
    const root = Uint32Array.of(this.#symbols.heads[number]!, this.#symbols.payloads[number]!);
    return joined([...(operands as Uint32Array[]), root]);
  }

  /** `scale * words + offset`, without what changes nothing; undefined if it can't be written. */
  line(words: Uint32Array, scale: number, offset: number, close: number): Uint32Array | undefined {
    let written: Uint32Array | undefined = words;
    if (Math.abs(scale - 1) > close) written = this.#withConstant("*", written, scale);
    if (Math.abs(offset) > close) written = this.#withConstant("+", written, offset);
    return written;
  }

  /** A formula without constants that are added to the whole or multiply it. */
  unscaled(words: Uint32Array): Uint32Array {
    let { length } = words;
    const roots = ["+", "-", "*", "/"].map((name) => this.#symbols.byName.get(name));
    const numberAt = (at: number) => this.#symbols.numberOf(words[at]!, words[at + 1]!);
    while (length >= 3 * AstWord.perInstruction) {
      const root = numberAt(length - AstWord.perInstruction);
      const last = numberAt(length - 2 * AstWord.perInstruction);
      if (!roots.includes(root) || last !== this.#symbols.constant) break;
      length -= 2 * AstWord.perInstruction;
    }
    return words.subarray(0, length);
  }

  /** A product of powers; undefined if it can't be written, or is empty. */
  product(factors: readonly Power[]): Uint32Array | undefined {
    const left = factors.filter(({ power }) => power !== 0);
    if (left.length === 0) return undefined;
    if (left.some(({ power }) => !Number.isInteger(power))) {
      const whole = left.map(({ words, power }) => ({ words, power: Math.trunc(power) }));
      const halves = left.map(({ words, power }) => ({ words, power: 2 * (power - Math.trunc(power)) }));
      // The root of a square would lose the sign, so that whole powers stay outside.
      const sign = halves.every(({ power }) => power <= 0) ? -1 : 1;
      const root = this.apply(
        "sqrt",
        this.product(halves.map(({ words, power }) => ({ words, power: sign * power }))),
      );
      return root && this.product([...whole, { words: root, power: sign }]);
    }
    const [above, below] = [1, -1].map((sign) =>
      this.#powers(left.map(({ words, power }) => ({ words, power: Math.max(0, sign * power) }))),
    );
    const odd = left.map(({ words, power }) => ({ words, power: power % 2 }));
    const even = left.map(({ words, power }) => ({ words, power: (power - (power % 2)) / 2 }));
    const hasSquares = even.some(({ power }) => power !== 0);
    const square = hasSquares ? this.apply("square", this.product(even)) : undefined;
    const isSquare = odd.every(({ power }) => power === 0);
    return shortest(
      below === undefined ? above : this.#quotient(above, below),
      isSquare || square === undefined ? square : this.apply("*", this.product(odd), square),
    );
  }

  #quotient(above: Uint32Array | undefined, below: Uint32Array): Uint32Array | undefined {
    if (above !== undefined) return this.apply("/", above, below);
    return (
      this.apply("inverse", below) ??
      (this.hasConstants ? this.apply("/", constantWords(1), below) : undefined)
    );
  }

  /** A product of powers that are whole and not negative; undefined if it is empty. */
  #powers(factors: readonly Power[]): Uint32Array | undefined {
    let product: Uint32Array | undefined;
    const times = (words: Uint32Array | undefined) => {
      if (words !== undefined) product = product === undefined ? words : this.apply("*", product, words);
    };
    const hasSquare = this.#symbols.byName.has("square");
    for (const { words, power } of factors) {
      if (hasSquare && power % 2 === 1) times(words);
      else if (!hasSquare) for (let time = 0; time < power; time++) times(words);
    }
    const halves = factors.map(({ words, power }) => ({ words, power: Math.floor(power / 2) }));
    if (hasSquare && halves.some(({ power }) => power > 0)) times(this.apply("square", this.#powers(halves)));
    return product;
  }

  #withConstant(operator: string, words: Uint32Array | undefined, constant: number): Uint32Array | undefined {
    return this.hasConstants ? this.apply(operator, words, constantWords(constant)) : undefined;
  }
}

function shortest(one: Uint32Array | undefined, other: Uint32Array | undefined): Uint32Array | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.length < one.length ? other : one;
}
