// The axes of grids: real ones in equal parts, integers, and categories.
import { describeValue, isList, isNumber, isText, isWhole, optionProblem } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import { refuseRepeated } from "./options.js";

/** An axis of real numbers, whose range is divided into equal bins. Measures beyond the range are in the first or last bin. */
export interface RealAxis {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly bins: number;
}

/**
 * An axis of integers from `min` to `max`, both included: one bin for each, or one for `width` of them. Measures are rounded down; those
 * beyond the range are in the first or last bin.
 */
export interface IntegerAxis {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** The default is 1. */
  readonly width?: number;
}

/** An axis of categories: the measure is the index of a value. */
export interface CategoricalAxis {
  readonly name: string;
  readonly values: readonly string[];
}

/** An axis of a grid. */
export type GridAxisOptions = RealAxis | IntegerAxis | CategoricalAxis;

/** An axis as pictures and descriptions have it. */
export type GridAxis =
  | {
      readonly name: string;
      readonly kind: "real";
      readonly from: number;
      readonly to: number;
      readonly cells: number;
    }
  | {
      readonly name: string;
      readonly kind: "integer";
      readonly from: number;
      readonly to: number;
      readonly width: number;
    }
  | { readonly name: string; readonly kind: "categorical"; readonly labels: readonly string[] };

const isBounded = isNumber(-Number.MAX_VALUE, Number.MAX_VALUE);
const MOST_BINS = 2 ** 28;
const isInteger = isWhole(-(2 ** 52), 2 ** 52);

const REAL = { name: isText, min: isBounded, max: isBounded, bins: isWhole(1, MOST_BINS) };
const INTEGER = { name: isText, min: isInteger, max: isInteger, width: isWhole(1, 2 ** 52) };
const CATEGORICAL = { name: isText, values: isList(isText) };

/** @throws SearchError INVALID_ARGUMENT */
export function readAxes(axes: readonly GridAxisOptions[]): GridAxis[] {
  if (axes.length === 0) throw invalid("at least one axis", "none");
  const read = axes.map(readAxis);
  refuseRepeated(
    "axes",
    read.map(({ name }) => name),
  );
  return read;
}

/** The number of bins of an axis. */
export function binsOf(axis: GridAxis): number {
  if (axis.kind === "real") return axis.cells;
  if (axis.kind === "categorical") return axis.labels.length;
  return Math.ceil((axis.to - axis.from + 1) / axis.width);
}

function readAxis(axis: GridAxisOptions, index: number): GridAxis {
  if (typeof axis !== "object" || axis === null)
    throw problem(index, `expected an object, found ${describeValue(axis)}`);
  if ("values" in axis) {
    check(axis, CATEGORICAL, ["name", "values"], index);
    if (axis.values.length === 0) throw problem(index, "expected at least one value, found none");
    refuseRepeated(`axes[${index}].values`, axis.values);
    return { name: axis.name, kind: "categorical", labels: [...axis.values] };
  }
  if ("bins" in axis) {
    check(axis, REAL, ["name", "min", "max", "bins"], index);
    checkRange(axis, index);
    return { name: axis.name, kind: "real", from: axis.min, to: axis.max, cells: axis.bins };
  }
  check(axis, INTEGER, ["name", "min", "max"], index);
  checkRange(axis, index);
  return { name: axis.name, kind: "integer", from: axis.min, to: axis.max, width: axis.width ?? 1 };
}

function check(
  axis: object,
  checks: Parameters<typeof optionProblem>[1],
  required: string[],
  index: number,
): void {
  const wrong = optionProblem(axis, checks, { required, prefix: `axes[${index}].` });
  if (wrong !== undefined) throw new SearchError("INVALID_ARGUMENT", wrong);
}

function checkRange({ name, min, max }: { name: string; min: number; max: number }, index: number): void {
  if (max > min && Number.isFinite(max - min)) return;
  throw problem(index, `expected a \`max\` above \`min\` (${min}) for \`${name}\`, found ${max}`);
}

const problem = (index: number, text: string): SearchError =>
  new SearchError("INVALID_ARGUMENT", `axes[${index}]: ${text}`);
