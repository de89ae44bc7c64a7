// The memory of principal components: what each part holds, and where it is.
import type { Parts } from "../model/arena.js";

/** The sizes of a model. */
export interface PcaShape {
  readonly columns: number;
  readonly components: number;
}

/** The rows whose products are summed up as f32 before they are added to others. */
export const BLOCK_ROWS = 64;
/** Values of a vector; lengths are rounded up to these. */
const LANES = 4;

/**
 * The offsets of all parts, in bytes. Values are f64 unless it says f32, and rows have `stride` of them: the columns, rounded up. What is after
 * the columns is 0.
 */
export interface PcaPlaces {
  readonly stride: number;
  /** Rows to add as f32, then relative to the shift and scaled; the sums of their columns and products as f32. */
  readonly block: number;
  readonly blockSums: number;
  readonly blockProducts: number;
  /** The value 1 as f32. */
  readonly one: number;
  /** The mean of the first batch as f32, which all sums are relative to; sums; sums of products, from the diagonal on. */
  readonly shift: number;
  readonly sums: number;
  readonly products: number;
  readonly means: number;
  readonly covariance: number;
  /** The components, one in each row, their variances, and what the covariance makes of them. */
  readonly basis: number;
  readonly variances: number;
  readonly images: number;
  /** The covariance of the components, and its eigenvectors. */
  readonly small: number;
  readonly vectors: number;
}

export function placePca(parts: Parts, { columns, components }: PcaShape): PcaPlaces {
  const stride = Math.ceil(columns / LANES) * LANES;
  const square = 8 * components * components;
  const rows = 8 * components * stride;
  const places = parts.place({
    block: 4 * BLOCK_ROWS * stride,
    blockSums: 4 * stride,
    blockProducts: 4 * columns * stride,
    one: 4,
    shift: 4 * stride,
    sums: 8 * stride,
    products: 8 * columns * stride,
    means: 8 * stride,
    covariance: 8 * columns * stride,
    basis: rows,
    variances: 8 * components,
    images: rows,
    small: square,
    vectors: square,
  });
  return { stride, ...places };
}

/** What computes. Both backends leave the same bits in the memory. */
export interface PcaKernels {
  /** Adds the first `count` rows of the block to the sums. */
  add(count: number): void;
  /** Computes the means and the covariance of `count` rows from the sums; returns the sum of the variances. */
  covary(count: number): number;
  /** Whether a component is not 0. */
  exists(component: number): boolean;
  /** Writes the products of the first image and each component to the small matrix. */
  project(): void;
  /** Multiplies the components by the covariance, and makes them orthogonal and of length 1. One that depends on others becomes 0. */
  iterate(): void;
  /**
   * The last iteration: what the covariance makes of the directions of the largest variances within the span of the components, from the
   * largest on. Components whose variance could be rounding become 0.
   * @param total the sum of the variances of all columns
   */
  align(total: number): void;
}
