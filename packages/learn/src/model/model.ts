// What models have in common.

/** A model that scores rows, higher for better ones. */
export interface Predictor {
  /** The number of values in a row. */
  readonly columns: number;
  /** Whether it has learned something and can predict. */
  readonly fitted: boolean;
  /** Writes a score for each of the consecutive rows. */
  predictInto(rows: Float32Array, scores: Float32Array): void;
}

/** A value within -`most` and `most`. */
export const limited = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

/** The largest finite f32. */
const LARGEST = 3.4028234663852886e38;

/**
 * A prediction as f32, which is finite even if labels were at the end of the range.
 * @param otherwise what is predicted if weights are so large that their sum is a NaN
 */
export const finiteScore = (value: number, otherwise = 0): number =>
  Number.isNaN(value) ? otherwise : limited(value, LARGEST);
