// f64 arithmetic in every rounding mode, and fused multiply-add, on exact integers. It is simple and slow. When
// rounding to nearest, JavaScript computes everything except the fused operation, which has a fast path.
import { bitsOfFloat64, exponentOf, float64OfBits, powerOfTwo, type Rounding } from "./formats.js";

/** An exact value: `units` times 2^exponent; `inexact` means that a nonzero part smaller than one unit is missing. */
interface Exact {
  readonly negative: boolean;
  readonly units: bigint;
  readonly exponent: number;
  readonly inexact: boolean;
}

const FRACTION_BITS = 52;
const LEAST_UNIT = -1074;
const GREATEST_EXPONENT = 1023;
/** Enough bits to round quotients and roots correctly. */
const GUARD_BITS = 120;

/** a + b in any rounding mode */
export function add64(a: number, b: number, rounding: Rounding): number {
  const sum = a + b;
  if (rounding === "rn" || !Number.isFinite(a) || !Number.isFinite(b)) return sum;
  return addExact(exactOf(a), exactOf(b), sum, rounding);
}

/** a * b */
export function multiply64(a: number, b: number, rounding: Rounding): number {
  const product = a * b;
  if (rounding === "rn" || a === 0 || b === 0 || !Number.isFinite(a) || !Number.isFinite(b)) return product;
  return round64(multiplyExact(exactOf(a), exactOf(b)), rounding);
}

/** a * b + c with a single rounding */
export function multiplyAdd64(a: number, b: number, c: number, rounding: Rounding): number {
  const product = a * b;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return product + c;
  // The product may be too large for an f64, but it is finite.
  if (!Number.isFinite(c)) return c;
  if (a === 0 || b === 0) return add64(product, c, rounding);
  if (rounding === "rn" && isModerate(a) && isModerate(b) && isModerate(c) && isModerate(product)) {
    // Boldo and Melquiond, Emulation of FMA and Correctly Rounded Sums (2008): the small terms are added with rounding
    // to odd, so that the last addition rounds correctly.
    const low = productError(a, b, product);
    const tail = c + low;
    const head = product + tail;
    return head + addToOdd(sumError(c, low, tail), sumError(product, tail, head));
  }
  return addExact(multiplyExact(exactOf(a), exactOf(b)), exactOf(c), product + c, rounding);
}

/** a / b */
export function divide64(a: number, b: number, rounding: Rounding): number {
  const quotient = a / b;
  if (rounding === "rn" || a === 0 || b === 0 || !Number.isFinite(a) || !Number.isFinite(b)) return quotient;
  const x = exactOf(a);
  const y = exactOf(b);
  const shifted = x.units << BigInt(GUARD_BITS);
  const units = shifted / y.units;
  return round64(
    {
      negative: x.negative !== y.negative,
      units,
      exponent: x.exponent - y.exponent - GUARD_BITS,
      inexact: units * y.units !== shifted,
    },
    rounding,
  );
}

/** The square root. */
export function root64(a: number, rounding: Rounding): number {
  const root = Math.sqrt(a);
  if (rounding === "rn" || !(a > 0) || a === Infinity) return root;
  const { units, exponent } = exactOf(a);
  const odd = exponent % 2 === 0 ? 0 : 1;
  const shifted = units << BigInt(2 * GUARD_BITS + odd);
  const whole = integerRoot(shifted);
  return round64(
    {
      negative: false,
      units: whole,
      exponent: (exponent - odd) / 2 - GUARD_BITS,
      inexact: whole * whole !== shifted,
    },
    rounding,
  );
}

function exactOf(x: number): Exact {
  const bits = bitsOfFloat64(x);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return {
    negative: bits >> 63n === 1n,
    units: field === 0 ? fraction : fraction | (1n << 52n),
    exponent: LEAST_UNIT + Math.max(field, 1) - 1,
    inexact: false,
  };
}

function multiplyExact(x: Exact, y: Exact): Exact {
  return {
    negative: x.negative !== y.negative,
    units: x.units * y.units,
    exponent: x.exponent + y.exponent,
    inexact: false,
  };
}

/** The sum of two exact values; `zero` is JavaScript's result, used for its sign if the sum is zero. */
function addExact(x: Exact, y: Exact, zero: number, rounding: Rounding): number {
  const exponent = Math.min(x.exponent, y.exponent);
  const units = signed(x, exponent) + signed(y, exponent);
  if (units === 0n) {
    const bothPositiveZeros = x.units === 0n && y.units === 0n && !x.negative && !y.negative;
    return rounding === "rm" && !bothPositiveZeros ? -0 : x.units === 0n ? zero : 0;
  }
  return round64(
    { negative: units < 0n, units: units < 0n ? -units : units, exponent, inexact: false },
    rounding,
  );
}

function signed({ negative, units, exponent }: Exact, unit: number): bigint {
  const aligned = units << BigInt(exponent - unit);
  return negative ? -aligned : aligned;
}

function round64({ negative, units, exponent, inexact }: Exact, rounding: Rounding): number {
  const bits = units.toString(2).length;
  const unit = Math.max(exponent + bits - FRACTION_BITS - 1, LEAST_UNIT);
  const drop = unit - exponent;
  let kept = units;
  let exact = !inexact;
  let middle = -1;
  if (drop > 0) {
    const dropped = BigInt(drop);
    kept = units >> dropped;
    const rest = units - (kept << dropped);
    const half = 1n << (dropped - 1n);
    // Only quotients and roots are inexact, and they are never rounded to nearest here.
    middle = rest > half ? 1 : rest === half ? 0 : -1;
    exact &&= rest === 0n;
  } else {
    kept = units << BigInt(-drop);
  }
  const up =
    rounding === "rn"
      ? middle > 0 || (middle === 0 && kept % 2n === 1n)
      : !exact && rounding === (negative ? "rm" : "rp");
  if (up) kept++;
  return assemble(negative, kept, unit, rounding);
}

function assemble(negative: boolean, units: bigint, unit: number, rounding: Rounding): number {
  const sign = negative ? -1 : 1;
  // At most 2^53 units, so both the number and its scaling are exact.
  const exponent = exponentOf(Number(units) || 1) + unit;
  if (exponent > GREATEST_EXPONENT) {
    const toInfinity = rounding === "rn" || rounding === (negative ? "rm" : "rp");
    return sign * (toInfinity ? Infinity : Number.MAX_VALUE);
  }
  return sign * Number(units) * powerOfTwo(unit);
}

function integerRoot(x: bigint): bigint {
  let guess = 1n << BigInt(Math.ceil(x.toString(2).length / 2));
  for (;;) {
    const next = (guess + x / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Whether sums and products of numbers of this size, and of their low halves, neither overflow nor lose bits. */
function isModerate(x: number): boolean {
  const size = Math.abs(x);
  return size < 2 ** 960 && size > 2 ** -800;
}

/** a + b - sum, exactly (Knuth) */
function sumError(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

/** a * b - product, exactly (Dekker) */
function productError(a: number, b: number, product: number): number {
  const aHigh = upperHalf(a);
  const bHigh = upperHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

function upperHalf(x: number): number {
  const split = x * 134217729;
  return split - (split - x);
}

/** a + b, rounded to the neighbor with an odd last bit if it is inexact */
function addToOdd(a: number, b: number): number {
  const sum = a + b;
  const error = sumError(a, b, sum);
  if (error === 0) return sum;
  const bits = bitsOfFloat64(sum);
  if ((bits & 1n) === 1n) return sum;
  return float64OfBits(error > 0 === sum > 0 ? bits + 1n : bits - 1n);
}
