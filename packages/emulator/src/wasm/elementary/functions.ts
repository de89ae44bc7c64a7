// The elementary functions of four f32 at once. The code does what elementary.ts of @mm-ptx/types does, operation by
// operation, so that both agree bit for bit. Where that code branches, this one computes both sides and selects.
import { elementary } from "@mm-ptx/types/internal/floats";
import type { Expression, Expressions } from "./expressions.js";

/** Indices of the functions of one f64 that compute sines and cosines of large arguments. */
export interface Large {
  readonly sine: number;
  readonly cosine: number;
}

/** Pushes the function of the four f32 in a vector. */
export type Write = (to: Expressions, x: Expression, large: Large) => void;

const SIN = [
  ...[elementary.SIN_12, elementary.SIN_10, elementary.SIN_8, elementary.SIN_6],
  ...[elementary.SIN_4, elementary.SIN_2, elementary.SIN_0],
];
const COS = [
  ...[elementary.COS_10, elementary.COS_8, elementary.COS_6],
  ...[elementary.COS_4, elementary.COS_2, elementary.COS_0],
];
const EXP = [
  ...[
    elementary.EXP_11,
    elementary.EXP_10,
    elementary.EXP_9,
    elementary.EXP_8,
    elementary.EXP_7,
    elementary.EXP_6,
  ],
  ...[elementary.EXP_5, elementary.EXP_4, elementary.EXP_3, elementary.EXP_2, elementary.EXP_1, Math.LN2],
];

const SIGN = 1n << 63n;
const FRACTION_BITS = 52;
const FRACTION = (1n << 52n) - 1n;
const BIAS = 1023;
/** An integer that is added to this is in the low bits of the sum. */
const UNIT = 2 ** FRACTION_BITS;
const NAN_32 = 0x7fffffffn;
const INFINITY_32 = 0x7f800000n;
const NEGATIVE_INFINITY_32 = 0xff800000n;
/** 2^20 as f32. */
const SHORT_REDUCTION_32 = 0x49800000n;

/** A function of two f64 whose results are rounded to f32, for both pairs. */
const inPairs =
  (compute: (to: Expressions, x: Expression) => Expression): Write =>
  (to, x) => {
    const low = to.keep(compute(to, to.keep(to.promoted(x, "low"))));
    to.demoted(low, to.keep(compute(to, to.keep(to.promoted(x, "high")))))();
  };

/** A sum that will be rounded to f32. Where it may be halfway between two f32, it is moved towards the exact sum. */
function sumForRounding(to: Expressions, a: Expression, b: Expression): Expression {
  const { get: sum, set } = to.variable(to.add(a, b));
  const isHalfway = to.keep(to.of("i64x2.eq", to.shift("i64x2.shl", sum, 36), to.bits(0n)));
  to.ifAny(isHalfway, () => {
    const part = to.keep(to.subtract(sum, a));
    const error = to.keep(to.add(to.subtract(a, to.subtract(sum, part)), to.subtract(b, part)));
    const zero = to.number(0);
    const isRounded = to.or(to.of("f64x2.lt", error, zero), to.of("f64x2.gt", error, zero));
    const step = to.or(to.shift("i64x2.shr_s", to.xor(sum, error), 63), to.bits(1n));
    set(to.of("i64x2.add", sum, to.and(step, to.and(isRounded, isHalfway))));
  });
  return sum;
}

/** 2^x - 1, for x from -1/2 to 1/2. */
const exp2Minus1 = (to: Expressions, x: Expression): Expression => to.multiply(x, to.polynomial(x, EXP));

/** 2 to the power of an integer. */
const powerOfTwo = (to: Expressions, exponent: Expression): Expression =>
  to.shift("i64x2.shl", to.add(exponent, to.number(UNIT + BIAS)), FRACTION_BITS);

/** The nearest integer; the larger one of two. */
const nearest = (to: Expressions, x: Expression): Expression =>
  to.keep(to.of("f64x2.floor", to.add(x, to.number(0.5))));

const log2: Write = (to, x) => {
  const pair = inPairs((_, wide) => {
    const fraction = to.or(to.and(wide, to.bits(FRACTION)), to.number(1));
    const m = to.keep(fraction);
    const isUpper = to.keep(to.of("f64x2.gt", m, to.number(Math.SQRT2)));
    // The sign bit is only set for numbers without a logarithm.
    const biased = to.or(to.shift("i64x2.shr_u", wide, FRACTION_BITS), to.number(UNIT));
    const exponent = to.add(to.subtract(biased, to.number(UNIT + BIAS)), to.and(isUpper, to.number(1)));
    const half = to.keep(to.select(to.multiply(m, to.number(0.5)), m, isUpper));
    const s = to.keep(to.divide(to.subtract(half, to.number(1)), to.add(half, to.number(1))));
    const z = to.keep(to.multiply(s, s));
    const { LOG_14, LOG_12, LOG_10, LOG_8, LOG_6, LOG_4, LOG_2, LOG_0 } = elementary;
    const times = (a: Expression, b: number) => to.multiply(a, to.number(b));
    const plus = (a: Expression, b: number) => to.add(a, to.number(b));
    let p = to.add(times(z, LOG_12), to.multiply(times(z, LOG_14), z));
    p = plus(to.multiply(plus(p, LOG_10), z), LOG_8);
    p = plus(to.multiply(plus(to.multiply(p, z), LOG_6), z), LOG_4);
    p = plus(to.multiply(plus(to.multiply(p, z), LOG_2), z), LOG_0);
    const rest = to.add(to.multiply(s, to.multiply(z, p)), exponent);
    return to.add(times(s, elementary.TWO_OVER_LN_2), rest);
  });
  const computed = () => pair(to, x, { sine: 0, cosine: 0 });
  const zero = to.words(0n);
  const ofZero = to.select(to.words(NEGATIVE_INFINITY_32), to.words(NAN_32), to.of("f32x4.eq", x, zero));
  const infinity = to.words(INFINITY_32);
  const ofPositive = to.select(infinity, computed, to.of("f32x4.eq", x, infinity));
  to.select(ofPositive, ofZero, to.of("f32x4.gt", x, zero))();
};

const exp2 = inPairs((to, x) => {
  const { MOST_EXPONENT, LEAST_EXPONENT } = elementary;
  const inRange = to.of("f64x2.min", x, to.number(MOST_EXPONENT));
  const exponent = to.keep(to.of("f64x2.max", inRange, to.number(LEAST_EXPONENT)));
  const whole = nearest(to, exponent);
  const rest = to.keep(exp2Minus1(to, to.keep(to.subtract(exponent, whole))));
  return to.multiply(powerOfTwo(to, whole), sumForRounding(to, to.number(1), rest));
});

const tanh = inPairs((to, x) => {
  const { TANH_IS_1, TANH_IS_X, TWO_OVER_LN_2 } = elementary;
  const size = to.keep(to.of("f64x2.abs", x));
  const sign = to.keep(to.and(x, to.bits(SIGN)));
  const one = to.number(1);
  const inRange = to.of("f64x2.min", size, to.number(TANH_IS_1));
  const exponent = to.keep(to.multiply(inRange, to.number(TWO_OVER_LN_2)));
  const whole = nearest(to, exponent);
  const scale = to.keep(powerOfTwo(to, whole));
  const part = exp2Minus1(to, to.keep(to.subtract(exponent, whole)));
  // e^2x - 1
  const grown = to.keep(to.add(to.multiply(scale, part), to.subtract(scale, one)));
  const result = to.or(to.divide(grown, to.add(grown, to.number(2))), sign);
  const beyond = to.of("f64x2.ge", size, to.number(TANH_IS_1));
  const inside = to.select(to.or(one, sign), result, beyond);
  return to.select(inside, x, to.of("f64x2.gt", size, to.number(TANH_IS_X)));
});

const reciprocalRoot = inPairs((to, x) => to.divide(to.number(1), to.of("f64x2.sqrt", x)));

/** The sine of two f64 with the short reduction, or the cosine, which is a quarter turn ahead. */
function turned(to: Expressions, x: Expression, isCosine: boolean): Expression {
  const { HALF_PI_HIGH, HALF_PI_LOW, TWO_OVER_PI } = elementary;
  const size = to.keep(to.of("f64x2.abs", x));
  const multiple = nearest(to, to.multiply(size, to.number(TWO_OVER_PI)));
  const product = (a: Expression, b: number) => to.multiply(a, to.number(b));
  const r = to.keep(
    to.subtract(to.subtract(size, product(multiple, HALF_PI_HIGH)), product(multiple, HALF_PI_LOW)),
  );
  const quarters = to.keep(isCosine ? to.add(multiple, to.number(1)) : multiple);
  const turns = to.of("f64x2.floor", product(quarters, 0.25));
  const turn = to.keep(to.subtract(quarters, product(turns, 4)));
  const one = to.number(1);
  const z = to.keep(to.multiply(r, r));
  const half = to.keep(product(z, 0.5));
  const head = to.keep(to.subtract(one, half));
  const sineTail = to.multiply(r, to.multiply(z, to.polynomial(z, SIN)));
  const cosineRest = to.multiply(to.multiply(z, z), to.polynomial(z, COS));
  const cosineTail = to.add(to.subtract(to.subtract(one, head), half), cosineRest);
  const isOdd = to.keep(to.or(to.of("f64x2.eq", turn, one), to.of("f64x2.eq", turn, to.number(3))));
  const first = to.keep(to.select(head, r, isOdd));
  const sum = sumForRounding(to, first, to.keep(to.select(cosineTail, sineTail, isOdd)));
  const sign = to.and(to.of("f64x2.ge", turn, to.number(2)), to.bits(SIGN));
  const result = to.xor(sum, sign);
  return isCosine ? result : to.xor(result, to.and(x, to.bits(SIGN)));
}

const sineOrCosine =
  (name: keyof Large): Write =>
  (to, x, large) => {
    const short = inPairs((_, half) => turned(to, half, name === "cosine"));
    const { get: result, set } = to.variable(() => short(to, x, large));
    const size = to.keep(to.of("f32x4.abs", x));
    const hasSize = to.of("f32x4.lt", size, to.words(INFINITY_32));
    const isLarge = to.keep(to.and(hasSize, to.of("f32x4.ge", size, to.words(SHORT_REDUCTION_32))));
    to.ifAny(isLarge, () => {
      for (let lane = 0; lane < 4; lane++) {
        to.ifLane(isLarge, lane, () => set(to.replaced(result, x, lane, large[name])));
      }
    });
    result();
  };

/** The functions by the names of the instructions that approximate them. */
export const FUNCTIONS = {
  sin: sineOrCosine("sine"),
  cos: sineOrCosine("cosine"),
  lg2: log2,
  ex2: exp2,
  tanh,
  rsqrt: reciprocalRoot,
} as const satisfies Readonly<Record<string, Write>>;
