// The distance of an f32 from the value that a reference expects; assembly/exhaustive.ts computes the same.

const LEAST_NORMAL = 2 ** -126;
const GREATEST_POWER = 2 ** 127;
/** From this magnitude on, numbers round to an infinite f32. */
const ROUNDS_TO_INFINITY = 2 ** 128 - 2 ** 103;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The distance between two f32 that are next to each other, where the expected value is; at least 2^-149, at most 2^104. */
function ulpOf(expected: number): number {
  double[0] = Math.min(GREATEST_POWER, Math.max(LEAST_NORMAL, Math.abs(expected)));
  return 2 ** ((words[1]! >>> 20) - 1023 - 23);
}

/** The absolute error: 0 for two NaNs, infinite for a single one. An infinity is right where the expected value rounds to it. */
export function absoluteError(output: number, expected: number): number {
  if (output === expected) return 0;
  if (Number.isNaN(output) || Number.isNaN(expected)) {
    return Number.isNaN(output) && Number.isNaN(expected) ? 0 : Number.POSITIVE_INFINITY;
  }
  const isInfinite = Math.abs(output) === Number.POSITIVE_INFINITY;
  if (isInfinite && Math.abs(expected) >= ROUNDS_TO_INFINITY && output > 0 === expected > 0) return 0;
  return Math.abs(output - expected);
}

/** The error in units in the last place of the expected value, rounded down to f32. */
export function ulpError(output: number, expected: number): number {
  const error = absoluteError(output, expected);
  return error === 0 || error === Number.POSITIVE_INFINITY ? error : error / ulpOf(expected);
}
