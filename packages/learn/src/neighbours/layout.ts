// The memory of nearest neighbours: what each part holds, and where it is.
import type { Parts } from "../model/arena.js";

/** The sizes of a model. */
export interface NeighboursShape {
  readonly columns: number;
  readonly capacity: number;
  readonly k: number;
}

/** Rows are compared with a query by 16. */
export const BLOCK_ROWS = 16;
/** Values are limited to this, and squared distances to the largest f32, so that all of them are finite. */
export const MOST = 1e18;
export const MOST_DISTANCE = 3.4028234663852886e38;

/** The offsets of all parts, in bytes. */
export interface NeighboursPlaces {
  /** The scaled rows from the oldest to the youngest, as f32: in blocks of 16 rows, column by column. */
  readonly rows: number;
  readonly query: number;
  /** The squared distance of each row, as f32. */
  readonly distances: number;
  /** The neighbours: their squared distances in ascending order, and their ages as i32. */
  readonly nearest: number;
  readonly ages: number;
}

export function placeNeighbours(parts: Parts, { columns, capacity, k }: NeighboursShape): NeighboursPlaces {
  const rows = Math.ceil(capacity / BLOCK_ROWS) * BLOCK_ROWS;
  return {
    rows: parts.add(rows * columns, 4),
    query: parts.add(columns, 4),
    distances: parts.add(rows, 4),
    nearest: parts.add(k, 4),
    ages: parts.add(k, 4),
  };
}

/** What computes. Both backends leave the same bits in the memory. */
export interface NeighboursKernels {
  /** Finds the neighbours of the query among the first `count` rows; of rows at equal distances, the older ones. Returns their number. */
  find(count: number): number;
}
