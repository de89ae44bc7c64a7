// The memory of a linear model: what each part holds, and where it is.
import type { Parts } from "../model/arena.js";

/** The sizes of a model. */
export interface LinearShape {
  readonly columns: number;
  readonly features: number;
}

/** The rows that are predicted at once, and those whose products are summed up before they are added to others. */
export const BLOCK_ROWS = 16;
export const BATCH_ROWS = 64;
/** Values of a vector; lengths are rounded up to these. */
export const LANES = 4;

/** The offsets of all parts, in bytes. All values are f32. */
export interface LinearPlaces {
  /** The number of features and the label, rounded up: the distance of rows and columns of features. */
  readonly height: number;
  /** `height` weights of each column in the random features, and the offset of each feature. */
  readonly projection: number;
  readonly offsets: number;
  /**
   * The Cholesky factor of the features' covariance and ridge, extended by the labels: column by column, `height` values each. The last row
   * has what is solved for the weights, and its last value the root of the squared errors.
   */
  readonly factor: number;
  /** A row, which learning it scales, and its features with its label. */
  readonly input: number;
  readonly vector: number;
  /**
   * Rows to fit to, which are scaled when they are added, and their scaled labels; their features with their labels; sums of products of
   * these, like the factor.
   */
  readonly batch: number;
  readonly labels: number;
  readonly batchFeatures: number;
  readonly products: number;
  readonly weights: number;
  /** Rows to predict, column by column; their features; their means and squared spreads. */
  readonly block: number;
  readonly blockFeatures: number;
  readonly means: number;
  readonly spreads: number;
}

export function placeLinear(parts: Parts, { columns, features }: LinearShape): LinearPlaces {
  const height = Math.ceil((features + 1) / LANES) * LANES;
  const places = parts.place({
    projection: 4 * columns * height,
    offsets: 4 * height,
    factor: 4 * (features + 1) * height,
    input: 4 * columns,
    vector: 4 * height,
    batch: 4 * BATCH_ROWS * columns,
    labels: 4 * BATCH_ROWS,
    batchFeatures: 4 * BATCH_ROWS * height,
    products: 4 * (features + 1) * height,
    weights: 4 * height,
    block: 4 * columns * BLOCK_ROWS,
    blockFeatures: 4 * height * BLOCK_ROWS,
    means: 4 * BLOCK_ROWS,
    spreads: 4 * BLOCK_ROWS,
  });
  return { height, ...places };
}

/** A pivot below this share of its diagonal entry is mostly rounding: 2^-18. */
export const LEAST_PIVOT = 3.814697265625e-6;
/**
 * Limits of a factor: its diagonal is no smaller than the root of the least ridge times the least pivot, and its rows are no longer than
 * 2^53 rows of features can make them.
 */
export const LEAST_DIAGONAL = 2 ** -19;
export const MOST_ENTRY = 2 ** 40;

/** What computes. Both backends leave the same bits in the memory. */
export interface LinearKernels {
  /** Learns the row in `input`, which is not scaled yet, with its label: computes its features and adds them to the factor. */
  update(label: number): void;
  /**
   * Adds the products of the features and labels of the first rows of a batch, which are not scaled yet, to the factor, which is a covariance
   * then.
   */
  add(rows: number): void;
  /** Replaces a covariance by its Cholesky factor; returns the first feature whose pivot is too small, or -1. */
  decompose(): number;
  /** Solves for the weights. */
  solve(): void;
  /** The means of a block, and the squared spreads if they are asked for. */
  predict(withSpreads: boolean): void;
}
