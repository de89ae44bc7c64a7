// The operations of a multilayer perceptron, on a memory that the caller lays out. src/mlp/javascript.ts is the same in TypeScript, and
// src/mlp/layout.ts says what each operation computes. The strides of outputs are multiples of 4 values.

const FIRST: f32 = 0.9;
const FIRST_REST: f32 = 0.1;
const SECOND: f32 = 0.999;
const SECOND_REST: f32 = 0.001;
const EPSILON: f32 = 1e-8;

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
function horner(sum: v128, square: v128, coefficient: v128): v128 {
  return f32x4.add(f32x4.mul(sum, square), coefficient);
}

/** Two vectors at a time, for which coefficients are loaded: engines compute a vector of constants again at each use. */
export function tanh(values: usize, count: usize, constants: usize): void {
  const limit = v128.load32_splat(constants, 4);
  const least = f32x4.neg(limit);
  const end = values + (count << 2);
  for (let at = values; at < end; at += 32) {
    // If there is one vector, it is computed twice. A NaN stays one.
    const other = at + 16 < end ? at + 16 : at;
    const x = f32x4.pmax(f32x4.pmin(v128.load(at), limit), least);
    const y = f32x4.pmax(f32x4.pmin(v128.load(other), limit), least);
    const square = f32x4.mul(x, x);
    const otherSquare = f32x4.mul(y, y);
    let one = v128.load32_splat(constants, 8);
    let two = one;
    let constant = v128.load32_splat(constants, 12);
    one = horner(one, square, constant);
    two = horner(two, otherSquare, constant);
    constant = v128.load32_splat(constants, 16);
    one = horner(one, square, constant);
    two = horner(two, otherSquare, constant);
    constant = v128.load32_splat(constants, 20);
    one = horner(one, square, constant);
    two = horner(two, otherSquare, constant);
    constant = v128.load32_splat(constants, 24);
    one = horner(one, square, constant);
    two = horner(two, otherSquare, constant);
    constant = v128.load32_splat(constants, 28);
    one = horner(one, square, constant);
    two = horner(two, otherSquare, constant);
    constant = v128.load32_splat(constants, 32);
    one = f32x4.mul(x, horner(one, square, constant));
    two = f32x4.mul(y, horner(two, otherSquare, constant));
    let three = v128.load32_splat(constants, 36);
    let four = three;
    constant = v128.load32_splat(constants, 40);
    three = horner(three, square, constant);
    four = horner(four, otherSquare, constant);
    constant = v128.load32_splat(constants, 44);
    three = horner(three, square, constant);
    four = horner(four, otherSquare, constant);
    constant = v128.load32_splat(constants, 48);
    v128.store(at, f32x4.div(one, horner(three, square, constant)));
    v128.store(other, f32x4.div(two, horner(four, otherSquare, constant)));
  }
}

export function tanhSlope(errors: usize, values: usize, count: usize, constants: usize): void {
  const one = v128.load32_splat(constants);
  for (let at: usize = 0, bytes = count << 2; at < bytes; at += 16) {
    const value = v128.load(values + at);
    const slope = f32x4.sub(one, f32x4.mul(value, value));
    v128.store(errors + at, f32x4.mul(v128.load(errors + at), slope));
  }
}

export function reluSlope(errors: usize, values: usize, count: usize): void {
  const zero = f32x4.splat(0);
  for (let at: usize = 0, bytes = count << 2; at < bytes; at += 16) {
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
  for (let at: usize = 0, bytes = count << 2; at < bytes; at += 16) {
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
