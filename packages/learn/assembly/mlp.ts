// The operations of a multilayer perceptron, on a memory that the caller lays out. src/mlp/javascript.ts is the same in TypeScript, and
// src/mlp/layout.ts says what each operation computes. The strides of outputs are multiples of 4 values.

const FIRST: f32 = 0.9;
const FIRST_REST: f32 = 0.1;
const SECOND: f32 = 0.999;
const SECOND_REST: f32 = 0.001;
const EPSILON: f32 = 1e-8;
const TANH_LIMIT: f32 = 7.905311107635498;

export function transpose(from: usize, rows: usize, stride: usize, to: usize, toStride: usize): void {
  for (let row: usize = 0; row < rows; row++) {
    let one = from + ((row * stride) << 2);
    let other = to + (row << 2);
    for (let column: usize = 0; column < stride; column++) {
      store<f32>(other, load<f32>(one));
      one += 4;
      other += toStride << 2;
    }
  }
}

// @ts-ignore: decorator
@inline
function horner(sum: v128, square: v128, coefficient: f32): v128 {
  return f32x4.add(f32x4.mul(sum, square), f32x4.splat(coefficient));
}

export function tanh(values: usize, count: usize): void {
  const limit = f32x4.splat(TANH_LIMIT);
  const least = f32x4.splat(-TANH_LIMIT);
  for (let at = values; at < values + (count << 2); at += 16) {
    const x = f32x4.max(least, f32x4.min(limit, v128.load(at)));
    const square = f32x4.mul(x, x);
    let numerator = f32x4.splat(<f32>-2.76076847742355e-16);
    numerator = horner(numerator, square, <f32>2.00018790482477e-13);
    numerator = horner(numerator, square, <f32>-8.60467152213735e-11);
    numerator = horner(numerator, square, <f32>5.12229709037114e-8);
    numerator = horner(numerator, square, <f32>1.48572235717979e-5);
    numerator = horner(numerator, square, <f32>6.37261928875436e-4);
    numerator = horner(numerator, square, <f32>4.89352455891786e-3);
    let denominator = f32x4.splat(<f32>1.19825839466702e-6);
    denominator = horner(denominator, square, <f32>1.18534705686654e-4);
    denominator = horner(denominator, square, <f32>2.268434632439e-3);
    denominator = horner(denominator, square, <f32>4.89352518554385e-3);
    v128.store(at, f32x4.div(f32x4.mul(x, numerator), denominator));
  }
}

export function tanhSlope(errors: usize, values: usize, count: usize): void {
  const one = f32x4.splat(1);
  for (let at: usize = 0; at < count << 2; at += 16) {
    const value = v128.load(values + at);
    const slope = f32x4.sub(one, f32x4.mul(value, value));
    v128.store(errors + at, f32x4.mul(v128.load(errors + at), slope));
  }
}

export function reluSlope(errors: usize, values: usize, count: usize): void {
  const zero = f32x4.splat(0);
  for (let at: usize = 0; at < count << 2; at += 16) {
    const isPositive = f32x4.gt(v128.load(values + at), zero);
    v128.store(errors + at, v128.and(v128.load(errors + at), isPositive));
  }
}

export function adam(
  parameters: usize,
  gradients: usize,
  first: usize,
  second: usize,
  count: usize,
  rate: f32,
): void {
  const rates = f32x4.splat(rate);
  for (let at: usize = 0; at < count << 2; at += 16) {
    const one = v128.load(gradients + at);
    const mean = f32x4.add(
      f32x4.mul(f32x4.splat(FIRST), v128.load(first + at)),
      f32x4.mul(f32x4.splat(FIRST_REST), one),
    );
    const square = f32x4.add(
      f32x4.mul(f32x4.splat(SECOND), v128.load(second + at)),
      f32x4.mul(f32x4.mul(f32x4.splat(SECOND_REST), one), one),
    );
    v128.store(first + at, mean);
    v128.store(second + at, square);
    const root = f32x4.add(f32x4.sqrt(square), f32x4.splat(EPSILON));
    const step = f32x4.div(f32x4.mul(rates, mean), root);
    v128.store(parameters + at, f32x4.sub(v128.load(parameters + at), step));
  }
}
