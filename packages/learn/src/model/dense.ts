// Products of matrices, which several models are made of. The file is both TypeScript and AssemblyScript, so that JavaScript and WebAssembly
// agree bit for bit: it computes with the vectors of ./lanes.js, which have one value in JavaScript and four in WebAssembly
// (assembly/lanes.ts), and where functions that are not exported become part of their callers. Vectors go across outputs, never across
// what is summed up. Places are offsets in bytes; sizes are numbers of values, and strides the distances of rows, which are multiples of
// four values for outputs.
import { add, load, multiplyAdd, positive, splat, store, storeFour, VECTOR, zero } from "./lanes.js";

/** For each row, the sums of inputs times weights, which begin with the biases, or with 0 if `biases` is negative. */
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
  let row: usize = 0;
  for (; row + 4 <= rows; row += 4) {
    affineFour(from + row * fromBytes, fromBytes, inputs, weights, biases, to + row * bytes, bytes);
  }
  for (; row < rows; row++)
    affineOne(from + row * fromBytes, inputs, weights, biases, to + row * bytes, bytes);
}

/** Four rows, two vectors of outputs at a time. */
function affineFour(
  input: usize,
  fromBytes: usize,
  inputs: usize,
  weights: usize,
  biases: isize,
  to: usize,
  bytes: usize,
): void {
  const hasBiases = biases >= 0;
  const end = input + (inputs << 2);
  let at: usize = 0;
  for (; at + 2 * VECTOR <= bytes; at += 2 * VECTOR) {
    const left = hasBiases ? load(<usize>biases + at) : zero();
    const right = hasBiases ? load(<usize>biases + at, 1) : zero();
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
      const w0 = load(weight);
      const w1 = load(weight, 1);
      const a = splat(one);
      a0 = multiplyAdd(a0, a, w0);
      a1 = multiplyAdd(a1, a, w1);
      const b = splat(one + fromBytes);
      b0 = multiplyAdd(b0, b, w0);
      b1 = multiplyAdd(b1, b, w1);
      const c = splat(one + 2 * fromBytes);
      c0 = multiplyAdd(c0, c, w0);
      c1 = multiplyAdd(c1, c, w1);
      const d = splat(one + 3 * fromBytes);
      d0 = multiplyAdd(d0, d, w0);
      d1 = multiplyAdd(d1, d, w1);
      weight += bytes;
    }
    storeFour(to + at, bytes, a0, b0, c0, d0);
    storeFour(to + at + VECTOR, bytes, a1, b1, c1, d1);
  }
  if (at < bytes) {
    const left = hasBiases ? load(<usize>biases + at) : zero();
    let a0 = left;
    let b0 = left;
    let c0 = left;
    let d0 = left;
    let weight = weights + at;
    for (let one = input; one < end; one += 4) {
      const w0 = load(weight);
      a0 = multiplyAdd(a0, splat(one), w0);
      b0 = multiplyAdd(b0, splat(one + fromBytes), w0);
      c0 = multiplyAdd(c0, splat(one + 2 * fromBytes), w0);
      d0 = multiplyAdd(d0, splat(one + 3 * fromBytes), w0);
      weight += bytes;
    }
    storeFour(to + at, bytes, a0, b0, c0, d0);
  }
}

/** One row, four vectors of outputs at a time. */
function affineOne(
  input: usize,
  inputs: usize,
  weights: usize,
  biases: isize,
  to: usize,
  bytes: usize,
): void {
  const hasBiases = biases >= 0;
  const end = input + (inputs << 2);
  let at: usize = 0;
  for (; at + 4 * VECTOR <= bytes; at += 4 * VECTOR) {
    let a = hasBiases ? load(<usize>biases + at) : zero();
    let b = hasBiases ? load(<usize>biases + at, 1) : zero();
    let c = hasBiases ? load(<usize>biases + at, 2) : zero();
    let d = hasBiases ? load(<usize>biases + at, 3) : zero();
    let weight = weights + at;
    for (let one = input; one < end; one += 4) {
      const value = splat(one);
      a = multiplyAdd(a, value, load(weight));
      b = multiplyAdd(b, value, load(weight, 1));
      c = multiplyAdd(c, value, load(weight, 2));
      d = multiplyAdd(d, value, load(weight, 3));
      weight += bytes;
    }
    storeFour(to + at, VECTOR, a, b, c, d);
  }
  for (; at < bytes; at += VECTOR) {
    let sum = hasBiases ? load(<usize>biases + at) : zero();
    let weight = weights + at;
    for (let one = input; one < end; one += 4) {
      sum = multiplyAdd(sum, splat(one), load(weight));
      weight += bytes;
    }
    store(to + at, sum);
  }
}

/** The sums of the columns of consecutive rows of `stride` values. */
export function sumRows(from: usize, stride: usize, rows: usize, to: usize): void {
  const bytes = stride << 2;
  const end = from + rows * bytes;
  let at: usize = 0;
  // Four sums do not wait for each other.
  for (; at + 4 * VECTOR <= bytes; at += 4 * VECTOR) {
    let a = zero();
    let b = zero();
    let c = zero();
    let d = zero();
    for (let row = from + at; row < end; row += bytes) {
      a = add(a, load(row));
      b = add(b, load(row, 1));
      c = add(c, load(row, 2));
      d = add(d, load(row, 3));
    }
    storeFour(to + at, VECTOR, a, b, c, d);
  }
  for (; at < bytes; at += VECTOR) {
    let sum = zero();
    for (let row = from + at; row < end; row += bytes) sum = add(sum, load(row));
    store(to + at, sum);
  }
}

/**
 * For each input and each other value, the sum of their products over all rows, which begins with the input's bias, or with 0 if `biases` is
 * negative.
 * @param isHalf whether others that come more than three before the input are not written
 */
export function products(
  from: usize,
  fromStride: usize,
  inputs: usize,
  others: usize,
  stride: usize,
  rows: usize,
  biases: isize,
  to: usize,
  isHalf: boolean,
): void {
  const fromBytes = fromStride << 2;
  const bytes = stride << 2;
  const othersEnd = others + rows * bytes;
  let input: usize = 0;
  for (; input + 4 <= inputs; input += 4) {
    const start = isHalf ? input << 2 : 0;
    const bias = biases >= 0 ? biases + ((<isize>input) << 2) : biases;
    productsFour(from + (input << 2), fromBytes, others, othersEnd, bias, to + input * bytes, bytes, start);
  }
  for (; input < inputs; input++) {
    for (let at: usize = isHalf ? (input & ~3) << 2 : 0; at < bytes; at += VECTOR) {
      let sum = biases >= 0 ? splat(<usize>biases + (input << 2)) : zero();
      let one = from + (input << 2);
      for (let other = others + at; other < othersEnd; other += bytes) {
        sum = multiplyAdd(sum, splat(one), load(other));
        one += fromBytes;
      }
      store(to + input * bytes + at, sum);
    }
  }
}

/** Four inputs, from byte `start` of the others on, two vectors at a time. */
function productsFour(
  from: usize,
  fromBytes: usize,
  others: usize,
  othersEnd: usize,
  biases: isize,
  to: usize,
  bytes: usize,
  start: usize,
): void {
  const hasBiases = biases >= 0;
  const bias = <usize>biases;
  const first = hasBiases ? splat(bias) : zero();
  const second = hasBiases ? splat(bias, 1) : zero();
  const third = hasBiases ? splat(bias, 2) : zero();
  const fourth = hasBiases ? splat(bias, 3) : zero();
  let at = start;
  for (; at + 2 * VECTOR <= bytes; at += 2 * VECTOR) {
    let a0 = first;
    let b0 = second;
    let c0 = third;
    let d0 = fourth;
    let a1 = first;
    let b1 = second;
    let c1 = third;
    let d1 = fourth;
    let one = from;
    for (let other = others + at; other < othersEnd; other += bytes) {
      const e0 = load(other);
      const e1 = load(other, 1);
      const a = splat(one);
      a0 = multiplyAdd(a0, a, e0);
      a1 = multiplyAdd(a1, a, e1);
      const b = splat(one, 1);
      b0 = multiplyAdd(b0, b, e0);
      b1 = multiplyAdd(b1, b, e1);
      const c = splat(one, 2);
      c0 = multiplyAdd(c0, c, e0);
      c1 = multiplyAdd(c1, c, e1);
      const d = splat(one, 3);
      d0 = multiplyAdd(d0, d, e0);
      d1 = multiplyAdd(d1, d, e1);
      one += fromBytes;
    }
    storeFour(to + at, bytes, a0, b0, c0, d0);
    storeFour(to + at + VECTOR, bytes, a1, b1, c1, d1);
  }
  if (at < bytes) {
    let a0 = first;
    let b0 = second;
    let c0 = third;
    let d0 = fourth;
    let one = from;
    for (let other = others + at; other < othersEnd; other += bytes) {
      const e0 = load(other);
      a0 = multiplyAdd(a0, splat(one), e0);
      b0 = multiplyAdd(b0, splat(one, 1), e0);
      c0 = multiplyAdd(c0, splat(one, 2), e0);
      d0 = multiplyAdd(d0, splat(one, 3), e0);
      one += fromBytes;
    }
    storeFour(to + at, bytes, a0, b0, c0, d0);
  }
}

/** Replaces negative values by 0. */
export function relu(values: usize, count: usize): void {
  for (let at = values; at < values + (count << 2); at += VECTOR) store(at, positive(load(at)));
}
