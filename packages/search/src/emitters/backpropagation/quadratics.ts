// Quadratic polynomials, alone or with one more term: a small formula, or a product of one with inputs.
import type { Library } from "./library.js";
import { Nearest } from "./nearest.js";
import { dot, Span } from "./span.js";
import { normalize } from "./vectors.js";
import type { Leaf, Writer } from "./writing.js";

/** How many more rows than coefficients there have to be. */
const MORE_ROWS = 6;
/** A polynomial is exact if it leaves less than this part of what is wanted, and coefficients are 0 if their terms are below that. */
const EXACT = 1e-6;
const NOTHING = 1e-5;
const CLOSE = 1e-5;
/** How many formulas are in additional terms, and how many terms are compared. */
const FORMULAS = 2000;
const VISITS = 20;

/** A formula and what it is multiplied by. */
interface Term {
  readonly factor: number;
  /** Undefined if it can't be written. */
  readonly words: Uint32Array | undefined;
}

/** Finds quadratic polynomials in some formulas. */
export class Quadratics {
  readonly #writer: Writer;
  readonly #leaves: readonly Leaf[];
  readonly #library: Library;
  readonly #span: Span | undefined;
  readonly #factors: Float64Array;
  /** The roots of the mean squares of the terms. */
  readonly #sizes: readonly number[];
  readonly #rest: Float64Array;
  readonly #additional: Float64Array;
  /** Additional terms: products of a formula with no, one or two leaves. */
  #terms: Nearest | undefined;
  readonly #multipliers: readonly (readonly Leaf[])[];

  constructor(writer: Writer, leaves: readonly Leaf[], library: Library, rows: number) {
    this.#writer = writer;
    this.#leaves = leaves;
    this.#library = library;
    const pairs = leaves.flatMap((one, index) => leaves.slice(index).map((other) => [one, other]));
    this.#multipliers = [[], ...leaves.map((leaf) => [leaf]), ...pairs];
    const vectors = this.#multipliers.map((factors) => productOf(new Float64Array(rows).fill(1), factors));
    if (rows >= vectors.length + MORE_ROWS) this.#span = new Span(vectors);
    this.#factors = new Float64Array(vectors.length);
    this.#sizes = vectors.map((vector) => Math.sqrt(dot(vector, vector) / rows));
    this.#rest = new Float64Array(rows);
    this.#additional = new Float64Array(rows);
  }

  /** The polynomial, or polynomial and term, with the values that are wanted, if there is one and it can be written. */
  find(wanted: Float64Array): Uint32Array | undefined {
    const span = this.#span;
    if (span === undefined) return undefined;
    const rest = this.#rest;
    rest.set(wanted);
    let mean = 0;
    for (const value of wanted) mean += value / wanted.length;
    let squares = 0;
    for (const value of wanted) squares += (value - mean) * (value - mean);
    const size = Math.sqrt(squares / wanted.length);
    if (span.remove(rest) < EXACT * EXACT * squares) return this.#polynomial(wanted, size);
    this.#terms ??= this.#index(span, wanted.length);
    if (!normalize(span, rest)) return undefined;
    const term = this.#terms.find(rest, CLOSE * CLOSE, VISITS);
    if (term < 0) return undefined;
    const additional = this.#additional;
    this.#termAt(term, additional);
    const { length } = this.#multipliers;
    const values = additional.slice();
    const left = span.remove(additional);
    const factor = dot(additional, wanted) / left;
    for (let row = 0; row < wanted.length; row++) rest[row] = wanted[row]! - factor * values[row]!;
    let words: Uint32Array | undefined = this.#library.words(Math.floor(term / length));
    for (const leaf of this.#multipliers[term % length]!) words = this.#writer.apply("*", words, leaf.words);
    return this.#polynomial(rest, size, { factor, words });
  }

  /** All additional terms modulo the polynomials. */
  #index(span: Span, rows: number): Nearest {
    const count = Math.min(FORMULAS, this.#library.count) * this.#multipliers.length;
    return new Nearest(rows, count, (term, out) => {
      this.#termAt(term, out);
      return normalize(span, out);
    });
  }

  #termAt(term: number, out: Float64Array): void {
    const { length } = this.#multipliers;
    out.set(this.#library.values(Math.floor(term / length)));
    productOf(out, this.#multipliers[term % length]!);
  }

  /** Writes the polynomial that is nearest to values, and a term; undefined if it can't be written. */
  #polynomial(values: Float64Array, size: number, ...terms: readonly Term[]): Uint32Array | undefined {
    this.#span!.coordinates(values, this.#factors);
    const { parts, constant } = this.#parts(
      Array.from(this.#factors, (factor, term) =>
        Math.abs(factor) * this.#sizes[term]! < NOTHING * size ? 0 : factor,
      ),
    );
    const [first, ...others] = [...parts, ...terms];
    if (first === undefined) return undefined;
    let { words } = first;
    for (const { factor, words: added } of others) words = this.#plus(words, factor / first.factor, added);
    words = words && this.#writer.line(words, 1, constant / first.factor, CLOSE);
    return words && this.#writer.line(words, first.factor, 0, CLOSE);
  }

  /** The squares and products of a polynomial. */
  #parts(factors: readonly number[]): { parts: Term[]; constant: number } {
    const count = this.#leaves.length;
    let constant = factors[0]!;
    const linear = factors.slice(1, 1 + count);
    const forms = linear.map(() => new Array<number>(count).fill(0));
    for (let one = 0, term = 1 + count; one < count; one++) {
      for (let other = one; other < count; other++, term++) {
        const factor = factors[term]!;
        if (one === other) forms[one]![one] = factor;
        else forms[one]![other] = forms[other]![one] = factor / 2;
      }
    }
    const clean = (value: number, from: number) => (Math.abs(value) < 1e-4 * Math.abs(from) ? 0 : value);
    const parts: Term[] = [];
    // Completes squares, one input after the other.
    for (let one = 0; one < count; one++) {
      const factor = forms[one]![one]!;
      if (factor === 0) continue;
      const ratios = forms[one]!.map((value) => value / factor);
      const offset = linear[one]! / (2 * factor);
      parts.push({ factor, words: this.#square(ratios, offset, one) });
      constant = clean(constant - factor * offset * offset, constant);
      for (let other = 0; other < count; other++) {
        linear[other] = clean(linear[other]! - 2 * factor * offset * ratios[other]!, linear[other]!);
        for (let another = 0; another < count; another++) {
          const value = forms[other]![another]!;
          forms[other]![another] = clean(value - factor * ratios[other]! * ratios[another]!, value || factor);
        }
      }
    }
    for (let one = 0; one < count; one++) {
      for (let other = one + 1; other < count; other++) {
        const factor = 2 * forms[one]![other]!;
        if (factor !== 0) {
          const words = this.#writer.apply("*", this.#leaves[one]!.words, this.#leaves[other]!.words);
          parts.push({ factor, words });
        }
      }
      if (linear[one] !== 0) parts.push({ factor: linear[one]!, words: this.#leaves[one]!.words });
    }
    return { parts, constant };
  }

  /** The square of a sum of inputs with ratios, of which the one of `first` is 1. */
  #square(ratios: readonly number[], offset: number, first: number): Uint32Array | undefined {
    let words: Uint32Array | undefined = this.#leaves[first]!.words;
    ratios.forEach((ratio, other) => {
      if (ratio !== 0 && other !== first) words = this.#plus(words, ratio, this.#leaves[other]!.words);
    });
    words = words && this.#writer.line(words, 1, offset, CLOSE);
    return this.#writer.apply("square", words) ?? this.#writer.apply("*", words, words);
  }

  #plus(
    words: Uint32Array | undefined,
    factor: number,
    added: Uint32Array | undefined,
  ): Uint32Array | undefined {
    if (Math.abs(factor + 1) < CLOSE) return this.#writer.apply("-", words, added);
    return this.#writer.apply("+", words, added && this.#writer.line(added, factor, 0, CLOSE));
  }
}

/** Multiplies values by leaves. */
function productOf(values: Float64Array, leaves: readonly Leaf[]): Float64Array {
  for (const leaf of leaves) for (let row = 0; row < values.length; row++) values[row]! *= leaf.values[row]!;
  return values;
}
