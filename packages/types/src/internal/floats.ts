// What PTX defines for floats apart from arithmetic (PTX ISA, Floating Point Instructions): NaNs, minimum and maximum, flushing, and
// the range of approximate division. All arithmetic builds on these values and functions.

/** The bits of the NaN that f32 arithmetic produces. */
export const NAN_32 = 0x7fffffff;

/** The bits of the result of an invalid f64 operation. */
export const INVALID_NAN_64 = 0xfff8000000000000n;

/** The bits of the f64 NaN that results from converting a NaN of a narrower format. */
export const CONVERTED_NAN_64 = 0x7fffffffe0000000n;

/** The bit that makes an f64 NaN quiet. */
export const QUIET_64 = 0x8000000000000n;

/** The smallest normal f32. */
export const LEAST_NORMAL_32 = 1.1754943508222875e-38;

/** min: returns the number if the other operand is a NaN; -0 is less than +0. */
export function lesser(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
}

/** max, with the same rules. */
export function greater(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
}

/** Replaces a number of smaller magnitude than `least` with a zero of the same sign. */
export function flushBelow(x: number, least: number): number {
  return x < least && x > -least ? x * 0 : x;
}

/** `div.approx` is a * (1/b), and for b beyond 2^126 the reciprocal is a zero, with and without `.ftz`. */
export function approximateQuotient(a: number, b: number): number {
  if (b > 2 ** 126) return a * 0;
  return b < -(2 ** 126) ? a * -0 : a / b;
}
