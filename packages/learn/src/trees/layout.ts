// The memory of boosted trees: what each part holds, and where it is.
import type { Parts } from "../model/arena.js";

/** What the nodes of a level share: one split in `oblivious` trees, none in `general` ones. */
export type TreeForm = "general" | "oblivious";

export const TREE_FORMS: readonly TreeForm[] = ["oblivious", "general"];

/** The rows that a tree learns its splits from: each tree from a random half, and the next one from the other half, or all trees from all. */
export type TreeSample = "all" | "half";

export const TREE_SAMPLES: readonly TreeSample[] = ["half", "all"];

/** The sizes of a model. */
export interface TreesShape {
  readonly columns: number;
  /** The most rows that it can learn from. */
  readonly capacity: number;
  readonly trees: number;
  readonly depth: number;
  readonly bins: number;
  readonly form: TreeForm;
  readonly sample: TreeSample;
}

/** The most leaves of a tree; each tree has room for as many. */
export const LEAVES = 16;
export const LEVELS = 4;
/** The nodes of each tree that have splits of their own. */
export const nodesOf = ({ form, depth }: Pick<TreesShape, "depth" | "form">): number =>
  form === "oblivious" ? depth : 2 ** depth - 1;
/** The rows that are predicted by one call, and at once. */
export const BLOCK_ROWS = 256;
export const LANES = 16;
/** Sort digits of 11 bits. */
export const DIGITS = 2048;
/** Residuals have 16 bits. Sums of as many as a table can hold, and their counts times 2^33, fit into one f64 or i64. */
export const MOST_RESIDUAL = 32_767;
export const COUNT_UNIT = 8_589_934_592;
/** The words of 32 rows that a model has at most. */
const MOST_WORDS = 2048;

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
  /** The column and the bin of each node of the tree that grows. After it has grown, `otherOrder` has the leaf of each row. */
  readonly divisions: number;
  /** For each leaf, column and bin, a sum of entries; where that of each leaf is; and the sum of all entries of a leaf. */
  readonly histograms: number;
  readonly slots: number;
  readonly totals: number;
  readonly gains: number;
  /** 1 / (count + lambda) for each count, as f64. */
  readonly reciprocals: number;
  /**
   * The split of each node, as i32: the index of a bin while trees grow, and then the index of a split. Node `p` of level `l` is at
   * `2^l - 1 + p` of a general tree, and all nodes of level `l` are at `l` of an oblivious one.
   */
  readonly nodes: number;
  /** The different splits of all nodes by column and threshold, as i32 and f32. Values above the threshold belong to the second half. */
  readonly columns: number;
  readonly thresholds: number;
  /** The leaves, as i16: `LEAVES` of each tree. Bit `l` of a leaf's index is the half that it is in at level `l`. */
  readonly leaves: number;
  /** For each bin of each column, the index of its split, as i32. */
  readonly splitOfBin: number;
  /** Rows to predict; `LANES` of these, column by column, with room for three more columns; for each split, in which half each of them is; and the sums of the leaves as i32, then the scores as f32. */
  readonly block: number;
  readonly turned: number;
  readonly masks: number;
  readonly sums: number;
  /** The lower bytes of the leaves of each tree, then the upper ones; in WebAssembly alone. */
  readonly planes: number;
}

/** The most different splits of a model: one has no rows above it, for nodes that are not split. */
export const mostSplits = (shape: Omit<TreesShape, "capacity" | "sample">): number =>
  Math.min(shape.trees * nodesOf(shape), shape.columns * (shape.bins - 1) + 1);

export function placeTrees(parts: Parts, shape: TreesShape): TreesPlaces {
  const { columns, capacity, trees, depth, bins } = shape;
  const splits = mostSplits(shape);
  const rows = 4 * capacity;
  return parts.place({
    keys: rows,
    otherKeys: rows,
    digits: 4 * DIGITS,
    binned: capacity * columns,
    edges: 4 * columns * bins,
    edgeCounts: 4 * columns,
    residuals: rows,
    entries: 2 * rows,
    order: rows,
    otherOrder: rows,
    segments: 8 * LEAVES,
    divisions: 8 * LEAVES,
    histograms: 8 * 2 ** (depth - 1) * columns * bins,
    slots: 4 * LEAVES,
    totals: 8 * LEAVES,
    gains: 8 * bins,
    reciprocals: 8 * (capacity + 1),
    nodes: 4 * trees * nodesOf(shape),
    columns: 4 * splits,
    thresholds: 4 * splits,
    leaves: 2 * trees * LEAVES,
    splitOfBin: 4 * columns * bins,
    block: 4 * BLOCK_ROWS * columns,
    turned: 4 * LANES * (columns + 3),
    masks: LANES * splits,
    sums: 4 * BLOCK_ROWS,
    planes: 2 * trees * LEAVES,
  });
}

/**
 * A random word for 32 rows and a pair of trees: bit `row & 31` is the tree of the pair that learns its splits from a row. Mixes as
 * Wellons' lowbias32 does.
 */
export function halvesOf(pair: number, row: number): number {
  let word = (pair * MOST_WORDS + (row >>> 5) + 0x9e3779b9) | 0;
  word = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return word ^ (word >>> 16);
}

/** What computes. Both backends leave the same bits in the memory. */
export interface TreesKernels {
  /** Sorts the first `count` keys, which are values as f32. */
  sort(count: number): void;
  /** Chooses the edges of a column from the sorted keys. */
  chooseEdges(column: number, count: number): void;
  /** Puts the values in the room for entries into the bins of a column. */
  bin(column: number, count: number): void;
  /** Grows all trees from the residuals; the split of a node is then a bin, `column * bins + bin`. */
  grow(count: number, rate: number): void;
  /** Has to be called after the leaves have changed, before `predict`. */
  prepare(): void;
  /** Whether all values of the first rows of a block are finite; a `false` may be wrong. */
  areFinite(rows: number): boolean;
  /** Writes scores of the first rows of a block in place of sums, given the number of splits and what a leaf of 0 and one unit are. */
  predict(rows: number, splits: number, mean: number, unit: number): void;
}
