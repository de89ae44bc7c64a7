// sin, cos, lg2, ex2 and tanh to hundreds of bits in fixed point. A result is rounded only if its error
// cannot change the f32; otherwise this throws, and more bits are needed.
import {
  CANONICAL_NAN,
  decode,
  INFINITY,
  isInfinite,
  isNan,
  isNegative,
  isZero,
  nearest,
  scaled,
  withSign,
} from "./rational.js";

/** Fixed-point numbers are integers in units of 2^-BITS. */
const BITS = 320;
const ONE = 1n << BigInt(BITS);
const ONE_BITS = 0x3f800000;
/** More than the sum of the errors from truncating a series. */
const ERROR = 1n << 40n;
/** Digits of pi/2 after the point, enough for arguments up to 2^128. */
const PI_BITS = BITS + 160;

const multiply = (a: bigint, b: bigint): bigint => (a * b) >> BigInt(BITS);
const divide = (a: bigint, b: bigint): bigint => (a << BigInt(BITS)) / b;

function round(x: bigint): number {
  const [low, high] = [nearest(x - ERROR, ONE), nearest(x + ERROR, ONE)];
  if (low !== high) throw new Error(`expected more than ${BITS} bits`);
  return low;
}

/** arctan(1/n) in units of 2^-bits. */
function arcCotangent(n: bigint, bits: number): bigint {
  let term = (1n << BigInt(bits)) / n;
  let sum = 0n;
  for (let k = 1n; term !== 0n; k += 2n, term /= -n * n) sum += term / k;
  return sum;
}

// Machin's formula.
const HALF_PI = (8n * arcCotangent(5n, PI_BITS + 8) - 2n * arcCotangent(239n, PI_BITS + 8)) >> 8n;
const LN_2 = logarithm(2n * ONE);

/** ln x, for x from 1 to 2: twice the artanh of (x - 1) / (x + 1). */
function logarithm(x: bigint): bigint {
  const s = divide(x - ONE, x + ONE);
  const square = multiply(s, s);
  let sum = 0n;
  for (let k = 1n, power = s; power !== 0n; k += 2n, power = multiply(power, square)) sum += power / k;
  return 2n * sum;
}

/** e^x - 1, for small x. */
function exponential(x: bigint): bigint {
  let sum = 0n;
  for (let k = 1n, term = x; term !== 0n && term !== -1n; k++, term = multiply(term, x) / k) sum += term;
  return sum;
}

/** The sine of x plus a number of quarter turns, with |x| up to pi/4. */
function turnedSine(x: bigint, quarters: number): bigint {
  const square = multiply(x, x);
  const isCosine = (quarters & 1) === 1;
  let term = isCosine ? ONE : x;
  let sum = 0n;
  for (let k = isCosine ? 1n : 2n; term !== 0n && term !== -1n; k += 2n) {
    sum += term;
    term = -multiply(term, square) / (k * (k + 1n));
  }
  return (quarters & 2) === 0 ? sum : -sum;
}

function sineOf(bits: number, quarters: number): number {
  const { mantissa, exponent, negative } = decode(bits);
  const size = scaled(mantissa, exponent + PI_BITS);
  const turns = (size + HALF_PI / 2n) / HALF_PI;
  const rest = (size - turns * HALF_PI) >> BigInt(PI_BITS - BITS);
  const value = turnedSine(rest, (Number(turns & 3n) + quarters) & 3);
  const flip = negative && quarters === 0;
  return withSign(round(value < 0n ? -value : value), value < 0n !== flip);
}

/** 2^x as a fixed-point number from 1/2 to 2, and a shift. */
function powerOfTwo(x: bigint): [bigint, number] {
  const whole = (x + ONE / 2n) >> BigInt(BITS);
  const fraction = x - (whole << BigInt(BITS));
  return [ONE + exponential(multiply(fraction, LN_2)), Number(whole)];
}

const fixed = (bits: number): bigint => {
  const { mantissa, exponent, negative } = decode(bits);
  const size = scaled(mantissa, exponent + BITS);
  return negative ? -size : size;
};

export function sine(a: number): number {
  if (isNan(a) || isInfinite(a)) return CANONICAL_NAN;
  return isZero(a) ? a : sineOf(a, 0);
}

export function cosine(a: number): number {
  if (isNan(a) || isInfinite(a)) return CANONICAL_NAN;
  return isZero(a) ? ONE_BITS : sineOf(a, 1);
}

export function log2(a: number): number {
  if (isNan(a)) return CANONICAL_NAN;
  if (isZero(a)) return withSign(INFINITY, true);
  if (isNegative(a)) return CANONICAL_NAN;
  if (isInfinite(a)) return a;
  const { mantissa, exponent } = decode(a);
  const length = mantissa.toString(2).length;
  const log = divide(logarithm(scaled(mantissa, BITS - length + 1)), LN_2);
  const value = log + (BigInt(exponent + length - 1) << BigInt(BITS));
  return value === 0n ? 0 : withSign(round(value < 0n ? -value : value), value < 0n);
}

export function exp2(a: number): number {
  if (isNan(a)) return CANONICAL_NAN;
  if (isInfinite(a)) return isNegative(a) ? 0 : a;
  if ((a & 0x7fffffff) >= 0x43800000) return isNegative(a) ? 0 : INFINITY;
  const x = fixed(a);
  const [power, shift] = powerOfTwo(x);
  // Powers of integers are exact, and may be halfway.
  return x % ONE === 0n ? nearest(scaled(power, shift), ONE) : round(scaled(power, shift));
}

export function tanh(a: number): number {
  if (isNan(a)) return CANONICAL_NAN;
  const size = a & 0x7fffffff;
  // x - x^3 / 3 is nearest to x below 2^-20; 1 - 2 / (e^20 + 1) is nearest to 1.
  if (size < 0x35800000) return a;
  if (size >= 0x41200000) return withSign(ONE_BITS, isNegative(a));
  const [power, shift] = powerOfTwo(divide(2n * fixed(size), LN_2));
  const grown = scaled(power, shift);
  return withSign(round(divide(grown - ONE, grown + ONE)), isNegative(a));
}
