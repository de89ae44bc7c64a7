// Products of matrices, which several models are made of. The file is both TypeScript and AssemblyScript, so that JavaScript and WebAssembly
// agree bit for bit: it computes with the vectors of ./lanes.js, which have one value in JavaScript and four in WebAssembly
// (assembly/lanes.ts), and where functions that are not exported become part of their callers. Vectors go across columns, never across
// what is summed up. Places are offsets in bytes; sizes are numbers of values, and strides the distances of rows, which are multiples of
// four values for results.
import { load, multiplyAdd, positive, splat, store, storeFour, VECTOR, zero } from "./lanes.js";

/**
 * For each row and each column of the results, the sum over all terms t of the value at `from + row * apart + t * step` times the column's
 * value in row t of the others. Sums begin with 0 if `biases` is negative, with those in the results if it is their place, and otherwise,
 * if `step` is 1 or there is one row, with the biases of the columns. Four and more rows need a `step` of 1, or an `apart` of 1.
 * @param isHalf whether columns that come more than three before their row are not written
 */
export function multiply(
  from: usize,
  apart: usize,
  step: usize,
  rows: usize,
  terms: usize,
  others: usize,
  stride: usize,
  biases: isize,
  to: usize,
  isHalf: boolean,
): void {
  const fromBytes = apart << 2;
  const stepBytes = step << 2;
  const bytes = stride << 2;
  const othersEnd = others + terms * bytes;
  const isMore = biases === <isize>to;
  let row: usize = 0;
  for (; row + 4 <= rows; row += 4) {
    if (step === 1) rowsFour(from, fromBytes, terms, others, biases, to, bytes);
    else columnsFour(from, stepBytes, others, othersEnd, isMore, to, bytes, isHalf ? row << 2 : 0);
    from += 4 * fromBytes;
    to += 4 * bytes;
  }
  for (; row < rows; row++) {
    one(
      from,
      stepBytes,
      others,
      othersEnd,
      isMore ? <isize>to : biases,
      to,
      bytes,
      isHalf ? (row & ~3) << 2 : 0,
    );
    from += fromBytes;
    to += bytes;
  }
}

/** Four rows, whose terms are consecutive, two vectors at a time. */
function rowsFour(
  from: usize,
  fromBytes: usize,
  terms: usize,
  others: usize,
  biases: isize,
  to: usize,
  bytes: usize,
): void {
  const hasBiases = biases >= 0;
  const end = from + (terms << 2);
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
    let other = others + at;
    for (let one = from; one < end; one += 4) {
      const e0 = load(other);
      const e1 = load(other, 1);
      const a = splat(one);
      a0 = multiplyAdd(a0, a, e0);
      a1 = multiplyAdd(a1, a, e1);
      const b = splat(one + fromBytes);
      b0 = multiplyAdd(b0, b, e0);
      b1 = multiplyAdd(b1, b, e1);
      const c = splat(one + 2 * fromBytes);
      c0 = multiplyAdd(c0, c, e0);
      c1 = multiplyAdd(c1, c, e1);
      const d = splat(one + 3 * fromBytes);
      d0 = multiplyAdd(d0, d, e0);
      d1 = multiplyAdd(d1, d, e1);
      other += bytes;
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
    let other = others + at;
    for (let one = from; one < end; one += 4) {
      const e0 = load(other);
      a0 = multiplyAdd(a0, splat(one), e0);
      b0 = multiplyAdd(b0, splat(one + fromBytes), e0);
      c0 = multiplyAdd(c0, splat(one + 2 * fromBytes), e0);
      d0 = multiplyAdd(d0, splat(one + 3 * fromBytes), e0);
      other += bytes;
    }
    storeFour(to + at, bytes, a0, b0, c0, d0);
  }
}

/** Four rows whose values are consecutive for each term, from byte `start` of their columns on, two vectors at a time. */
function columnsFour(
  from: usize,
  step: usize,
  others: usize,
  othersEnd: usize,
  isMore: boolean,
  to: usize,
  bytes: usize,
  start: usize,
): void {
  let at = start;
  for (; at + 2 * VECTOR <= bytes; at += 2 * VECTOR) {
    const result = to + at;
    let a0 = isMore ? load(result) : zero();
    let b0 = isMore ? load(result + bytes) : zero();
    let c0 = isMore ? load(result + 2 * bytes) : zero();
    let d0 = isMore ? load(result + 3 * bytes) : zero();
    let a1 = isMore ? load(result, 1) : zero();
    let b1 = isMore ? load(result + bytes, 1) : zero();
    let c1 = isMore ? load(result + 2 * bytes, 1) : zero();
    let d1 = isMore ? load(result + 3 * bytes, 1) : zero();
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
      one += step;
    }
    storeFour(result, bytes, a0, b0, c0, d0);
    storeFour(result + VECTOR, bytes, a1, b1, c1, d1);
  }
  if (at < bytes) {
    const result = to + at;
    let a0 = isMore ? load(result) : zero();
    let b0 = isMore ? load(result + bytes) : zero();
    let c0 = isMore ? load(result + 2 * bytes) : zero();
    let d0 = isMore ? load(result + 3 * bytes) : zero();
    let one = from;
    for (let other = others + at; other < othersEnd; other += bytes) {
      const e0 = load(other);
      a0 = multiplyAdd(a0, splat(one), e0);
      b0 = multiplyAdd(b0, splat(one, 1), e0);
      c0 = multiplyAdd(c0, splat(one, 2), e0);
      d0 = multiplyAdd(d0, splat(one, 3), e0);
      one += step;
    }
    storeFour(result, bytes, a0, b0, c0, d0);
  }
}

/** One row from byte `start` of its columns on, four vectors at a time. */
function one(
  from: usize,
  step: usize,
  others: usize,
  othersEnd: usize,
  biases: isize,
  to: usize,
  bytes: usize,
  start: usize,
): void {
  const hasBiases = biases >= 0;
  let at = start;
  for (; at + 4 * VECTOR <= bytes; at += 4 * VECTOR) {
    let a = hasBiases ? load(<usize>biases + at) : zero();
    let b = hasBiases ? load(<usize>biases + at, 1) : zero();
    let c = hasBiases ? load(<usize>biases + at, 2) : zero();
    let d = hasBiases ? load(<usize>biases + at, 3) : zero();
    let one = from;
    for (let other = others + at; other < othersEnd; other += bytes) {
      const value = splat(one);
      a = multiplyAdd(a, value, load(other));
      b = multiplyAdd(b, value, load(other, 1));
      c = multiplyAdd(c, value, load(other, 2));
      d = multiplyAdd(d, value, load(other, 3));
      one += step;
    }
    storeFour(to + at, VECTOR, a, b, c, d);
  }
  for (; at < bytes; at += VECTOR) {
    let sum = hasBiases ? load(<usize>biases + at) : zero();
    let one = from;
    for (let other = others + at; other < othersEnd; other += bytes) {
      sum = multiplyAdd(sum, splat(one), load(other));
      one += step;
    }
    store(to + at, sum);
  }
}

/** Replaces negative values by 0. */
export function relu(values: usize, count: usize): void {
  const end = values + (count << 2);
  for (let at = values; at < end; at += VECTOR) store(at, positive(load(at)));
}
