// Finds a formula whose values are wanted: a scaled formula of the library, or a product of one with powers of the inputs.
import type { Draws } from "../../draws.js";
import type { AstSpace } from "../../spaces/ast.js";
import type { Library } from "./library.js";
import { Nearest } from "./nearest.js";
import { NodeValues } from "./node-values.js";
import { dot, Span } from "./span.js";
import { fitLine, logarithmsOf, normalize } from "./vectors.js";
import { type Power, Writer } from "./writing.js";

/** The most formulas that a lookup compares: of the nearest, and of what is exact. */
const VISITS = 1000;
const EXACT_VISITS = 20;
/** Values are those wanted if they differ by less than this part, and powers are whole if they differ by less than that. */
const EXACT = 1e-5;
const EXACT_POWER = 1e-3;
const MOST_POWER = 8;
/** How often each formula of a sum is chosen again. */
const EXCHANGES = 2;
/** Of pairs, the powers of the first formula, and among how many formulas it is. */
const PAIR_POWERS = [0.5, -0.5, 1, -1, 2, -2];
const FIRST = 8000;

/** A formula, and how far its values are from those wanted: the mean of the squares, relative to the variance of what is wanted. */
export interface Part {
  readonly words: Uint32Array;
  readonly error: number;
}

/** Formulas of a library by their values. */
export class Lookup {
  readonly library: Library;
  readonly rows: number;
  readonly writer: Writer;
  /** Whether formulas are scaled by constants, and sums can be written. */
  readonly isScaled: boolean;
  /** Lines through values, and their logarithms modulo those of powers of inputs. */
  readonly #lines: Nearest;
  readonly #products: Nearest;
  readonly #constant: Span;
  readonly #powers: Span;
  readonly #inputs: readonly Uint32Array[];
  readonly #nodes: NodeValues;
  readonly #target: Float64Array;
  readonly #logarithms: Float64Array;
  readonly #other: Float64Array;
  readonly #factors: Float64Array;

  /** @param isScaled whether formulas may be scaled by constants */
  constructor(
    space: AstSpace,
    library: Library,
    columns: readonly Float64Array[],
    rows: number,
    isScaled: boolean,
  ) {
    this.library = library;
    this.rows = rows;
    this.isScaled = isScaled;
    this.writer = new Writer(space);
    const { symbols } = space;
    this.#nodes = new NodeValues(symbols, columns, rows);
    [this.#target, this.#logarithms, this.#other] = [0, 1, 2].map(() => new Float64Array(rows)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const ones = new Float64Array(rows).fill(1);
    this.#constant = new Span(isScaled ? [ones] : []);
    const inputs = columns.flatMap((column, input) => {
      const logarithms = new Float64Array(rows);
      return logarithmsOf(column, logarithms) ? [{ input, logarithms }] : [];
    });
    this.#inputs = inputs.map(({ input }) =>
      Uint32Array.of(
        symbols.heads[symbols.firstInput + input]!,
        symbols.payloads[symbols.firstInput + input]!,
      ),
    );
    this.#powers = new Span([...inputs.map(({ logarithms }) => logarithms), ...(isScaled ? [ones] : [])]);
    this.#factors = new Float64Array(this.#powers.count);
    const { count } = library;
    this.#lines = new Nearest(rows, count, (entry, out) => {
      out.set(library.values(entry));
      return !this.isScaled || normalize(this.#constant, out);
    });
    this.#products = new Nearest(
      rows,
      count,
      // What is negative everywhere is there with the other sign as well, and has roots then.
      (entry, out) =>
        library.values(entry).some((value) => value > 0) &&
        logarithmsOf(library.values(entry), out) &&
        normalize(this.#powers, out),
    );
  }

  /** A formula that is what is wanted, if there is one. */
  exact(wanted: Float64Array): Part | undefined {
    return this.#line(wanted, true) ?? this.#product(wanted, true);
  }

  /** The formula that is nearest to what is wanted. */
  nearest(wanted: Float64Array): Part | undefined {
    const [line, product] = [this.#line(wanted, false), this.#product(wanted, false)];
    if (line === undefined || product === undefined) return line ?? product;
    return product.error < line.error ? product : line;
  }

  /** The nearest sum of a few scaled formulas. */
  sum(wanted: Float64Array, terms: number): Part | undefined {
    const chosen = this.#pursue(this.#lines, this.#constant, wanted, terms, (entry) =>
      this.library.values(entry),
    );
    if (chosen === undefined) return undefined;
    const { entries, factors } = chosen;
    let words: Uint32Array | undefined;
    entries.forEach((entry, index) => {
      const scale = factors[index]!;
      const term = this.writer.line(this.library.words(entry), scale, 0, EXACT);
      words = words === undefined ? term : this.writer.apply("+", words, term);
    });
    const offset = factors[entries.length]!;
    return this.#checked(
      words && this.writer.line(words, 1, offset, EXACT),
      wanted,
      Number.POSITIVE_INFINITY,
    );
  }

  /** The nearest product of powers of a few formulas, if the powers are whole or halves. */
  productOf(wanted: Float64Array, terms: number): Part | undefined {
    const logarithms = this.#logarithms;
    if (!logarithmsOf(wanted, logarithms)) return undefined;
    const chosen = this.#pursue(this.#products, this.#powers, logarithms, terms, (entry) => {
      const vector = new Float64Array(this.rows);
      return logarithmsOf(this.library.values(entry), vector) ? vector : undefined;
    });
    if (chosen === undefined) return undefined;
    const { entries, factors } = chosen;
    const bases = [...entries.map((entry) => this.library.words(entry)), ...this.#inputs];
    return this.#power(bases, factors, wanted, false);
  }

  /**
   * A product of powers of two formulas that is what is wanted, if there is one and the first of them is drawn.
   * @param count how many formulas are drawn
   */
  pair(wanted: Float64Array, draws: Draws, count: number): Part | undefined {
    const logarithms = this.#logarithms;
    const { library } = this;
    if (!logarithmsOf(wanted, logarithms)) return undefined;
    const all = logarithms.slice();
    for (let left = count; left > 0; left--) {
      const entry = draws.below(Math.min(library.count, FIRST));
      if (!logarithmsOf(library.values(entry), this.#other)) continue;
      for (const power of PAIR_POWERS) {
        const target = this.#target;
        for (let row = 0; row < target.length; row++) target[row] = all[row]! - power * this.#other[row]!;
        if (!normalize(this.#powers, target)) continue;
        const second = this.#products.find(target, EXACT * EXACT, EXACT_VISITS);
        if (second < 0) continue;
        logarithmsOf(library.values(second), target);
        const factors = new Span([this.#other, target, ...this.#powers.vectors]);
        const found = new Float64Array(factors.count);
        factors.coordinates(all, found);
        const bases = [library.words(entry), library.words(second), ...this.#inputs];
        const part = this.#power(bases, [...found], wanted, true);
        if (part !== undefined) return part;
        logarithmsOf(library.values(entry), this.#other);
      }
    }
    return undefined;
  }

  /** A formula of the library, with its scale and offset. */
  #line(wanted: Float64Array, isExact: boolean): Part | undefined {
    const target = this.#target;
    target.set(wanted);
    const size = this.isScaled ? 1 : dot(wanted, wanted);
    if (this.isScaled && !normalize(this.#constant, target)) return undefined;
    const entry = this.#lines.find(
      target,
      isExact ? EXACT * EXACT * size : Number.POSITIVE_INFINITY,
      isExact ? EXACT_VISITS : VISITS,
    );
    if (entry < 0) return undefined;
    // Of a line, the part of the variance that it leaves.
    const distance = this.#lines.distance / size;
    const error = this.isScaled ? distance * (1 - distance / 4) : distance;
    const words = this.library.words(entry);
    if (!this.isScaled || !this.writer.hasConstants) return { words, error };
    const { scale, offset } = fitLine(this.library.values(entry), wanted);
    const written = this.writer.line(words, scale, offset, EXACT);
    return written && { words: written, error };
  }

  /** A formula of the library to some power, times powers of inputs. */
  #product(wanted: Float64Array, isExact: boolean): Part | undefined {
    const [logarithms, target] = [this.#logarithms, this.#target];
    if (!logarithmsOf(wanted, logarithms)) return undefined;
    target.set(logarithms);
    let bases = this.#inputs;
    const factors: number[] = [];
    if (normalize(this.#powers, target)) {
      const entry = this.#products.find(
        target,
        isExact ? EXACT * EXACT : Number.POSITIVE_INFINITY,
        isExact ? EXACT_VISITS : VISITS,
      );
      if (entry < 0) return undefined;
      bases = [this.library.words(entry), ...bases];
      const other = this.#other;
      logarithmsOf(this.library.values(entry), other);
      target.set(other);
      const size = this.#powers.remove(target);
      const power = dot(target, logarithms) / size;
      if (!(Math.abs(power) <= MOST_POWER)) return undefined;
      factors.push(power);
      const rounded = halfOf(power);
      for (let row = 0; row < other.length; row++) logarithms[row]! -= rounded * other[row]!;
    }
    this.#powers.coordinates(logarithms, this.#factors);
    return this.#power(bases, [...factors, ...this.#factors], wanted, isExact);
  }

  /** A product of powers, rounded to halves. */
  #power(
    bases: readonly Uint32Array[],
    factors: readonly number[],
    wanted: Float64Array,
    isExact: boolean,
  ): Part | undefined {
    const powers: Power[] = [];
    for (const [index, words] of bases.entries()) {
      const power = halfOf(factors[index]!);
      if (!(Math.abs(power) <= MOST_POWER)) return undefined;
      if (isExact && Math.abs(power - factors[index]!) > EXACT_POWER) return undefined;
      powers.push({ words, power });
    }
    const words = this.writer.product(powers);
    if (words === undefined || !this.#nodes.run(words, 0, words.length)) return undefined;
    const { count, rows, values } = this.#nodes;
    const outputs = values.subarray((count - 1) * rows, count * rows);
    const scale = this.isScaled ? dot(outputs, wanted) / dot(outputs, outputs) : 1;
    return this.#checked(
      this.writer.line(words, scale, 0, EXACT),
      wanted,
      isExact ? EXACT * EXACT : Number.POSITIVE_INFINITY,
    );
  }

  /** A formula, if its values are near enough to those wanted. */
  #checked(words: Uint32Array | undefined, wanted: Float64Array, within: number): Part | undefined {
    if (words === undefined || !this.#nodes.run(words, 0, words.length)) return undefined;
    const { count, rows, values } = this.#nodes;
    const first = (count - 1) * rows;
    let mean = 0;
    for (const value of wanted) mean += value / rows;
    let errors = 0;
    let squares = 0;
    for (let row = 0; row < rows; row++) {
      const difference = values[first + row]! - wanted[row]!;
      errors += difference * difference;
      squares += this.isScaled ? (wanted[row]! - mean) * (wanted[row]! - mean) : wanted[row]! * wanted[row]!;
    }
    const error = errors / squares;
    return error <= within ? { words, error } : undefined;
  }

  /**
   * Chooses formulas one after the other, each the one that leaves least, then each again with the others as they are, and fits all of
   * them.
   */
  #pursue(
    index: Nearest,
    span: Span,
    wanted: Float64Array,
    terms: number,
    read: (entry: number) => Float64Array | undefined,
  ): { entries: number[]; factors: number[] } | undefined {
    const start = wanted.slice();
    if (!normalize(span, start)) return undefined;
    const chosen: { entry: number; vector: Float64Array }[] = [];
    const rest = new Float64Array(this.rows);
    const fit = () => {
      const fitted = new Span([...span.vectors, ...chosen.map(({ vector }) => vector)]);
      rest.set(start);
      return { fitted, left: fitted.remove(rest) };
    };
    const choose = () => {
      const { fitted, left } = fit();
      const entry = left > EXACT * EXACT ? index.best(rest, fitted.basis.slice(span.basis.length)) : -1;
      const vector = entry < 0 ? undefined : read(entry);
      if (vector !== undefined) chosen.push({ entry, vector });
    };
    for (let term = 0; term < terms; term++) choose();
    for (let again = 0; again < EXCHANGES * terms; again++) {
      const first = chosen.shift();
      choose();
      if (first !== undefined && chosen.length === 0) chosen.push(first);
      if (fit().left < EXACT * EXACT) break;
    }
    const { fitted } = fit();
    const factors = new Float64Array(fitted.count);
    fitted.coordinates(wanted, factors);
    const { count } = span;
    return {
      entries: chosen.map(({ entry }) => entry),
      factors: [...factors.subarray(count), ...factors.subarray(0, count)],
    };
  }
}

const halfOf = (power: number): number => Math.round(2 * power) / 2;
