// The options of vector spaces, and numbers for each coordinate.
import {
  type Check,
  isBoolean,
  isList,
  isNumber,
  isPositive,
  isWhole,
  unexpected,
} from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { invalid, readOptions } from "../options.js";

/** What determines a vector space. */
export interface VectorSpaceOptions {
  /** The number of coordinates; needed unless `bounds` has a pair for each. */
  readonly dimensions?: number;
  /**
   * The least and the greatest value of all coordinates, or of each. Without bounds, coordinates may be any finite f32, and random vectors
   * are around `initial`.
   */
  readonly bounds?: readonly [min: number, max: number] | readonly (readonly [min: number, max: number])[];
  /** The vector that emitters begin with; by default the middle of the bounds, and 0 without bounds. */
  readonly initial?: readonly number[];
  /** Which coordinates are integers: all, none (the default), or each by itself. Bounds of integers are integers up to 2^24. */
  readonly integer?: boolean | readonly boolean[];
  /** The standard deviation of the operator `gaussian` in all coordinates, or in each; by default a tenth of the bounds, 1 without bounds. */
  readonly sigma?: number | readonly number[];
}

/** The same for each coordinate. */
export interface VectorSettings {
  readonly dimensions: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly initial: Float64Array;
  readonly sigma: Float64Array;
  readonly isInteger: Uint8Array;
  readonly hasBounds: Uint8Array;
}

const MOST_F32 = 3.4028234663852886e38;
const MOST_DIMENSIONS = 2 ** 20;
/** Up to here, f32 has all integers. */
const MOST_INTEGER = 2 ** 24;
const isFinite32 = isNumber(-MOST_F32, MOST_F32);

const isBounds: Check = (value, name) => {
  const wrong = isList(isFinite32)(value, name);
  if (wrong !== undefined) return wrong;
  const list = value as number[];
  return list.length === 2 && list[1]! > list[0]!
    ? undefined
    : unexpected(name, "two numbers, the second one greater", list.join(", "));
};

/** A check for one value, or for a list with one for each coordinate. */
export const isOneOrList =
  (check: Check): Check =>
  (value, name) =>
    Array.isArray(value) ? isList(check)(value, name) : check(value, name);

/** Checks a vector. */
export const isVector: Check = isList(isFinite32);

const OPTIONS: Readonly<Record<keyof VectorSpaceOptions, Check>> = {
  dimensions: isWhole(1, MOST_DIMENSIONS),
  bounds: (value, name) => (isPairs(value) ? isList(isBounds)(value, name) : isBounds(value, name)),
  initial: isVector,
  integer: isOneOrList(isBoolean),
  sigma: isOneOrList(isPositive),
};

const isPairs = (value: unknown): value is readonly (readonly [number, number])[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => Array.isArray(each));

/** @throws SearchError INVALID_ARGUMENT */
export function readVectorOptions(options: VectorSpaceOptions): VectorSettings {
  const {
    bounds,
    initial,
    integer = false,
    sigma,
    ...rest
  } = readOptions<VectorSpaceOptions>(options, OPTIONS);
  const dimensions = rest.dimensions ?? (isPairs(bounds) ? bounds.length : undefined);
  if (dimensions === undefined) throw invalid("`dimensions`, or `bounds` with a pair for each", undefined);
  const pairs = isPairs(bounds) ? bounds : bounds && Array.from({ length: dimensions }, () => bounds);
  if (pairs !== undefined) checkLength("bounds", pairs, dimensions);
  const min = Float64Array.from({ length: dimensions }, (_, axis) => pairs?.[axis]?.[0] ?? -MOST_F32);
  const max = Float64Array.from({ length: dimensions }, (_, axis) => pairs?.[axis]?.[1] ?? MOST_F32);
  const isInteger = Uint8Array.from(perCoordinate("integer", integer, dimensions), Number);
  for (let axis = 0; axis < dimensions; axis++) {
    if (isInteger[axis] === 1) checkIntegerBounds(min[axis]!, max[axis]!, axis);
  }
  const middle = (axis: number) => {
    const half = pairs === undefined ? 0 : min[axis]! / 2 + max[axis]! / 2;
    return isInteger[axis] === 1 ? Math.floor(half) : half;
  };
  if (initial !== undefined) checkWithin("initial", initial, { dimensions, min, max });
  const first = Float64Array.from(initial ?? Array.from({ length: dimensions }, (_, axis) => middle(axis)));
  const step = (axis: number) => (pairs === undefined ? 1 : max[axis]! / 10 - min[axis]! / 10);
  return {
    dimensions,
    min,
    max,
    initial: first,
    sigma:
      sigma === undefined
        ? Float64Array.from({ length: dimensions }, (_, axis) => step(axis))
        : Float64Array.from(perCoordinate("sigma", sigma, dimensions)),
    isInteger,
    hasBounds: new Uint8Array(dimensions).fill(pairs === undefined ? 0 : 1),
  };
}

/** The values of all coordinates: those of a list, or the same for all. @throws SearchError INVALID_ARGUMENT for a list of another length */
export function perCoordinate<Value extends number | boolean>(
  name: string,
  value: Value | readonly Value[],
  dimensions: number,
): readonly Value[] {
  if (!Array.isArray(value)) return Array.from({ length: dimensions }, () => value as Value);
  checkLength(name, value, dimensions);
  return value;
}

/** @throws SearchError INVALID_ARGUMENT */
export function checkLength(name: string, list: ArrayLike<unknown>, dimensions: number): void {
  if (list.length === dimensions) return;
  throw invalid(`${dimensions} elements in \`${name}\`, one for each coordinate`, list.length);
}

/** Checks that a vector is within bounds. @throws SearchError INVALID_ARGUMENT */
export function checkWithin(
  name: string,
  vector: readonly number[],
  { dimensions, min, max }: Pick<VectorSettings, "dimensions" | "min" | "max">,
): void {
  checkLength(name, vector, dimensions);
  vector.forEach((value, axis) => {
    if (value < min[axis]! || value > max[axis]!) {
      throw invalid(`a number from ${min[axis]} to ${max[axis]} in \`${name}[${axis}]\``, value);
    }
  });
}

function checkIntegerBounds(min: number, max: number, axis: number): void {
  const isFine = (bound: number) => Number.isInteger(bound) && Math.abs(bound) <= MOST_INTEGER;
  if (isFine(min) && isFine(max)) return;
  throw new SearchError(
    "INVALID_ARGUMENT",
    `expected integers up to 2^24 as the bounds of coordinate ${axis}, which is an integer, found ${min} and ${max}`,
  );
}
