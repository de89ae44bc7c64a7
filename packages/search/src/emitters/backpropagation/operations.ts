// What operators compute and which operand gives a wanted result, for semantic backpropagation.
import { cosine, exp2, log2, sine, tanh } from "@mm-ptx/types/internal/floats";

const { LN2: LN_2, PI } = Math;
const HALF_PI = PI / 2;

/** Results of operators, by their names. They only have to be close: what is made of them is evaluated again. */
export const RESULTS: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  fma: (a, b, c) => a * b + c,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  copysign: (a, b) => (b < 0 === a < 0 ? a : -a),
  neg: (a) => -a,
  abs: (a) => Math.abs(a),
  rcp: (a) => 1 / a,
  sqrt: (a) => Math.sqrt(a),
  rsqrt: (a) => 1 / Math.sqrt(a),
  sin: (a) => sine(a),
  cos: (a) => cosine(a),
  ex2: (a) => exp2(a),
  lg2: (a) => (a > 0 ? log2(a) : Number.NaN),
  tanh: (a) => tanh(a),
  square: (a) => a * a,
  cube: (a) => a * a * a,
  inverse: (a) => 1 / a,
  exp: (a) => exp2(a / LN_2),
  exp2: (a) => exp2(a),
  log: (a) => (a > 0 ? log2(a) * LN_2 : Number.NaN),
  log2: (a) => (a > 0 ? log2(a) : Number.NaN),
  log10: (a) => (a > 0 ? log2(a) * 0.30102999566398114 : Number.NaN),
};

/**
 * The operand that gives a result, if there is one: otherwise NaN. Of several, the one nearest to what the operand is now.
 * @param result the result that is wanted
 * @param now what the operand is
 * @param other the other operand of operators with two
 */
type Inverse = (result: number, now: number, other: number) => number;

/** For each operator the inverses in its operands; operators without them are not passed. */
export const INVERSES: Readonly<Record<string, readonly Inverse[]>> = {
  add: [(d, _, b) => d - b, (d, _, a) => d - a],
  sub: [(d, _, b) => d + b, (d, _, a) => a - d],
  mul: [(d, _, b) => d / b, (d, _, a) => d / a],
  div: [(d, _, b) => d * b, (d, _, a) => a / d],
  neg: [(d) => -d],
  abs: [(d, now) => (d < 0 ? Number.NaN : now < 0 ? -d : d)],
  rcp: [(d) => 1 / d],
  sqrt: [(d) => (d < 0 ? Number.NaN : d * d)],
  rsqrt: [(d) => (d > 0 ? 1 / (d * d) : Number.NaN)],
  sin: [(d, now) => nearestAngle(arcsine(d), now, true)],
  cos: [(d, now) => nearestAngle(HALF_PI - arcsine(d), now, false)],
  ex2: [(d) => (d > 0 ? log2(d) : Number.NaN)],
  lg2: [(d) => exp2(d)],
  tanh: [(d) => (Math.abs(d) < 1 ? (log2((1 + d) / (1 - d)) * LN_2) / 2 : Number.NaN)],
  square: [(d, now) => (d < 0 ? Number.NaN : now < 0 ? -Math.sqrt(d) : Math.sqrt(d))],
  cube: [(d) => (d === 0 ? 0 : d < 0 ? -cubeRoot(-d) : cubeRoot(d))],
  inverse: [(d) => 1 / d],
  exp: [(d) => (d > 0 ? log2(d) * LN_2 : Number.NaN)],
  exp2: [(d) => (d > 0 ? log2(d) : Number.NaN)],
  log: [(d) => exp2(d / LN_2)],
  log2: [(d) => exp2(d)],
  log10: [(d) => exp2(d / 0.30102999566398114)],
};

const cubeRoot = (x: number): number => exp2(log2(x) / 3);

/** The arcsine by Newton's method, which needs only what is the same on all machines. */
function arcsine(x: number): number {
  const size = Math.abs(x);
  if (!(size <= 1)) return Number.NaN;
  // Near 1, the angle is found from the cosine.
  if (size > 0.7) {
    const rest = HALF_PI - 2 * arcsine(Math.sqrt((1 - size) / 2));
    return x < 0 ? -rest : rest;
  }
  let angle = x;
  for (let step = 0; step < 4; step++) angle -= (sine(angle) - x) / cosine(angle);
  return angle;
}

/** The angle with the same sine (or cosine) that is nearest to another angle. */
function nearestAngle(angle: number, now: number, isSine: boolean): number {
  const turned = (from: number): number => from + 2 * PI * Math.round((now - from) / (2 * PI));
  const [one, other] = [turned(angle), turned(isSine ? PI - angle : -angle)];
  return Math.abs(one - now) <= Math.abs(other - now) ? one : other;
}
