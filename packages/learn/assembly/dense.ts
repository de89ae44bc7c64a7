// Products of matrices, which several models are made of. Vectors go across outputs, never across what is summed up; src/model/dense.ts is the
// same in TypeScript and says what each operation computes. The strides of outputs are multiples of 4 values.

// @ts-ignore: decorator
@inline
function multiplyAdd(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b));
}

/** Writes a vector of each of four rows. */
// @ts-ignore: decorator
@inline
function storeFour(to: usize, bytes: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(to, a);
  v128.store(to + bytes, b);
  v128.store(to + 2 * bytes, c);
  v128.store(to + 3 * bytes, d);
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
    const end = input + (inputs << 2);
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
      for (let one = input; one < end; one += 4) {
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
      storeFour(output + at, bytes, a0, b0, c0, d0);
      storeFour(output + at + 16, bytes, a1, b1, c1, d1);
    }
    if (at < bytes) {
      const left = hasBiases ? v128.load(<usize>biases + at) : zero;
      let a0 = left;
      let b0 = left;
      let c0 = left;
      let d0 = left;
      let weight = weights + at;
      for (let one = input; one < end; one += 4) {
        const w0 = v128.load(weight);
        a0 = multiplyAdd(a0, v128.load32_splat(one), w0);
        b0 = multiplyAdd(b0, v128.load32_splat(one + fromBytes), w0);
        c0 = multiplyAdd(c0, v128.load32_splat(one + 2 * fromBytes), w0);
        d0 = multiplyAdd(d0, v128.load32_splat(one + 3 * fromBytes), w0);
        weight += bytes;
      }
      storeFour(output + at, bytes, a0, b0, c0, d0);
    }
  }
  for (; row < rows; row++) affineOne(from + row * fromBytes, inputs, weights, biases, to + row * bytes, bytes);
}

/** One row, 16 outputs at a time. */
function affineOne(input: usize, inputs: usize, weights: usize, biases: isize, to: usize, bytes: usize): void {
  const zero = f32x4.splat(0);
  const hasBiases = biases >= 0;
  const end = input + (inputs << 2);
  let at: usize = 0;
  for (; at + 64 <= bytes; at += 64) {
    let a = hasBiases ? v128.load(<usize>biases + at) : zero;
    let b = hasBiases ? v128.load(<usize>biases + at, 16) : zero;
    let c = hasBiases ? v128.load(<usize>biases + at, 32) : zero;
    let d = hasBiases ? v128.load(<usize>biases + at, 48) : zero;
    let weight = weights + at;
    for (let one = input; one < end; one += 4) {
      const value = v128.load32_splat(one);
      a = multiplyAdd(a, value, v128.load(weight));
      b = multiplyAdd(b, value, v128.load(weight, 16));
      c = multiplyAdd(c, value, v128.load(weight, 32));
      d = multiplyAdd(d, value, v128.load(weight, 48));
      weight += bytes;
    }
    storeFour(to + at, 16, a, b, c, d);
  }
  for (; at < bytes; at += 16) {
    let sum = hasBiases ? v128.load(<usize>biases + at) : zero;
    let weight = weights + at;
    for (let one = input; one < end; one += 4) {
      sum = multiplyAdd(sum, v128.load32_splat(one), v128.load(weight));
      weight += bytes;
    }
    v128.store(to + at, sum);
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
  products(from, fromStride, inputs, errors, stride, rows, gradients, false);
  sumRows(errors, stride, rows, biasGradients);
}

export function sumRows(from: usize, stride: usize, rows: usize, to: usize): void {
  const bytes = stride << 2;
  const end = from + rows * bytes;
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = f32x4.splat(0);
    for (let row = from + at; row < end; row += bytes) sum = f32x4.add(sum, v128.load(row));
    v128.store(to + at, sum);
  }
}

/** With `isHalf`, outputs that come more than three before the input are not written. */
export function products(
  from: usize,
  fromStride: usize,
  inputs: usize,
  others: usize,
  stride: usize,
  rows: usize,
  to: usize,
  isHalf: bool,
): void {
  const fromBytes = fromStride << 2;
  const bytes = stride << 2;
  const othersEnd = others + rows * bytes;
  const zero = f32x4.splat(0);
  let input: usize = 0;
  for (; input + 4 <= inputs; input += 4) {
    const output = to + input * bytes;
    let at: usize = isHalf ? input << 2 : 0;
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
      for (let other = others + at; other < othersEnd; other += bytes) {
        const e0 = v128.load(other);
        const e1 = v128.load(other, 16);
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
      storeFour(output + at, bytes, a0, b0, c0, d0);
      storeFour(output + at + 16, bytes, a1, b1, c1, d1);
    }
    if (at < bytes) {
      let a0 = zero;
      let b0 = zero;
      let c0 = zero;
      let d0 = zero;
      let one = from + (input << 2);
      for (let other = others + at; other < othersEnd; other += bytes) {
        const e0 = v128.load(other);
        a0 = multiplyAdd(a0, v128.load32_splat(one), e0);
        b0 = multiplyAdd(b0, v128.load32_splat(one, 4), e0);
        c0 = multiplyAdd(c0, v128.load32_splat(one, 8), e0);
        d0 = multiplyAdd(d0, v128.load32_splat(one, 12), e0);
        one += fromBytes;
      }
      storeFour(output + at, bytes, a0, b0, c0, d0);
    }
  }
  for (; input < inputs; input++) {
    for (let at: usize = isHalf ? (input & ~3) << 2 : 0; at < bytes; at += 16) {
      let sum = zero;
      let one = from + (input << 2);
      for (let other = others + at; other < othersEnd; other += bytes) {
        sum = multiplyAdd(sum, v128.load32_splat(one), v128.load(other));
        one += fromBytes;
      }
      v128.store(to + input * bytes + at, sum);
    }
  }
}

export function relu(values: usize, count: usize): void {
  const zero = f32x4.splat(0);
  for (let at = values; at < values + (count << 2); at += 16) v128.store(at, f32x4.pmax(zero, v128.load(at)));
}
