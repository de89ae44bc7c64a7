// Estimates of a bias that stop as soon as they say whether a function is better than another.
import { type AvalancheCounter, BIT_PAIRS, BLOCK_PAIRS, BLOCKS, squareOf } from "./avalanche.js";
import type { HashFunction } from "./hash-function.js";

/** The square of a bias, as far as it is known. */
export interface Estimate {
  readonly square: number;
  /** The standard deviation of `square`. */
  readonly deviation: number;
  /** The blocks that were counted. */
  readonly blocks: number;
}

/** How much of the inputs an estimate uses. */
interface Sample {
  /** The first block. */
  readonly from: number;
  /** After how many blocks it decides for the first time, and at the latest. */
  readonly least: number;
  readonly most: number;
  /** It ends when the deviation is at most this part of the square, if it may be that of the best function. */
  readonly precision: number;
}

/** What a function has to be better than, as squares of biases. */
export interface Rivals {
  /** The elite that it would replace. */
  readonly limit: number;
  /** The best of all. */
  readonly best: number;
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
  /** After how many times as many blocks it decides again. */
  growth: 1.5,
  /** The precision that is enough for functions that are not the best of all. */
  rough: 0.12,
  /** Which functions are worth more inputs, and what their bias is on others. */
  screening: { from: 0, least: 1, most: 2 ** 13, precision: 0.12 },
  judging: { from: BLOCKS / 2, least: 2 ** 6, most: 2 ** 16, precision: 0.03 },
} as const;

/**
 * Estimates the square of the bias from more and more inputs. Returns undefined as soon as it seems greater than the limit. What passes on the
 * first inputs is judged by others alone: of many functions, those that pass are also those with luck.
 */
export function race(counter: AvalancheCounter, hash: HashFunction, rivals: Rivals): Estimate | undefined {
  if (estimate(counter, hash, rivals, RACE.screening) === undefined) return undefined;
  return estimate(counter, hash, rivals, RACE.judging);
}

/**
 * The counts of a perfect function are distributed binomially, so that the mean square of n pairs has the mean 1/n, which is subtracted, and the
 * variance 2 / (1024 n^2); a function with bias b adds 4 b^2 / (1024 n).
 */
function estimate(
  counter: AvalancheCounter,
  hash: HashFunction,
  { limit, best }: Rivals,
  { from, least, most, precision }: Sample,
): Estimate | undefined {
  const { counts } = counter;
  counts.fill(0);
  let done = 0;
  for (let blocks: number = least; ; blocks = Math.min(most, Math.ceil(RACE.growth * done))) {
    counter.add(hash, from + done, from + blocks);
    done = blocks;
    const pairs = blocks * BLOCK_PAIRS;
    const square = squareOf(counts, pairs) - 1e6 / pairs;
    const variance = (2e12 / pairs + 4e6 * Math.max(0, square)) / pairs / BIT_PAIRS;
    const deviation = Math.sqrt(variance);
    const confidence = Math.max(RACE.confidence, (RACE.caution * deviation) / limit);
    if (square - confidence * deviation > limit) return undefined;
    const wanted = square - RACE.confidence * deviation > best ? RACE.rough : precision;
    if (done >= most || deviation <= wanted * square) return { square, deviation, blocks };
  }
}
