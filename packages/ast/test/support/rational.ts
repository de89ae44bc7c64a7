// f32 by exact arithmetic on big integers: an independent reference for correct rounding.

/** A finite f32: `mantissa * 2^exponent`, and its sign, which zeros have too. */
export interface Finite {
  readonly negative: boolean;
  readonly mantissa: bigint;
  readonly exponent: number;
}

export const SIGN = 0x80000000;
export const INFINITY = 0x7f800000;
export const CANONICAL_NAN = 0x7fffffff;

export const isNan = (bits: number): boolean => (bits & 0x7fffffff) > INFINITY;
export const isInfinite = (bits: number): boolean => (bits & 0x7fffffff) === INFINITY;
export const isZero = (bits: number): boolean => (bits & 0x7fffffff) === 0;
export const isNegative = (bits: number): boolean => bits >>> 31 === 1;
export const withSign = (bits: number, negative: boolean): number =>
  ((bits & 0x7fffffff) | (negative ? SIGN : 0)) >>> 0;

/** A subnormal becomes a zero of its sign. */
export const flushed = (bits: number): number => ((bits & INFINITY) === 0 ? (bits & SIGN) >>> 0 : bits);

export function decode(bits: number): Finite {
  const field = (bits >>> 23) & 0xff;
  const fraction = BigInt(bits & 0x7fffff);
  return {
    negative: isNegative(bits),
    mantissa: field === 0 ? fraction : fraction | 0x800000n,
    exponent: (field === 0 ? 1 : field) - 150,
  };
}

/** x * 2^shift, for shifts that lose no bits. */
export const scaled = (x: bigint, shift: number): bigint =>
  shift >= 0 ? x << BigInt(shift) : x >> BigInt(-shift);

const bitLength = (x: bigint): number => (x === 0n ? 0 : x.toString(16).length * 4 - leadingZeros(x));
const leadingZeros = (x: bigint): number => Math.clz32(Number.parseInt(x.toString(16)[0]!, 16)) - 28;

/** The f32 nearest to a positive fraction, ties to even, subnormals included, as bits. */
export function nearest(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  let exponent = Math.max(-149, bitLength(numerator) - bitLength(denominator) - 24);
  const quotientAt = (at: number): [bigint, bigint, bigint] => {
    const n = at < 0 ? numerator << BigInt(-at) : numerator;
    const d = at > 0 ? denominator << BigInt(at) : denominator;
    return [n / d, n % d, d];
  };
  let [quotient, rest, divisor] = quotientAt(exponent);
  if (quotient >= 0x1000000n) [quotient, rest, divisor] = quotientAt(++exponent);
  if (2n * rest > divisor || (2n * rest === divisor && (quotient & 1n) === 1n)) quotient++;
  if (quotient === 0x1000000n) {
    quotient = 0x800000n;
    exponent++;
  }
  if (exponent > 104) return INFINITY;
  if (quotient < 0x800000n) return Number(quotient);
  return ((exponent + 150) << 23) | Number(quotient - 0x800000n);
}

/** The largest integer whose square is at most x. */
export function integerRoot(x: bigint): bigint {
  if (x < 2n) return x;
  let guess = 1n << BigInt((bitLength(x) + 1) >> 1);
  for (;;) {
    const next = (guess + x / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
