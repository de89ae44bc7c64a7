// Estimates of a bias that stop as soon as they say whether a function is better than another.
import { type AvalancheCounter, BIT_PAIRS, BLOCK_PAIRS, squareOf } from "./avalanche.js";
import type { HashFunction } from "./hash-function.js";

/** The square of a bias, as far as it is known. */
export interface Estimate {
  readonly square: number;
  /** The standard deviation of `square`. */
  readonly deviation: number;
  /** The blocks that were counted. */
  readonly blocks: number;
}

/** What determines estimates. */
export const RACE = {
  /** A function loses when its square is this number of standard deviations above the limit. */
  confidence: 1,
  /**
   * As long as the deviation is larger than the limit, it has to be further above, by this times the deviation divided by the limit: otherwise
   * most functions would lose on the first inputs, by chance.
   */
  caution: 0.5,
  /** An estimate whose deviation is at most this part of it is exact enough. */
  precision: 0.06,
  /** After how many times as many blocks it decides again. */
  growth: 1.5,
  /** The most blocks of an estimate: 67 million pairs for each input bit. */
  mostBlocks: 2 ** 14,
} as const;

/**
 * Estimates the square of the bias from more and more inputs. Returns undefined as soon as it seems greater than `limit`.
 *
 * The counts of a perfect function are distributed binomially, so that the mean square of n pairs has the mean 1/n, which is subtracted, and the
 * variance 2 / (1024 n^2); a function with bias b adds 4 b^2 / (1024 n).
 */
export function race(counter: AvalancheCounter, hash: HashFunction, limit: number): Estimate | undefined {
  const { counts } = counter;
  counts.fill(0);
  let done = 0;
  for (let blocks = 1; ; blocks = Math.min(RACE.mostBlocks, Math.ceil(RACE.growth * done))) {
    counter.add(hash, done, blocks);
    done = blocks;
    const pairs = blocks * BLOCK_PAIRS;
    const square = squareOf(counts, pairs) - 1e6 / pairs;
    const variance = (2e12 / pairs + 4e6 * Math.max(0, square)) / pairs / BIT_PAIRS;
    const deviation = Math.sqrt(variance);
    const confidence = Math.max(RACE.confidence, (RACE.caution * deviation) / limit);
    if (square - confidence * deviation > limit) return undefined;
    if (done >= RACE.mostBlocks || deviation <= RACE.precision * square) return { square, deviation, blocks };
  }
}
