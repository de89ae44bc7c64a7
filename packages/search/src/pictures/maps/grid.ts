// What a heat map shows: which elite is in which square. Neighbouring bins share a square where there is no room for all of them.
import type { ArchiveRows } from "../../archives/archive.js";
import { binCount, binOf, binsOfCell, type PictureAxis } from "../axes.js";
import type { Values } from "../shown-value.js";

/** An axis as a heat map shows it. */
export interface ShownAxis {
  readonly axis: PictureAxis;
  /** The number of squares along it, and how many bins each has; the last one may have fewer. */
  readonly count: number;
  readonly bins: number;
}

/** The squares of a heat map. */
export interface HeatGrid {
  readonly axes: readonly ShownAxis[];
  /** The elite of each square, the best one of its bins, or -1; the last axis counts fastest. */
  readonly elites: Int32Array;
  /** The elite with the best value, or -1. */
  readonly best: number;
  /** The number of cells with an elite, and of all cells. */
  readonly filled: number;
  readonly cells: number;
}

/** The axis with the number of bins for each square with which at most `most` squares are needed. */
export function shownAxis(axis: PictureAxis, most: number): ShownAxis {
  const all = binCount(axis);
  const bins = Math.ceil(all / Math.max(1, most));
  return { axis, bins, count: Math.ceil(all / bins) };
}

export function heatGrid(rows: ArchiveRows, shown: readonly ShownAxis[], values: Values): HeatGrid {
  const axes = shown.map(({ axis }) => axis);
  const squares = shown.reduce((product, { count }) => product * count, 1);
  const elites = new Int32Array(squares).fill(-1);
  const bins = new Int32Array(axes.length);
  const { count, cell, measures } = rows;
  let best = -1;
  for (let elite = 0; elite < count; elite++) {
    // Elites of archives without cells are where their measures are.
    if (cell[elite]! >= 0) binsOfCell(cell[elite]!, axes, bins);
    else for (const [i, axis] of axes.entries()) bins[i] = binOf(axis, measures[elite * axes.length + i]!);
    const square = squareOf(bins, shown);
    const value = values.at(elite);
    if (elites[square] === -1 || values.isBetter(value, values.at(elites[square]!))) elites[square] = elite;
    if (best === -1 || values.isBetter(value, values.at(best))) best = elite;
  }
  const cells = axes.reduce((product, axis) => product * binCount(axis), 1);
  return { axes: shown, elites, best, filled: count, cells };
}

/** The square of some bins. */
export function squareOf(bins: ArrayLike<number>, shown: readonly ShownAxis[]): number {
  let square = 0;
  for (let i = 0; i < shown.length; i++) {
    const { count, bins: each } = shown[i]!;
    square = square * count + Math.min(count - 1, Math.floor(bins[i]! / each));
  }
  return square;
}
