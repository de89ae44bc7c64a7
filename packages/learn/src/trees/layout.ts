// The memory of boosted trees: what each part holds, and where it is.
import { Parts } from "../model/arena.js";

/** The sizes of a model. */
export interface TreesShape {
  readonly columns: number;
  /** The most rows that it can learn from. */
  readonly capacity: number;
  readonly trees: number;
  readonly depth: number;
  readonly bins: number;
}

/** The most leaves of a tree; each tree has room for as many. */
export const LEAVES = 16;
/** The most levels of a tree; each has room for as many splits. */
export const LEVELS = 4;
/** The rows that are predicted at once. */
export const BLOCK_ROWS = 256;
/** Sort digits of 11 bits. */
export const DIGITS = 2048;
/** Residuals have 16 bits. Sums of as many as a table can hold, and their counts, fit into one f64 or i64. */
export const MOST_RESIDUAL = 32_767;
export const COUNT_UNIT = 2 ** 33;

/** The offsets of all parts, in bytes. */
export interface TreesPlaces {
  /** Sort keys of a column, the same again, and how often each digit occurs. */
  readonly keys: number;
  readonly otherKeys: number;
  readonly digits: number;
  /** The bin of each value, row by row, as u8. */
  readonly binned: number;
  /** For each column, the largest value of each bin but the last, in `bins` places of f32, and how many there are. */
  readonly edges: number;
  readonly edgeCounts: number;
  /**
   * What is left of each row's label, as i32, and the same limited to 16 bits with a count of one. Before, entries have the room for the
   * values of a column as f32, in the order of the rows.
   */
  readonly residuals: number;
  readonly entries: number;
  /** The rows by leaf, the same again, and where the rows of each leaf begin and end. */
  readonly order: number;
  readonly otherOrder: number;
  readonly segments: number;
  /** For each leaf, column and bin, a sum of entries; where that of each leaf is; and the sum of all entries of a leaf. */
  readonly histograms: number;
  readonly slots: number;
  readonly totals: number;
  readonly gains: number;
  /** 1 / (count + lambda) for each count, as f64. */
  readonly reciprocals: number;
  /** The splits: columns as i32 and thresholds as f32, `LEVELS` of each tree; the leaves as i16, `LEAVES` of each tree. */
  readonly features: number;
  readonly thresholds: number;
  readonly leaves: number;
  /** Rows to predict, column by column, and the sums of their leaves. */
  readonly block: number;
  readonly sums: number;
  readonly bytes: number;
}

export function placeTrees({ columns, capacity, trees, depth, bins }: TreesShape): TreesPlaces {
  const parts = new Parts();
  const mostLeaves = 2 ** (depth - 1);
  return {
    keys: parts.add(capacity, 4),
    otherKeys: parts.add(capacity, 4),
    digits: parts.add(DIGITS, 4),
    binned: parts.add(capacity * columns, 1),
    edges: parts.add(columns * bins, 4),
    edgeCounts: parts.add(columns, 4),
    residuals: parts.add(capacity, 4),
    entries: parts.add(capacity, 8),
    order: parts.add(capacity, 4),
    otherOrder: parts.add(capacity, 4),
    segments: parts.add(2 * LEAVES, 4),
    histograms: parts.add(mostLeaves * columns * bins, 8),
    slots: parts.add(LEAVES, 4),
    totals: parts.add(LEAVES, 8),
    gains: parts.add(bins, 8),
    reciprocals: parts.add(capacity + 1, 8),
    features: parts.add(trees * LEVELS, 4),
    thresholds: parts.add(trees * LEVELS, 4),
    leaves: parts.add(trees * LEAVES, 2),
    block: parts.add(BLOCK_ROWS * columns, 4),
    sums: parts.add(BLOCK_ROWS, 4),
    bytes: parts.bytes,
  };
}

/** What computes. Both backends leave the same bits in the memory. */
export interface TreesKernels {
  /** Sorts the first `count` keys, which are values as f32. */
  sort(count: number): void;
  /** Chooses the edges of a column from the sorted keys. */
  chooseEdges(column: number, count: number): void;
  /** Puts the values in the room for entries into the bins of a column. */
  bin(column: number, count: number): void;
  /** Grows all trees from the residuals. */
  grow(count: number, rate: number): void;
  /** Sums up the leaves of the first rows of a block. */
  predict(rows: number): void;
}
