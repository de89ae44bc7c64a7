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
/** The most queries for which rows are compared at once. */
export const QUERIES = 2;
/** Values are limited to this, and squared distances to the largest f32, so that all of them are finite. */
export const MOST = 1e18;
export const MOST_DISTANCE = 3.4028234663852886e38;

/** The offsets of all parts, in bytes. */
export interface NeighboursPlaces {
  /** The scaled rows from the oldest to the youngest, as f32: in blocks of 16 rows, column by column. */
  readonly rows: number;
  /** The scaled values of each query. */
  readonly query: number;
  /** The squared distances of a block of rows, as f32. */
  readonly distances: number;
  /** The neighbours of each query, `strideOf` apart: their squared distances in ascending order, and their ages as i32. */
  readonly nearest: number;
  readonly ages: number;
}

/** The places from the neighbours of a query to those of the next one: whole vectors of 4, and one before them that stays zero. */
export const strideOf = (k: number): number => (k + 7) & ~3;

export function placeNeighbours(parts: Parts, { columns, capacity, k }: NeighboursShape): NeighboursPlaces {
  const list = 4 * QUERIES * strideOf(k);
  const places = parts.place({
    rows: 4 * Math.ceil(capacity / BLOCK_ROWS) * BLOCK_ROWS * columns,
    query: 4 * QUERIES * columns,
    distances: 4 * BLOCK_ROWS,
    nearest: list,
    ages: list,
  });
  places.nearest += 16;
  places.ages += 16;
  return places;
}

/** What computes. Both backends find the same bits. */
export interface NeighboursKernels {
  /** Finds the neighbours of each query among the first `count` rows; of rows at equal distances, the older ones. */
  find(count: number, queries: number): void;
}
