// Picks from a list by weight, using one random word and a binary search over the running sums.
import type { RandomSource } from "./generator.js";

export class Weighted {
  readonly #sums: Float64Array;

  /** @param weights numbers of at least 0, not all of them 0 */
  constructor(weights: readonly number[]) {
    let sum = 0;
    this.#sums = Float64Array.from(weights, (weight) => {
      sum += weight;
      return sum;
    });
  }

  /** Draws an index with a probability proportional to its weight; never one of weight 0. */
  pick(random: RandomSource): number {
    const sums = this.#sums;
    const point = random.fraction() * sums[sums.length - 1]!;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > point) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
