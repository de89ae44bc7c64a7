// The nearest of many vectors.
import { Draws } from "../../draws.js";
import { SameValues } from "./same-values.js";

/** What draws of the direction use instead of the number of a batch. */
const DIRECTION = 0xfffffffc;
/** How many vectors are compared with one that may be far from all of them. */
const MOST_ALIKE = 8000;

/**
 * Vectors ordered by a projection: the distance of two vectors is at least that of their projections, so that looking up takes a few
 * microseconds. Of equal vectors, only the first is known.
 */
export class Nearest {
  /** The squared distance of what `find` has returned. */
  distance = 0;
  readonly #rows: number;
  readonly #numbers: number[] = [];
  readonly #values: Float32Array;
  readonly #projections: Float64Array;
  readonly #direction: Float64Array;
  /** The first vectors in their order. */
  readonly #first: Float32Array;
  readonly #firstNumbers: readonly number[];

  /**
   * @param count how many vectors there are
   * @param read writes one of them; returns false after the last one
   */
  constructor(rows: number, count: number, read: (number: number, out: Float64Array) => boolean) {
    this.#rows = rows;
    const draws = new Draws();
    draws.start(0, DIRECTION, 0);
    this.#direction = Float64Array.from({ length: rows }, () => draws.fraction() - 0.5);
    const length = Math.sqrt(this.#direction.reduce((sum, value) => sum + value * value, 0));
    for (let row = 0; row < rows; row++) this.#direction[row]! /= length;
    const all = new Float32Array(count * rows);
    const projections = new Float64Array(count);
    const numbers: number[] = [];
    const seen = new SameValues();
    const vector = new Float64Array(rows);
    for (let number = 0; number < count; number++) {
      if (!read(number, vector) || !seen.add(vector)) continue;
      all.set(vector, numbers.length * rows);
      projections[numbers.length] = this.#project(vector);
      numbers.push(number);
    }
    this.#first = all.slice(0, MOST_ALIKE * rows);
    this.#firstNumbers = numbers.slice(0, MOST_ALIKE);
    const order = Uint32Array.from(numbers.keys());
    order.sort((a, b) => projections[a]! - projections[b]! || a - b);
    this.#values = new Float32Array(order.length * rows);
    this.#projections = Float64Array.from(order, (place) => projections[place]!);
    order.forEach((from, place) => {
      this.#values.set(all.subarray(from * rows, (from + 1) * rows), place * rows);
      this.#numbers.push(numbers[from]!);
    });
  }

  /**
   * The number of the vector that is nearest, or -1.
   * @param within the square of the distance that it has to be below
   * @param visits how many vectors are compared at most
   */
  find(target: Float64Array, within: number, visits: number): number {
    const [projections, values, rows] = [this.#projections, this.#values, this.#rows];
    const at = this.#project(target);
    let above = this.#place(at);
    let below = above - 1;
    let best = -1;
    let least = within;
    for (let visited = 0; visited < visits; visited++) {
      const up = above < projections.length ? projections[above]! - at : Number.POSITIVE_INFINITY;
      const down = below >= 0 ? at - projections[below]! : Number.POSITIVE_INFINITY;
      const gap = Math.min(up, down);
      if (!(gap * gap < least)) break;
      const visitedPlace = up < down ? above++ : below--;
      let distance = 0;
      for (let row = 0, place = visitedPlace * rows; row < rows && distance < least; row++, place++) {
        const difference = values[place]! - target[row]!;
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        best = visitedPlace;
      }
    }
    this.distance = least;
    return best < 0 ? -1 : this.#numbers[best]!;
  }

  /**
   * Of the first vectors, the number of the one that leaves least of a target, or -1.
   * @param target is orthogonal to the basis
   * @param basis what the target may be made of besides
   */
  best(target: Float64Array, basis: readonly Float64Array[]): number {
    const [values, numbers, rows] = [this.#first, this.#firstNumbers, this.#rows];
    let best = -1;
    let largest = 0;
    for (let place = 0; place < numbers.length; place++) {
      const from = place * rows;
      const product = productAt(values, from, target);
      // The part of the vector that is orthogonal to the basis has at most the length 1.
      if (product * product <= 1e-6 * largest) continue;
      let left = 1;
      for (const unit of basis) {
        const part = productAt(values, from, unit);
        left -= part * part;
      }
      const score = left > 1e-6 ? (product * product) / left : 0;
      if (score > largest) {
        largest = score;
        best = place;
      }
    }
    return best < 0 ? -1 : numbers[best]!;
  }

  #project(values: Float64Array): number {
    let sum = 0;
    for (let row = 0; row < this.#rows; row++) sum += values[row]! * this.#direction[row]!;
    return sum;
  }

  /** The first place whose projection is not below a number. */
  #place(projection: number): number {
    let low = 0;
    let high = this.#projections.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#projections[middle]! < projection) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function productAt(values: Float32Array, from: number, other: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < other.length; row++) sum += values[from + row]! * other[row]!;
  return sum;
}
