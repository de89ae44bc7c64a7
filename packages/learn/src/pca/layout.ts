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
  const add = (count: number): number => parts.add(count, 8);
  return {
    stride,
    block: parts.add(BLOCK_ROWS * stride, 4),
    blockSums: parts.add(stride, 4),
    blockProducts: parts.add(columns * stride, 4),
    one: parts.add(1, 4),
    shift: parts.add(stride, 4),
    sums: add(stride),
    products: add(columns * stride),
    means: add(stride),
    covariance: add(columns * stride),
    basis: add(components * stride),
    variances: add(components),
    images: add(components * stride),
    small: add(components * components),
    vectors: add(components * components),
  };
}

/** What computes. Both backends leave the same bits in the memory. */
export interface PcaKernels {
  /** Adds the first `count` rows of the block to the sums. */
  add(count: number): void;
  /** Computes the means and the covariance of `count` rows from the sums. */
  covary(count: number): void;
  /** Multiplies the components by the covariance. */
  multiply(): void;
  /** Makes the components orthogonal to those before them and of length 1. One that depends on those before it becomes 0. */
  orthonormalize(): void;
  /** The products of components and images, as the small matrix. */
  project(): void;
  /** Replaces the small matrix by its eigenvalues, on the diagonal, and the small vectors by its eigenvectors, one in each row. */
  diagonalize(): void;
  /** Writes the sum of the images, times the factors in a row of the small vectors, as a component. */
  combine(row: number, component: number): void;
}
