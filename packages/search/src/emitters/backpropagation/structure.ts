// What a target is a product of: powers of some inputs, and a function of the others, which may need only products or differences of them.
import { log2 } from "@mm-ptx/types/internal/floats";
import { Span } from "./span.js";

/** The largest standard error of a power, and how many of these it may be from a multiple of a half. */
const SURE = 0.06;
const NEAR = 4;
/** How many standard errors coefficients that are 0 may be from it. */
const ERRORS = 8;
/** Where a target has both signs, values below this part of the mean size are not used: their logarithms would be all that matters. */
const SMALL = 0.1;
/** The most rows that are used, and how many more there have to be than coefficients. */
const MOST_ROWS = 2000;
const MORE_ROWS = 10;
/** Ratios of powers in a product, and how far from them a ratio may be. */
const RATIOS = [1, -1, 2, -2, 0.5, -0.5, 3, -3, 1 / 3, -1 / 3];
const RATIO_NEAR = 0.12;
/** How much of derivatives may be left without a ratio. */
const LEFT = 0.03;

/** Inputs of which a function needs only one product of powers, or one sum with factors. */
export interface Group {
  readonly kind: "product" | "sum";
  readonly members: readonly { readonly input: number; readonly factor: number }[];
}

/** How a target depends on inputs. */
export interface Structure {
  /** For each input the power that is a factor of the target; 0 for those that are in the rest. */
  readonly powers: readonly number[];
  /** What the rest is a function of. */
  readonly groups: readonly Group[];
}

/**
 * Guesses how a target depends on inputs: none, one or two structures. A quadratic polynomial of the logarithms of the inputs is fitted to
 * that of the target: inputs without mixed terms are factors, and those whose second derivatives are in the same ratio everywhere may be in
 * the rest as a product. Another polynomial, of the inputs, is fitted to the rest: inputs whose derivatives are equal but for the sign are
 * in it as a sum or difference.
 */
export function structuresOf(columns: readonly Float64Array[], target: Float64Array): Structure[] {
  const rows = usedRows(target);
  const inputs = columns.map((column) => Float64Array.from(rows, (row) => column[row]!));
  const values = Float64Array.from(rows, (row) => target[row]!);
  const logarithms = inputs.map(logarithmsOf);
  const wanted = logarithmsOf(values);
  const isPositive = wanted !== undefined && !logarithms.includes(undefined);
  const inLogarithms = isPositive ? quadraticFit(logarithms as Float64Array[], wanted) : undefined;
  const powers = columns.map((_, input) => inLogarithms?.factorOf(input) ?? 0);
  powers.forEach((power, input) => {
    if (power === 0) return;
    for (let row = 0; row < rows.length; row++) values[row]! /= powerOf(inputs[input]![row]!, power);
  });
  const inRest = powers.flatMap((power, input) => (power === 0 ? [input] : []));
  const alone = inRest.map((input) => [{ input, factor: 1 }]);
  const products = inLogarithms?.grouped(inRest, RATIOS, false) ?? alone;
  const structures = [withSums(powers, products, inputs, values)];
  if (products.length < alone.length) structures.push(withSums(powers, alone, inputs, values));
  return structures.filter(({ groups }) => groups.length > 0 && groups.length < columns.length);
}

/** Adds sums of the inputs that are in no product. */
function withSums(
  powers: readonly number[],
  products: readonly Group["members"][],
  inputs: readonly Float64Array[],
  values: Float64Array,
): Structure {
  const single = products.flatMap((members) => (members.length === 1 ? [members[0]!.input] : []));
  const fit = quadraticFit(
    single.map((input) => inputs[input]!),
    values,
  );
  const sums =
    fit?.grouped([...single.keys()], [1, -1], true) ?? single.map((_, input) => [{ input, factor: 1 }]);
  const groups: Group[] = products
    .filter(({ length }) => length > 1)
    .map((members) => ({ kind: "product", members }));
  for (const sum of sums) {
    const members = sum.map(({ input, factor }) => ({ input: single[input]!, factor }));
    groups.push({ kind: "sum", members });
  }
  return { powers, groups };
}

/** The rows that fits use. */
function usedRows(target: Float64Array): Uint32Array {
  const rows = Uint32Array.from({ length: Math.min(MOST_ROWS, target.length) }, (_, row) => row);
  const first = target[0]!;
  if (rows.every((row) => target[row]! > 0 === first > 0)) return rows;
  const size = rows.reduce((sum, row) => sum + Math.abs(target[row]!), 0) / rows.length;
  return rows.filter((row) => Math.abs(target[row]!) > SMALL * size);
}

/** A power that is a multiple of a half. */
export function powerOf(base: number, power: number): number {
  let result = 1;
  for (let left = Math.floor(Math.abs(power)); left > 0; left--) result *= base;
  if (!Number.isInteger(power)) result *= Math.sqrt(base);
  return power < 0 ? 1 / result : result;
}

/** The quadratic polynomial that is nearest to a target; undefined if there are too few rows. */
function quadraticFit(columns: readonly Float64Array[], target: Float64Array): QuadraticFit | undefined {
  const { length: count } = columns;
  const terms = 1 + count + (count * (count + 1)) / 2;
  return count < 1 || target.length < terms + MORE_ROWS ? undefined : new QuadraticFit(columns, target);
}

class QuadraticFit {
  readonly #count: number;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #deviations: readonly number[];
  /** The standard error of coefficients of standardized columns, as if their products were independent. */
  readonly #error: number;

  constructor(columns: readonly Float64Array[], target: Float64Array) {
    const { length: rows } = target;
    const count = columns.length;
    const standard = columns.map(standardized);
    const vectors = [new Float64Array(rows).fill(1), ...standard.map(({ values }) => values)];
    for (let one = 0; one < count; one++) {
      for (let other = one; other < count; other++) {
        const [a, b] = [standard[one]!.values, standard[other]!.values];
        vectors.push(a.map((value, row) => value * b[row]!));
      }
    }
    const span = new Span(vectors);
    const factors = new Float64Array(vectors.length);
    span.coordinates(target, factors);
    const squares = span.remove(target.slice());
    this.#count = count;
    this.#deviations = standard.map(({ deviation }) => deviation);
    this.#error = Math.sqrt(squares / (rows - vectors.length) / rows);
    this.#first = factors.slice(1, 1 + count);
    this.#second = new Float64Array(count * count);
    for (let one = 0, place = 1 + count; one < count; one++) {
      for (let other = one; other < count; other++, place++) {
        const derivative = factors[place]! * (one === other ? 2 : 1);
        this.#second[one * count + other] = this.#second[other * count + one] = derivative;
      }
    }
  }

  /** The factor of a column that is in no mixed term, rounded to halves; undefined if it is in one, or nothing is sure. */
  factorOf(column: number): number | undefined {
    const [count, error] = [this.#count, this.#error];
    for (let other = 0; other < count; other++) {
      if (Math.abs(this.#second[column * count + other]!) > ERRORS * error + 1e-9) return undefined;
    }
    const deviation = this.#deviations[column]!;
    const factor = this.#first[column]! / deviation;
    // 0, not -0.
    const half = Math.round(2 * factor) / 2 + 0;
    const size = error / deviation;
    return size < SURE && Math.abs(factor - half) < NEAR * size + 1e-9 ? half : undefined;
  }

  /**
   * Groups of columns whose derivatives have the same ratio.
   * @param isFirst whether the first derivatives count, or only the second ones
   */
  grouped(
    columns: readonly number[],
    ratios: readonly number[],
    isFirst: boolean,
  ): { input: number; factor: number }[][] {
    const groups: { input: number; factor: number }[][] = [];
    for (const input of columns) {
      let factor: number | undefined;
      const group = groups.find(([first]) => {
        factor = this.#ratioOf(first!.input, input, columns, ratios, isFirst);
        return factor !== undefined;
      });
      if (group === undefined) groups.push([{ input, factor: 1 }]);
      else group.push({ input, factor: factor! });
    }
    return groups;
  }

  /** The ratio that all derivatives of two columns have, if there is one. */
  #ratioOf(
    first: number,
    column: number,
    columns: readonly number[],
    ratios: readonly number[],
    isFirst: boolean,
  ): number | undefined {
    let [products, squares, errors] = [0, 0, 0];
    const add = (one: number, other: number, deviation: number) => {
      const [x, y] = [
        one / this.#deviations[first]! / deviation,
        other / this.#deviations[column]! / deviation,
      ];
      products += x * y;
      squares += x * x;
      errors += y * y;
    };
    for (const other of columns) {
      const [one, two] = [first, column].map((each) => this.#second[each * this.#count + other]!);
      add(one!, two!, this.#deviations[other]!);
    }
    if (isFirst) add(this.#first[first]!, this.#first[column]!, 1);
    const ratio = products / squares;
    const simple = ratios.find((each) => Math.abs(ratio - each) < RATIO_NEAR * Math.abs(each));
    return simple !== undefined && errors - (products * products) / squares < LEFT * errors
      ? simple
      : undefined;
  }
}

/** The logarithms of sizes; undefined for a 0. */
function logarithmsOf(values: Float64Array): Float64Array | undefined {
  const logarithms = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const size = Math.abs(values[row]!);
    if (!(size > 0)) return undefined;
    logarithms[row] = log2(size);
  }
  return logarithms;
}

function standardized(values: Float64Array): { values: Float64Array; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const deviation = Math.sqrt(squares / values.length);
  return { values: values.map((value) => (value - mean) / deviation), deviation };
}
