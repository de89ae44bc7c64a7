// Small formulas and their values, to find those whose values are wanted.
import { Draws } from "../../draws.js";
import type { AstSpace } from "../../spaces/ast.js";
import { AstWord } from "../../spaces/ast-layout.js";
import { NodeValues } from "./node-values.js";

/** Tries for the formulas of the last size, which is not complete. */
const TRIES = 4;
/** What draws of the library use instead of the number of a batch. */
const LIBRARY = 0xfffffffc;
/** Values are equal if they agree in this many bits. */
const SAME_BITS = 0xfffffe00;
const SAME_HALF = 0x100;
const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/** A formula of a library, and how its values become those that are wanted: `offset + scale * formula`. */
export interface Match {
  readonly words: Uint32Array;
  readonly scale: number;
  readonly offset: number;
}

/**
 * Formulas from small to large, each with values that no smaller one has. Looking up takes a few microseconds, because formulas are
 * ordered by a projection of their values: the distance of two vectors is at least that of their projections.
 */
export class Library {
  readonly #isScaled: boolean;
  readonly #rows: number;
  readonly #words: Uint32Array[] = [];
  /** The values of formulas as the search compares them: as they are, or with mean 0 and length 1. */
  #values: Float64Array;
  #projections: Float64Array;
  #order: Uint32Array;
  readonly #direction: Float64Array;
  readonly #wanted: Float64Array;
  readonly #raw: Float64Array[] = [];

  constructor(
    space: AstSpace,
    columns: readonly Float64Array[],
    rows: number,
    size: number,
    isScaled: boolean,
  ) {
    this.#isScaled = isScaled;
    this.#rows = rows;
    this.#wanted = new Float64Array(rows);
    const draws = new Draws();
    draws.start(0, LIBRARY, 0);
    this.#direction = Float64Array.from({ length: rows }, () => draws.fraction() - 0.5);
    const length = Math.sqrt(this.#direction.reduce((sum, value) => sum + value * value, 0));
    for (let row = 0; row < rows; row++) this.#direction[row]! /= length;
    this.#fill(space, new NodeValues(space.symbols, columns, rows), size, draws);
    const count = this.#words.length;
    this.#values = new Float64Array(count * rows);
    this.#projections = new Float64Array(count);
    for (let entry = 0; entry < count; entry++) {
      const values = this.#raw[entry]!;
      if (isScaled) normalize(values, this.#wanted);
      else this.#wanted.set(values);
      this.#values.set(this.#wanted, entry * rows);
      this.#projections[entry] = this.#project(this.#wanted);
    }
    this.#order = Uint32Array.from(this.#projections.keys());
    this.#order.sort((a, b) => this.#projections[a]! - this.#projections[b]! || a - b);
  }

  get count(): number {
    return this.#words.length;
  }

  words(entry: number): Uint32Array {
    return this.#words[entry]!;
  }

  values(entry: number): Float64Array {
    return this.#raw[entry]!;
  }

  /** The formula whose values are nearest to those wanted, other than `except` if there is another one. */
  find(wanted: Float64Array, visits: number): Match | undefined {
    const target = this.#wanted;
    if (this.#isScaled) {
      if (!normalize(wanted, target)) return undefined;
    } else target.set(wanted);
    const at = this.#project(target);
    const [order, projections, values, rows] = [this.#order, this.#projections, this.#values, this.#rows];
    let above = this.#place(at);
    let below = above - 1;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let visited = 0; visited < visits; visited++) {
      const up = above < order.length ? projections[order[above]!]! - at : Number.POSITIVE_INFINITY;
      const down = below >= 0 ? at - projections[order[below]!]! : Number.POSITIVE_INFINITY;
      const gap = Math.min(up, down);
      if (!(gap * gap < least)) break;
      const entry = up < down ? order[above++]! : order[below--]!;
      let distance = 0;
      for (let row = 0, place = entry * rows; row < rows && distance < least; row++, place++) {
        const difference = values[place]! - target[row]!;
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        best = entry;
      }
    }
    if (best < 0) return undefined;
    const words = this.#words[best]!;
    return this.#isScaled ? { words, ...fitLine(this.#raw[best]!, wanted) } : { words, scale: 1, offset: 0 };
  }

  #project(values: Float64Array): number {
    let sum = 0;
    for (let row = 0; row < this.#rows; row++) sum += values[row]! * this.#direction[row]!;
    return sum;
  }

  /** The first place whose projection is not below a number. */
  #place(projection: number): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#projections[this.#order[middle]!]! < projection) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Makes formulas size by size, until there are as many as wanted or the next size would be too large. */
  #fill(space: AstSpace, nodes: NodeValues, most: number, draws: Draws): void {
    const { symbols } = space;
    const seen = new Set<number>();
    const bySize: number[][] = [[]];
    const leaves = symbols.inputs.map((_, input) => symbols.firstInput + input);
    const operators = symbols.allowed.filter((number) => nodes.knows(number) && symbols.arity[number]! <= 2);
    const add = (words: Uint32Array, size: number): void => {
      if (!space.fits(words, 0, words.length) || !nodes.run(words, 0, words.length)) return;
      const root = nodes.count - 1;
      const values = nodes.values.slice(root * nodes.rows, (root + 1) * nodes.rows);
      const key = this.#key(values);
      if (key === undefined || seen.has(key)) return;
      seen.add(key);
      bySize[size]!.push(this.#words.length);
      this.#words.push(words);
      this.#raw.push(values);
    };
    bySize.push([]);
    for (const leaf of leaves) add(Uint32Array.of(symbols.heads[leaf]!, symbols.payloads[leaf]!), 1);
    for (let size = 2; size <= space.maxLength && this.#words.length < most; size++) {
      bySize.push([]);
      const combinations = this.#combinations(symbols, operators, bySize, size);
      const total = combinations.reduce((sum, { count }) => sum + count, 0);
      if (total === 0) continue;
      const left = TRIES * (most - this.#words.length);
      if (total <= left) {
        for (const each of combinations)
          for (let index = 0; index < each.count; index++) add(each.words(index), size);
        continue;
      }
      // Not all of this size: some at random, and nothing larger.
      for (let attempt = 0; attempt < left && this.#words.length < most; attempt++) {
        let index = draws.below(Math.min(total, 2 ** 32));
        for (const each of combinations) {
          if (index < each.count) {
            add(each.words(index), size);
            break;
          }
          index -= each.count;
        }
      }
      break;
    }
  }

  /** All ways to make formulas of a size from smaller ones, in groups. */
  #combinations(
    symbols: AstSpace["symbols"],
    operators: readonly number[],
    bySize: readonly (readonly number[])[],
    size: number,
  ): { count: number; words(index: number): Uint32Array }[] {
    const join = (operator: number, ...entries: readonly number[]): Uint32Array => {
      const parts = entries.map((entry) => this.#words[entry]!);
      const words = new Uint32Array(parts.reduce((sum, part) => sum + part.length, AstWord.perInstruction));
      let end = 0;
      for (const part of parts) {
        words.set(part, end);
        end += part.length;
      }
      words[end] = symbols.heads[operator]!;
      words[end + 1] = symbols.payloads[operator]!;
      return words;
    };
    return operators.flatMap((operator) => {
      if (symbols.arity[operator] === 1) {
        const below = bySize[size - 1]!;
        return [{ count: below.length, words: (index: number) => join(operator, below[index]!) }];
      }
      const groups = [];
      for (let left = 1; left < size - 1; left++) {
        const [one, other] = [bySize[left]!, bySize[size - 1 - left]!];
        if (symbols.commuting[operator] === 2 && left > size - 1 - left) continue;
        groups.push({
          count: one.length * other.length,
          words: (index: number) =>
            join(operator, one[Math.floor(index / other.length)]!, other[index % other.length]!),
        });
      }
      return groups;
    });
  }

  /** Equal for values that are nearly the same; undefined for values that are not finite, or useless. */
  #key(values: Float64Array): number | undefined {
    const compared = this.#wanted;
    if (this.#isScaled) {
      if (!normalize(values, compared)) return undefined;
    } else {
      compared.set(values);
      if (!values.every((value) => Math.abs(value) < 1e12)) return undefined;
      if (values.every((value) => value === 0)) return undefined;
    }
    let low = 0;
    let high = 0;
    for (const value of compared) {
      FLOAT[0] = value;
      const word = (BITS[0]! + SAME_HALF) & SAME_BITS;
      low = Math.imul(low ^ word, 0x85ebca6b);
      low ^= low >>> 15;
      high = Math.imul(high + word, 0xc2b2ae35);
      high ^= high >>> 13;
    }
    return (high >>> 11) * 2 ** 32 + (low >>> 0);
  }
}

/** Makes values have the mean 0 and the length 1, and the first one that is not near 0 positive. Returns false if they are all the same. */
function normalize(values: Float64Array, out: Float64Array): boolean {
  let mean = 0;
  for (const value of values) mean += value;
  mean /= values.length;
  let squares = 0;
  let largest = 0;
  for (const value of values) {
    squares += (value - mean) * (value - mean);
    largest = Math.max(largest, Math.abs(value));
  }
  const length = Math.sqrt(squares);
  if (!(length > 1e-6 * largest && length < 1e12)) return false;
  let sign = 0;
  for (let row = 0; row < values.length; row++) {
    const part = (values[row]! - mean) / length;
    if (sign === 0 && Math.abs(part) > 1e-3) sign = part < 0 ? -1 : 1;
    out[row] = part;
  }
  if (sign < 0) for (let row = 0; row < out.length; row++) out[row] = -out[row]!;
  return true;
}

/** The best line through points. */
function fitLine(from: Float64Array, to: Float64Array): { scale: number; offset: number } {
  let [x, y] = [0, 0];
  for (let row = 0; row < from.length; row++) {
    x += from[row]! / from.length;
    y += to[row]! / from.length;
  }
  let [products, squares] = [0, 0];
  for (let row = 0; row < from.length; row++) {
    products += (from[row]! - x) * (to[row]! - y);
    squares += (from[row]! - x) * (from[row]! - x);
  }
  const scale = squares > 0 ? products / squares : 0;
  return { scale, offset: y - scale * x };
}
