// The result of each f32 instruction, on bits, by rational arithmetic and by series with hundreds of bits: it
// shares no code with the interpreter. Approximate functions are expected to return the nearest f32. See PTX
// ISA 9.0, section 9.7.3.
import {
  CANONICAL_NAN,
  decode,
  flushed,
  INFINITY,
  integerRoot,
  isInfinite,
  isNan,
  isNegative,
  isZero,
  nearest,
  SIGN,
  scaled,
  withSign,
} from "./rational.js";
import { cosine, exp2, log2, sine, tanh } from "./series.js";

type Formula = (a: number, b: number, c: number) => number;

const ONE = 0x3f800000;

/** a * b + c, rounded once. */
function multiplyAdd(a: number, b: number, c: number): number {
  if (isNan(a) || isNan(b) || isNan(c)) return CANONICAL_NAN;
  const negative = isNegative(a) !== isNegative(b);
  if (isInfinite(a) || isInfinite(b)) {
    if (isZero(a) || isZero(b)) return CANONICAL_NAN;
    return isInfinite(c) && isNegative(c) !== negative ? CANONICAL_NAN : withSign(INFINITY, negative);
  }
  if (isInfinite(c)) return c;
  const [x, y, z] = [decode(a), decode(b), decode(c)];
  const exponent = Math.min(x.exponent + y.exponent, z.exponent);
  const product = scaled(x.mantissa * y.mantissa, x.exponent + y.exponent - exponent);
  const addend = scaled(z.mantissa, z.exponent - exponent);
  const sum = (negative ? -product : product) + (z.negative ? -addend : addend);
  if (sum === 0n) return withSign(0, negative && z.negative && product === 0n && addend === 0n);
  const size = sum < 0n ? -sum : sum;
  return withSign(nearestScaled(size, exponent), sum < 0n);
}

const nearestScaled = (x: bigint, exponent: number): number =>
  exponent < 0 ? nearest(x, 1n << BigInt(-exponent)) : nearest(x << BigInt(exponent), 1n);

/** Adds a zero of the product's sign: one of the other sign would change the sign of a zero product. */
function multiply(a: number, b: number): number {
  const negative = isNegative(a) !== isNegative(b);
  return multiplyAdd(a, b, withSign(0, negative));
}

function divide(a: number, b: number): number {
  const negative = isNegative(a) !== isNegative(b);
  if (isNan(a) || isNan(b) || (isInfinite(a) && isInfinite(b)) || (isZero(a) && isZero(b))) {
    return CANONICAL_NAN;
  }
  if (isInfinite(a) || isZero(b)) return withSign(INFINITY, negative);
  if (isZero(a) || isInfinite(b)) return withSign(0, negative);
  const [x, y] = [decode(a), decode(b)];
  const exponent = x.exponent - y.exponent;
  const bits =
    exponent < 0
      ? nearest(x.mantissa, y.mantissa << BigInt(-exponent))
      : nearest(x.mantissa << BigInt(exponent), y.mantissa);
  return withSign(bits, negative);
}

/** For `div.approx` with 2^126 < |b| < 2^128, the result is NaN if a is infinite, and a zero otherwise. */
function divideApprox(a: number, b: number): number {
  const size = b & 0x7fffffff;
  if (size <= 0x7e800000 || size >= INFINITY || isNan(a)) return divide(a, b);
  return isInfinite(a) ? CANONICAL_NAN : withSign(0, isNegative(a) !== isNegative(b));
}

function squareRoot(a: number): number {
  if (isNan(a) || isZero(a)) return isNan(a) ? CANONICAL_NAN : a;
  if (isNegative(a)) return CANONICAL_NAN;
  if (isInfinite(a)) return a;
  const { mantissa, exponent } = decode(a);
  const odd = exponent & 1;
  const square = (mantissa << BigInt(odd)) << 200n;
  const root = integerRoot(square);
  // The last bit says whether anything was cut off.
  const sticky = 2n * root + (root * root === square ? 0n : 1n);
  return nearestScaled(sticky, (exponent - odd) / 2 - 101);
}

function reciprocalRoot(a: number): number {
  if (isNan(a)) return CANONICAL_NAN;
  if (isZero(a)) return withSign(INFINITY, isNegative(a));
  if (isNegative(a)) return CANONICAL_NAN;
  if (isInfinite(a)) return 0;
  const { mantissa, exponent } = decode(a);
  const odd = exponent & 1;
  const shifted = mantissa << BigInt(odd);
  const root = integerRoot((1n << 400n) / shifted);
  // An exact root is a power of two; any other is strictly between two integers.
  const exact = root * root * shifted === 1n << 400n;
  return nearestScaled(2n * root + (exact ? 0n : 1n), -(exponent - odd) / 2 - 201);
}

/** Orders values ascending, with -0 before +0. */
const order = (bits: number): number => (isNegative(bits) ? -1 - (bits & 0x7fffffff) : bits);

function choose(a: number, b: number, smaller: boolean): number {
  if (isNan(a)) return isNan(b) ? CANONICAL_NAN : b;
  if (isNan(b)) return a;
  return order(a) < order(b) === smaller ? a : b;
}

const orNan = (a: number, bits: number): number => (isNan(a) ? CANONICAL_NAN : bits >>> 0);

const FORMULAS: Readonly<Record<string, Formula>> = {
  add: (a, b) => multiplyAdd(a, ONE, b),
  sub: (a, b) => (isNan(b) ? CANONICAL_NAN : multiplyAdd(a, ONE, (b ^ SIGN) >>> 0)),
  mul: multiply,
  fma: multiplyAdd,
  div: divideApprox,
  abs: (a) => orNan(a, a & 0x7fffffff),
  neg: (a) => orNan(a, a ^ SIGN),
  min: (a, b) => choose(a, b, true),
  max: (a, b) => choose(a, b, false),
  copysign: (a, b) => withSign(b, isNegative(a)),
  rcp: (a) => divide(ONE, a),
  sqrt: squareRoot,
  rsqrt: reciprocalRoot,
  sin: sine,
  cos: cosine,
  lg2: log2,
  ex2: exp2,
  tanh,
};

/**
 * The bits that an instruction returns for the bits of its arguments; NaNs that it creates are 0x7fffffff.
 */
export function expectedBits(ptx: string, args: readonly number[]): number {
  const flushes = ptx.includes(".ftz");
  const [a = 0, b = 0, c = 0] = flushes ? args.map(flushed) : args;
  const bits = FORMULAS[ptx.slice(0, ptx.indexOf("."))]!(a, b, c);
  return flushes ? flushed(bits) : bits;
}
