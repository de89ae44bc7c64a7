// The memory of principal components: what each part holds, and where it is.
import type { Parts } from "../model/arena.js";

/** The sizes of a model. */
export interface PcaShape {
  readonly columns: number;
  readonly components: number;
}

/** The rows that are added at once. */
export const BLOCK_ROWS = 16;

/** The offsets of all parts, in bytes. All values are f64, and rows have `stride` of them: the columns, rounded up to an even number. */
export interface PcaPlaces {
  readonly stride: number;
  /** Rows to add, relative to the shift. */
  readonly block: number;
  /** The mean of the first batch, which all sums are relative to; sums; sums of products, from the diagonal on. */
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
  const stride = columns + (columns % 2);
  const add = (count: number): number => parts.add(count, 8);
  return {
    stride,
    block: add(BLOCK_ROWS * stride),
    shift: add(columns),
    sums: add(stride),
    products: add(columns * stride),
    means: add(columns),
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
  /** Multiplies the components by the covariance. */
  multiply(): void;
}
