// The operations of a multilayer perceptron, on a memory that the caller lays out. Vectors go across outputs, never across what is summed up;
// src/mlp/javascript.ts is the same in TypeScript, and src/mlp/layout.ts says what each operation computes. The strides of outputs are multiples
// of 4 values.

const FIRST: f32 = 0.9;
const FIRST_REST: f32 = 0.1;
const SECOND: f32 = 0.999;
const SECOND_REST: f32 = 0.001;
const EPSILON: f32 = 1e-8;
const TANH_LIMIT: f32 = 7.905311107635498;

// @ts-ignore: decorator
@inline
function multiplyAdd(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b));
}

export function affine(
  from: usize,
  fromStride: usize,
  inputs: usize,
  weights: usize,
  biases: isize,
  to: usize,
  stride: usize,
  rows: usize,
): void {
  const fromBytes = fromStride << 2;
  const bytes = stride << 2;
  const zero = f32x4.splat(0);
  const hasBiases = biases >= 0;
  let row: usize = 0;
  for (; row + 4 <= rows; row += 4) {
    const input = from + row * fromBytes;
    const output = to + row * bytes;
    let at: usize = 0;
    for (; at + 32 <= bytes; at += 32) {
      const left = hasBiases ? v128.load(<usize>biases + at) : zero;
      const right = hasBiases ? v128.load(<usize>biases + at, 16) : zero;
      let a0 = left;
      let b0 = left;
      let c0 = left;
      let d0 = left;
      let a1 = right;
      let b1 = right;
      let c1 = right;
      let d1 = right;
      let weight = weights + at;
      let one = input;
      for (const end = input + (inputs << 2); one < end; one += 4) {
        const w0 = v128.load(weight);
        const w1 = v128.load(weight, 16);
        const a = v128.load32_splat(one);
        a0 = multiplyAdd(a0, a, w0);
        a1 = multiplyAdd(a1, a, w1);
        const b = v128.load32_splat(one + fromBytes);
        b0 = multiplyAdd(b0, b, w0);
        b1 = multiplyAdd(b1, b, w1);
        const c = v128.load32_splat(one + 2 * fromBytes);
        c0 = multiplyAdd(c0, c, w0);
        c1 = multiplyAdd(c1, c, w1);
        const d = v128.load32_splat(one + 3 * fromBytes);
        d0 = multiplyAdd(d0, d, w0);
        d1 = multiplyAdd(d1, d, w1);
        weight += bytes;
      }
      v128.store(output + at, a0);
      v128.store(output + at, a1, 16);
      v128.store(output + at + bytes, b0);
      v128.store(output + at + bytes, b1, 16);
      v128.store(output + at + 2 * bytes, c0);
      v128.store(output + at + 2 * bytes, c1, 16);
      v128.store(output + at + 3 * bytes, d0);
      v128.store(output + at + 3 * bytes, d1, 16);
    }
    if (at < bytes) {
      const left = hasBiases ? v128.load(<usize>biases + at) : zero;
      let a0 = left;
      let b0 = left;
      let c0 = left;
      let d0 = left;
      let weight = weights + at;
      let one = input;
      for (const end = input + (inputs << 2); one < end; one += 4) {
        const w0 = v128.load(weight);
        a0 = multiplyAdd(a0, v128.load32_splat(one), w0);
        b0 = multiplyAdd(b0, v128.load32_splat(one + fromBytes), w0);
        c0 = multiplyAdd(c0, v128.load32_splat(one + 2 * fromBytes), w0);
        d0 = multiplyAdd(d0, v128.load32_splat(one + 3 * fromBytes), w0);
        weight += bytes;
      }
      v128.store(output + at, a0);
      v128.store(output + at + bytes, b0);
      v128.store(output + at + 2 * bytes, c0);
      v128.store(output + at + 3 * bytes, d0);
    }
  }
  for (; row < rows; row++) {
    const input = from + row * fromBytes;
    for (let at: usize = 0; at < bytes; at += 16) {
      let sum = hasBiases ? v128.load(<usize>biases + at) : zero;
      let weight = weights + at;
      let one = input;
      for (const end = input + (inputs << 2); one < end; one += 4) {
        sum = multiplyAdd(sum, v128.load32_splat(one), v128.load(weight));
        weight += bytes;
      }
      v128.store(to + row * bytes + at, sum);
    }
  }
}

export function gradient(
  from: usize,
  fromStride: usize,
  inputs: usize,
  errors: usize,
  stride: usize,
  rows: usize,
  gradients: usize,
  biasGradients: usize,
): void {
  const fromBytes = fromStride << 2;
  const bytes = stride << 2;
  const errorsEnd = errors + rows * bytes;
  const zero = f32x4.splat(0);
  let input: usize = 0;
  for (; input + 4 <= inputs; input += 4) {
    const output = gradients + input * bytes;
    let at: usize = 0;
    for (; at + 32 <= bytes; at += 32) {
      let a0 = zero;
      let b0 = zero;
      let c0 = zero;
      let d0 = zero;
      let a1 = zero;
      let b1 = zero;
      let c1 = zero;
      let d1 = zero;
      let one = from + (input << 2);
      for (let error = errors + at; error < errorsEnd; error += bytes) {
        const e0 = v128.load(error);
        const e1 = v128.load(error, 16);
        const a = v128.load32_splat(one);
        a0 = multiplyAdd(a0, a, e0);
        a1 = multiplyAdd(a1, a, e1);
        const b = v128.load32_splat(one, 4);
        b0 = multiplyAdd(b0, b, e0);
        b1 = multiplyAdd(b1, b, e1);
        const c = v128.load32_splat(one, 8);
        c0 = multiplyAdd(c0, c, e0);
        c1 = multiplyAdd(c1, c, e1);
        const d = v128.load32_splat(one, 12);
        d0 = multiplyAdd(d0, d, e0);
        d1 = multiplyAdd(d1, d, e1);
        one += fromBytes;
      }
      v128.store(output + at, a0);
      v128.store(output + at, a1, 16);
      v128.store(output + at + bytes, b0);
      v128.store(output + at + bytes, b1, 16);
      v128.store(output + at + 2 * bytes, c0);
      v128.store(output + at + 2 * bytes, c1, 16);
      v128.store(output + at + 3 * bytes, d0);
      v128.store(output + at + 3 * bytes, d1, 16);
    }
    if (at < bytes) {
      let a0 = zero;
      let b0 = zero;
      let c0 = zero;
      let d0 = zero;
      let one = from + (input << 2);
      for (let error = errors + at; error < errorsEnd; error += bytes) {
        const e0 = v128.load(error);
        a0 = multiplyAdd(a0, v128.load32_splat(one), e0);
        b0 = multiplyAdd(b0, v128.load32_splat(one, 4), e0);
        c0 = multiplyAdd(c0, v128.load32_splat(one, 8), e0);
        d0 = multiplyAdd(d0, v128.load32_splat(one, 12), e0);
        one += fromBytes;
      }
      v128.store(output + at, a0);
      v128.store(output + at + bytes, b0);
      v128.store(output + at + 2 * bytes, c0);
      v128.store(output + at + 3 * bytes, d0);
    }
  }
  for (; input < inputs; input++) {
    for (let at: usize = 0; at < bytes; at += 16) {
      let sum = zero;
      let one = from + (input << 2);
      for (let error = errors + at; error < errorsEnd; error += bytes) {
        sum = multiplyAdd(sum, v128.load32_splat(one), v128.load(error));
        one += fromBytes;
      }
      v128.store(gradients + input * bytes + at, sum);
    }
  }
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = zero;
    for (let error = errors + at; error < errorsEnd; error += bytes) sum = f32x4.add(sum, v128.load(error));
    v128.store(biasGradients + at, sum);
  }
}

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

export function relu(values: usize, count: usize): void {
  const zero = f32x4.splat(0);
  for (let at = values; at < values + (count << 2); at += 16) v128.store(at, f32x4.pmax(zero, v128.load(at)));
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
