// The memory of a linear model: what each part holds, and where it is.
import type { Parts } from "../model/arena.js";

/** The sizes of a model. */
export interface LinearShape {
  readonly columns: number;
  readonly features: number;
}

/** The rows that are predicted at once. */
export const BLOCK_ROWS = 16;
/** Values of a vector; lengths are rounded up to these. */
export const LANES = 4;

/** The offsets of all parts, in bytes. All values are f32. */
export interface LinearPlaces {
  /** `stride` weights of each column in the random features, and the offset of each feature. */
  readonly projection: number;
  readonly offsets: number;
  /** The number of features, rounded up. */
  readonly stride: number;
  /**
   * The Cholesky factor of the features' covariance and ridge, extended by the labels: column by column, `height` values each. The last row
   * has what is solved for the weights, and its last value the root of the squared errors.
   */
  readonly factor: number;
  readonly height: number;
  /** A row, and its features with its label. */
  readonly input: number;
  readonly vector: number;
  readonly weights: number;
  /** Rows to predict, column by column; their features; their means and squared spreads. */
  readonly block: number;
  readonly blockFeatures: number;
  readonly means: number;
  readonly spreads: number;
}

const rounded = (count: number): number => Math.ceil(count / LANES) * LANES;

export function placeLinear(parts: Parts, { columns, features }: LinearShape): LinearPlaces {
  const stride = rounded(features);
  const height = rounded(features + 1);
  return {
    stride,
    height,
    projection: parts.add(columns * stride, 4),
    offsets: parts.add(stride, 4),
    factor: parts.add((features + 1) * height, 4),
    input: parts.add(columns, 4),
    vector: parts.add(height, 4),
    weights: parts.add(height, 4),
    block: parts.add(columns * BLOCK_ROWS, 4),
    blockFeatures: parts.add(stride * BLOCK_ROWS, 4),
    means: parts.add(BLOCK_ROWS, 4),
    spreads: parts.add(BLOCK_ROWS, 4),
  };
}

/** What computes. Both backends leave the same bits in the memory. */
export interface LinearKernels {
  /** Learns the row in `input` with its label: computes its features and adds them to the factor. */
  update(label: number): void;
  /** Solves for the weights. */
  solve(): void;
  /** The means of a block, and the squared spreads if they are asked for. */
  predict(withSpreads: boolean): void;
}
