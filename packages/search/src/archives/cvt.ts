// The CVT archive: cells around points that fill the space of the measures evenly.
import {
  type Check,
  hex128,
  isList,
  isNumber,
  isRecord,
  isText,
  isWhole,
  murmur128Into,
  unexpected,
} from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import type { Plain } from "../plain.js";
import type { Archive } from "./archive.js";
import { CellArchive, type Cells } from "./cell-archive.js";
import { haltonPoints, moveToMeans, randomPoints } from "./centroids.js";
import { NearestPoint } from "./nearest.js";
import {
  CELL_ARCHIVE_CHECKS,
  type CellArchiveOptions,
  cellArchiveSettings,
  describeSettings,
  refuseRepeated,
} from "./options.js";

/** The name of a measure and the range that centroids fill. */
export interface MeasureRange {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** Options of `cvtArchive`. */
export interface CvtArchiveOptions extends CellArchiveOptions {
  /** One for each measure, in order. Measures beyond a range are in the cell of the nearest centroid. */
  readonly ranges: readonly MeasureRange[];
  /** The number of cells; needed unless `centroids` is a list. */
  readonly cells?: number;
  /**
   * Where centroids are: at the points of a Halton sequence whose digits are permuted (`halton`, the default, which takes no time), at the
   * means of random points around those (`k-means`), or at these points.
   */
  readonly centroids?: "halton" | "k-means" | readonly (readonly number[])[];
  /** For `halton` and `k-means`: determines the centroids; the default is 0. */
  readonly seed?: number;
  /** For `k-means`: the number of random points, by default 100,000, and of rounds, by default 20. */
  readonly samples?: number;
  readonly rounds?: number;
}

/** An archive whose cells are the regions nearest to each of some centroids. */
export interface CvtArchive extends Archive {
  readonly kind: "cvt";
  readonly cells: number;
  readonly ranges: readonly MeasureRange[];
  /** The coordinates of all centroids, in units of the measures: `centroids[cell * dimensions + axis]`. */
  readonly centroids: Float64Array;
}

const MOST_CELLS = 2 ** 20;
const MOST_DIMENSIONS = 64;
/** Squares of distances beyond this might be infinite. */
const FARTHEST = 1e100;
const isBounded = isNumber(-Number.MAX_VALUE, Number.MAX_VALUE);

const CHECKS: Readonly<Record<keyof CvtArchiveOptions, Check>> = {
  ...CELL_ARCHIVE_CHECKS,
  ranges: isList(isRecord({ name: isText, min: isBounded, max: isBounded })),
  cells: isWhole(1, MOST_CELLS),
  centroids: (value, name) => {
    if (Array.isArray(value)) return isList(isList(isBounded))(value, name);
    return value === "halton" || value === "k-means"
      ? undefined
      : unexpected(name, "`halton`, `k-means` or a list of points", value);
  },
  seed: isWhole(0, 2 ** 32 - 1),
  samples: isWhole(1, 2 ** 24),
  rounds: isWhole(1, 10_000),
};

/**
 * Makes a CVT archive (Vassiliades, Chatzilygeroudis and Mouret, "Using centroidal Voronoi tessellations to scale up the multidimensional
 * archive of phenotypic elites algorithm", 2018). Distances are measured in parts of the ranges, so that each measure counts the same. Of
 * centroids at the same distance, the first one gets the candidate. Candidates are added as by `gridArchive`.
 * @throws SearchError INVALID_ARGUMENT, for example if a range is empty
 */
export function cvtArchive(options: CvtArchiveOptions): CvtArchive {
  const taken = readOptions<CvtArchiveOptions>(options, CHECKS, { required: ["ranges"] });
  const { ranges } = taken;
  if (ranges.length === 0 || ranges.length > MOST_DIMENSIONS) {
    throw invalid(`from 1 to ${MOST_DIMENSIONS} ranges`, ranges.length);
  }
  refuseRepeated(
    "ranges",
    ranges.map(({ name }) => name),
  );
  for (const { name, min, max } of ranges) {
    if (!(max > min && Number.isFinite(max - min))) {
      throw invalid(`a \`max\` above \`min\` (${min}) in the range of \`${name}\``, max);
    }
  }
  return new Cvt(taken);
}

class Cvt extends CellArchive implements CvtArchive {
  declare readonly kind: "cvt";
  readonly ranges: readonly MeasureRange[];
  readonly centroids: Float64Array;

  constructor(options: CvtArchiveOptions) {
    const settings = cellArchiveSettings(options);
    const ranges = options.ranges.map(({ name, min, max }) => ({ name, min, max }));
    const { units, description } = unitCentroids(options, ranges);
    const cells = new CvtCells(units, ranges);
    super(
      "cvt",
      { kind: "cvt", ranges, cells: cells.count, centroids: description, ...describeSettings(settings) },
      cells,
      settings,
    );
    this.ranges = ranges;
    this.centroids = units.map((unit, at) => {
      const { min, max } = ranges[at % ranges.length]!;
      return min + unit * (max - min);
    });
  }
}

/** The centroids in parts of the ranges, and what determines them. */
function unitCentroids(options: CvtArchiveOptions, ranges: readonly MeasureRange[]) {
  const { cells, centroids = "halton", seed = 0, samples = 100_000, rounds = 20 } = options;
  const dimensions = ranges.length;
  if (typeof centroids !== "string") {
    if (centroids.length === 0) throw invalid("at least one centroid", 0);
    if (cells !== undefined && cells !== centroids.length)
      throw invalid(`${cells} centroids`, centroids.length);
    const wrong = centroids.findIndex(({ length }) => length !== dimensions);
    if (wrong >= 0) {
      throw invalid(`${dimensions} coordinates in \`centroids[${wrong}]\``, centroids[wrong]!.length);
    }
    const units = Float64Array.from(
      centroids.flatMap((point) =>
        point.map((value, axis) => (value - ranges[axis]!.min) / (ranges[axis]!.max - ranges[axis]!.min)),
      ),
    );
    return { units, description: { given: hashOf(units) } satisfies Plain };
  }
  if (cells === undefined) throw invalid("the number of `cells`, or centroids", undefined);
  const first = haltonPoints(cells, dimensions, seed);
  if (centroids === "halton") return { units: first, description: { kind: centroids, seed } };
  const units = moveToMeans(first, randomPoints(samples, dimensions, seed), dimensions, rounds);
  return { units, description: { kind: centroids, seed, samples, rounds } };
}

function hashOf(numbers: Float64Array): string {
  const hash = new Uint32Array(4);
  murmur128Into(new Uint32Array(numbers.buffer), 2 * numbers.length, hash);
  return hex128(hash);
}

/** Measures to cells. */
class CvtCells implements Cells {
  readonly count: number;
  readonly names: readonly string[];
  readonly extents: Float64Array;
  readonly #min: Float64Array;
  readonly #tree: NearestPoint;
  readonly #unit: Float64Array;

  constructor(units: Float64Array, ranges: readonly MeasureRange[]) {
    this.count = units.length / ranges.length;
    this.names = ranges.map(({ name }) => name);
    this.extents = Float64Array.from(ranges, ({ min, max }) => max - min);
    this.#min = Float64Array.from(ranges, ({ min }) => min);
    this.#tree = new NearestPoint(units, ranges.length);
    this.#unit = new Float64Array(ranges.length);
  }

  cellOf(measures: Float64Array, start: number): number {
    const unit = this.#unit;
    for (let axis = 0; axis < unit.length; axis++) {
      const part = (measures[start + axis]! - this.#min[axis]!) / this.extents[axis]!;
      unit[axis] = Math.max(-FARTHEST, Math.min(FARTHEST, part));
    }
    return this.#tree.nearest(unit, 0);
  }

  cellsOf(status: Uint8Array, measures: Float64Array, count: number, out: Int32Array): void {
    const dimensions = this.#unit.length;
    for (let index = 0; index < count; index++) {
      out[index] = status[index] === 0 ? this.cellOf(measures, index * dimensions) : -1;
    }
  }
}
