// The grid archive: MAP-Elites (Mouret and Clune, "Illuminating search spaces by mapping elites", 2015).
import { isAnything, isList } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import type { Archive } from "./archive.js";
import { CellArchive, type Cells } from "./cell-archive.js";
import { binsOf, type GridAxis, type GridAxisOptions, readAxes } from "./grid-axes.js";
import {
  CELL_ARCHIVE_CHECKS,
  type CellArchiveOptions,
  cellArchiveSettings,
  describeSettings,
} from "./options.js";

/** Options of `gridArchive`. */
export interface GridArchiveOptions extends CellArchiveOptions {
  /** One axis for each measure, in the order of the measures. */
  readonly axes: readonly GridAxisOptions[];
}

/** An archive whose cells are the bins of some axes. Cells are numbered with the last axis fastest. */
export interface GridArchive extends Archive {
  readonly kind: "grid";
  readonly cells: number;
  readonly axes: readonly GridAxis[];
  /** The number of bins of each axis. */
  readonly bins: readonly number[];
}

const MOST_CELLS = 2 ** 26;

/**
 * Makes an archive with a grid of cells, each of which keeps its best candidate; of equal ones, the first. Candidates are added one after
 * the other, so of two candidates of one batch in the same cell, the second is compared with the first (pyribs compares both with the
 * archive before the batch).
 * @throws SearchError INVALID_ARGUMENT, for example if the range of an axis is empty
 */
export function gridArchive(options: GridArchiveOptions): GridArchive {
  const taken = readOptions<GridArchiveOptions>(
    options,
    { axes: isList(isAnything), ...CELL_ARCHIVE_CHECKS },
    { required: ["axes"] },
  );
  const axes = readAxes(taken.axes);
  const bins = axes.map(binsOf);
  const cells = bins.reduce((product, count) => product * count, 1);
  if (cells > MOST_CELLS) throw invalid(`a grid of up to ${MOST_CELLS} cells`, cells);
  return new Grid(axes, bins, cells, taken);
}

class Grid extends CellArchive implements GridArchive {
  declare readonly kind: "grid";
  readonly axes: readonly GridAxis[];
  readonly bins: readonly number[];

  constructor(
    axes: readonly GridAxis[],
    bins: readonly number[],
    cells: number,
    options: GridArchiveOptions,
  ) {
    const settings = cellArchiveSettings(options);
    super(
      "grid",
      { kind: "grid", axes: axes.map((axis) => ({ ...axis })), ...describeSettings(settings) },
      new GridCells(axes, bins, cells),
      settings,
    );
    this.axes = axes;
    this.bins = bins;
  }
}

/** Measures to cells. */
class GridCells implements Cells {
  readonly count: number;
  readonly names: readonly string[];
  readonly #axes: readonly GridAxis[];
  readonly #bins: Float64Array;
  readonly #from: Float64Array;
  /** How much of each axis the bins cover. */
  readonly extents: Float64Array;
  readonly #hasCategories: boolean;

  constructor(axes: readonly GridAxis[], bins: readonly number[], cells: number) {
    this.count = cells;
    this.names = axes.map(({ name }) => name);
    this.#axes = axes;
    this.#bins = Float64Array.from(bins);
    this.#from = Float64Array.from(axes, (axis) => (axis.kind === "categorical" ? 0 : axis.from));
    this.extents = Float64Array.from(axes, (axis, index) => {
      if (axis.kind === "real") return axis.to - axis.from;
      return bins[index]! * (axis.kind === "integer" ? axis.width : 1);
    });
    this.#hasCategories = axes.some(({ kind }) => kind === "categorical");
  }

  cellOf(measures: Float64Array, start: number): number {
    if (this.#hasCategories) this.#checkCategories(measures, start);
    return this.#locate(measures, start);
  }

  cellsOf(status: Uint8Array, measures: Float64Array, count: number, out: Int32Array): void {
    const dimensions = this.#bins.length;
    if (this.#hasCategories) {
      for (let index = 0; index < count; index++) {
        if (status[index] === 0) this.#checkCategories(measures, index * dimensions);
      }
    }
    for (let index = 0; index < count; index++) {
      out[index] = status[index] === 0 ? this.#locate(measures, index * dimensions) : -1;
    }
  }

  #locate(measures: Float64Array, start: number): number {
    const bins = this.#bins;
    let cell = 0;
    for (let axis = 0; axis < bins.length; axis++) {
      const count = bins[axis]!;
      // The division comes last and is exact to half a unit, so that integers never fall into the bin below.
      const part = ((measures[start + axis]! - this.#from[axis]!) * count) / this.extents[axis]!;
      const bin = part >= count ? count - 1 : part > 0 ? Math.floor(part) : 0;
      cell = cell * count + bin;
    }
    return cell;
  }

  #checkCategories(measures: Float64Array, start: number): void {
    for (const [index, axis] of this.#axes.entries()) {
      const measure = measures[start + index]!;
      if (axis.kind !== "categorical" || axis.labels[measure] !== undefined) continue;
      throw invalid(
        `the index of a value (0 to ${axis.labels.length - 1}) as measure \`${axis.name}\``,
        measure,
      );
    }
  }
}
