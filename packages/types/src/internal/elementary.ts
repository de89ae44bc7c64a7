// Elementary functions of f32 arguments in f64 arithmetic, far more precise than f32. The file is both TypeScript and
// AssemblyScript, so that JavaScript and WebAssembly agree bit for bit: it uses only additions, multiplications,
// divisions and comparisons, which are the same on every machine, and the functions of ./powers.js, of which each
// language has its own version. The polynomials are Chebyshev interpolations of the functions named, with relative
// errors below 2^-54.
import { exponentOf, powerOfTwo } from "./powers.js";

/** pi/2 to 33 bits, whose products with integers below 2^20 are exact, and the rest. */
export const HALF_PI_HIGH: number = 1.5707963267341256;
export const HALF_PI_LOW: number = 6.077100506506192e-11;
const HALF_PI: number = 1.5707963267948966;
export const TWO_OVER_PI: number = 0.6366197723675814;
/** Arguments of smaller magnitude use the short reduction. */
export const SHORT_REDUCTION: number = 1048576;
/** Coefficients of (sin r - r) / r^3 in r^2, from the highest power on, and of (cos r - 1 + r^2/2) / r^4. */
export const SIN_12: number = -7.58669109419786e-13;
export const SIN_10: number = 1.6058531516797758e-10;
export const SIN_8: number = -2.5052106231802837e-8;
export const SIN_6: number = 2.7557319219337312e-6;
export const SIN_4: number = -0.00019841269841265063;
export const SIN_2: number = 0.008333333333333331;
export const SIN_0: number = -0.16666666666666666;
export const COS_10: number = -1.1382623647474462e-11;
export const COS_8: number = 2.087614614655861e-9;
export const COS_6: number = -2.7557317271145144e-7;
export const COS_4: number = 2.480158729876456e-5;
export const COS_2: number = -0.0013888888888887398;
export const COS_0: number = 0.041666666666666664;
/** 2/pi in digits to the base 2^24, after two zeros. */
const TWO_OVER_PI_DIGITS: number[] = [
  0, 0, 10680707, 7228996, 1387004, 2578385, 16069853, 12639074, 9804092, 4427841, 16666979,
];
const DIGIT: number = 16777216;
/** 2/ln 2 */
export const TWO_OVER_LN_2: number = 2.8853900817779268;
/** Coefficients of (log2 m - s 2/ln 2) / s^3 in s^2, where s is (m - 1) / (m + 1), from the highest power on. */
export const LOG_14: number = 0.18880890759931487;
export const LOG_12: number = 0.19142709029883112;
export const LOG_10: number = 0.22197654860991214;
export const LOG_8: number = 0.2623078634666447;
export const LOG_6: number = 0.3205989004259849;
export const LOG_4: number = 0.4121985831020923;
export const LOG_2: number = 0.5770780163555981;
export const LOG_0: number = 0.9617966939259756;
/** Coefficients of (2^x - 1) / x, from the highest power down to x; the constant term is ln 2. */
export const EXP_11: number = 2.5729344553786755e-11;
export const EXP_10: number = 4.455822025014915e-10;
export const EXP_9: number = 7.054897292691627e-9;
export const EXP_8: number = 1.0178057064573359e-7;
export const EXP_7: number = 1.3215486808727859e-6;
export const EXP_6: number = 1.5252733841601815e-5;
export const EXP_5: number = 0.00015403530393370715;
export const EXP_4: number = 0.0013333558146406436;
export const EXP_3: number = 0.00961812910762848;
export const EXP_2: number = 0.055504108664821625;
export const EXP_1: number = 0.24022650695910072;
/** Powers of 2 beyond these exponents are infinite or 0 as f32. */
export const MOST_EXPONENT: number = 130.0;
export const LEAST_EXPONENT: number = -160.0;
/** From the magnitude `TANH_IS_1` on, the f32 nearest to tanh x is 1 or -1; up to `TANH_IS_X`, it is x itself. */
export const TANH_IS_1: number = 9.02;
export const TANH_IS_X: number = 0.0001220703125;

/** The quadrant, from 0 to 3, that the last long reduction found. */
let quadrant: number = 0;

/** A number that rounds to the f32 nearest to a * b + c. The arguments are f32, so their product is exact in f64. */
export function multiplyAdd(a: number, b: number, c: number): number {
  return addForRounding(a * b, c);
}

/**
 * The sum of two f64. If that sum was rounded and is halfway between two f32, the result is an adjacent f64 on the side
 * of the exact sum, so that it rounds to the f32 nearest to the exact sum.
 */
function addForRounding(a: number, b: number): number {
  const sum = a + b;
  // Dekker's split: only a sum of at most 25 bits, such as a halfway number, equals its own upper half.
  const split = sum * 268435457.0;
  if (split - (split - sum) !== sum) return sum;
  const part = sum - a;
  const error = a - (sum - part) + (b - part);
  if (error === 0.0) return sum;
  const step = Math.abs(sum) * 2.220446049250313e-16;
  return error > 0.0 ? sum + step : sum - step;
}

/** sin x */
export function sine(x: number): number {
  const size = Math.abs(x);
  if (!(size < Infinity)) return NaN;
  let result = 0.0;
  if (size < SHORT_REDUCTION) {
    const nearest = Math.floor(size * TWO_OVER_PI + 0.5);
    result = sineOrCosine(rest(size, nearest), nearest);
  } else {
    result = sineOrCosine(reduce(size), quadrant);
  }
  return x < 0.0 ? -result : x === 0.0 ? x : result;
}

/** cos x */
export function cosine(x: number): number {
  const size = Math.abs(x);
  if (!(size < Infinity)) return NaN;
  if (size < SHORT_REDUCTION) {
    const nearest = Math.floor(size * TWO_OVER_PI + 0.5);
    return sineOrCosine(rest(size, nearest), nearest + 1.0);
  }
  return sineOrCosine(reduce(size), quadrant + 1.0);
}

/** The base-2 logarithm. */
export function log2(x: number): number {
  if (!(x > 0.0)) return x === 0.0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  let exponent = exponentOf(x);
  let m = x * powerOfTwo(-exponent);
  if (m > Math.SQRT2) {
    m *= 0.5;
    exponent += 1.0;
  }
  // log m = 2 artanh s
  const s = (m - 1.0) / (m + 1.0);
  const z = s * s;
  let p = LOG_12 * z;
  p += LOG_14 * z * z;
  p = (p + LOG_10) * z + LOG_8;
  p = (p * z + LOG_6) * z + LOG_4;
  p = (p * z + LOG_2) * z + LOG_0;
  return s * TWO_OVER_LN_2 + (s * (z * p) + exponent);
}

/** 2 to the power x */
export function exp2(x: number): number {
  if (x > MOST_EXPONENT) return Infinity;
  if (!(x >= LEAST_EXPONENT)) return x < LEAST_EXPONENT ? 0.0 : x;
  const whole = Math.floor(x + 0.5);
  return powerOfTwo(whole) * addForRounding(1.0, exp2Minus1(x - whole));
}

/** The hyperbolic tangent. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (size >= TANH_IS_1) return x > 0.0 ? 1.0 : -1.0;
  if (!(size > TANH_IS_X)) return x;
  const exponent = size * TWO_OVER_LN_2;
  const whole = Math.floor(exponent + 0.5);
  const scale = powerOfTwo(whole);
  // e^2x - 1
  const grown = scale * exp2Minus1(exponent - whole) + (scale - 1.0);
  const result = grown / (grown + 2.0);
  return x < 0.0 ? -result : result;
}

/** 2^x - 1, for x from -1/2 to 1/2 */
function exp2Minus1(x: number): number {
  let p = x * EXP_11 + EXP_10;
  p = p * x + EXP_9;
  p = p * x + EXP_8;
  p = p * x + EXP_7;
  p = p * x + EXP_6;
  p = p * x + EXP_5;
  p = p * x + EXP_4;
  p = p * x + EXP_3;
  p = p * x + EXP_2;
  p = p * x + EXP_1;
  p = p * x + Math.LN2;
  return x * p;
}

/** The short reduction: the rest of x after subtracting a multiple of pi/2. */
function rest(x: number, multiple: number): number {
  return x - multiple * HALF_PI_HIGH - multiple * HALF_PI_LOW;
}

/** The long reduction: the rest of a large f32 after subtracting the nearest multiple of pi/2; sets the quadrant. */
function reduce(x: number): number {
  // Payne and Hanek: only those digits of 2/pi matter whose products with x are neither multiples of 4 nor too small.
  let digit = 0;
  let y = x;
  while (y >= DIGIT) {
    y /= DIGIT;
    digit++;
  }
  const whole = modulo4(y * TWO_OVER_PI_DIGITS[digit]! * DIGIT) + modulo4(y * TWO_OVER_PI_DIGITS[digit + 1]!);
  const first = whole + modulo4((y * TWO_OVER_PI_DIGITS[digit + 2]!) / DIGIT);
  const second = (y * TWO_OVER_PI_DIGITS[digit + 3]!) / (DIGIT * DIGIT);
  const third = (y * TWO_OVER_PI_DIGITS[digit + 4]!) / (DIGIT * DIGIT * DIGIT);
  const fourth = (y * TWO_OVER_PI_DIGITS[digit + 5]!) / (DIGIT * DIGIT * DIGIT * DIGIT);
  const nearest = Math.floor(first + second + 0.5);
  quadrant = modulo4(nearest);
  const left = first - nearest;
  const sum = left + second;
  const part = sum - left;
  const tail = left - (sum - part) + (second - part) + third + fourth;
  // Dekker's split again: the product of 20 bits and the upper half of pi/2 is exact.
  const split = sum * 8589934593.0;
  const high = split - (split - sum);
  return high * HALF_PI_HIGH + ((sum - high) * HALF_PI_HIGH + sum * HALF_PI_LOW + tail * HALF_PI);
}

function modulo4(x: number): number {
  return x - 4.0 * Math.floor(x * 0.25);
}

/** The sine of r + quarters * pi/2, |r| up to pi/4. */
function sineOrCosine(r: number, quarters: number): number {
  const z = r * r;
  const half = 0.5 * z;
  const head = 1.0 - half;
  const turned = modulo4(quarters);
  if (turned === 0.0 || turned === 2.0) {
    let p = SIN_12 * z + SIN_10;
    p = p * z + SIN_8;
    p = p * z + SIN_6;
    p = p * z + SIN_4;
    p = p * z + SIN_2;
    p = p * z + SIN_0;
    const result = addForRounding(r, r * (z * p));
    return turned === 0.0 ? result : -result;
  }
  let p = COS_10 * z + COS_8;
  p = p * z + COS_6;
  p = p * z + COS_4;
  p = p * z + COS_2;
  p = p * z + COS_0;
  const result = addForRounding(head, 1.0 - head - half + z * z * p);
  return turned === 1.0 ? result : -result;
}
