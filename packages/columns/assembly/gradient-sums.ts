// Sums of products of columns over all rows, in f64, where products of f32 are exact. Row r belongs to lane r mod 4 of four sums, so
// that results do not depend on the length of blocks.
import { ErrorKind, Parameter, Room } from "../src/gradient/layout.js";
import { State, ValueField } from "../src/machine/layout.js";
import { addressOf, get, room, valueAt } from "./gradient-core.js";
import { errors, ones, output, parameterCount } from "./gradient-plan.js";
import { high, low, narrow } from "./vectors.js";

/** The bytes of a sum: four lanes. */
const SUM: usize = 32;
const SIGN: i64 = <i64>0x8000000000000000;

/** Where the first sum would be, and the first row of which there are sums. */
let lanes: usize = 0;
let firstRow: u32 = 0;
/** Columns are the derivatives with respect to constants, and after them one or three for the output. */
export let columnCount: u32 = 0;
let kind: ErrorKind = 0;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function sumAt(row: u32, column: u32): usize {
  return lanes + <usize>(((row * (row + 1)) >> 1) + column) * SUM;
}

/** Starts new sums at an address, of pairs of columns in which the first is at least `row`. */
export function beginSums(address: usize, row: u32): void {
  firstRow = row;
  lanes = 0;
  lanes = address - sumAt(row, 0);
  kind = room(Room.errors);
  columnCount = parameterCount + (kind == ErrorKind.scaled ? 3 : 1);
  memory.fill(address, 0, sumAt(columnCount, 0) - address);
}

/** The rows of a block that exist. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function validRows(from: usize, rows: usize): usize {
  return min(rows, <usize>get(State.rows) - from);
}

/** Lanes of the last rows, when they are not a multiple of four. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function maskOf(rows: usize): v128 {
  return i32x4.gt_s(i32x4.splat(<i32>(rows & 3)), i32x4(0, 1, 2, 3));
}

/**
 * Writes the errors of a block as f32, and adds their squares. For `ErrorKind.absolute`, these are their signs. Returns the sum of
 * squares so far.
 */
export function writeErrors(from: usize, rows: usize): f64 {
  const offset = from << 2;
  let y = addressOf(load<u32>(valueAt(output), ValueField.place), offset);
  let target: usize = <usize>get(State.target) + (from << 3);
  let to: usize = errors;
  const weights = room(Room.rootWeights);
  let weight = addressOf(weights, offset);
  const sum = sumAt(parameterCount, parameterCount);
  let lowSum = v128.load(sum);
  let highSum = v128.load(sum, 16);
  const valid = validRows(from, rows);
  const end = to + ((valid + 3) & ~3) * 4;
  const last = (valid & 3) == 0 ? <usize>0 : end - 16;
  for (; to < end; to += 16) {
    const value = v128.load(y);
    let lowError = f64x2.sub(low(value), v128.load(target));
    let highError = f64x2.sub(high(value), v128.load(target, 16));
    if (kind == ErrorKind.absolute) {
      lowError = signOf(lowError);
      highError = signOf(highError);
    }
    if (weights != 0) {
      const factor = v128.load(weight);
      lowError = f64x2.mul(lowError, low(factor));
      highError = f64x2.mul(highError, high(factor));
      weight += 16;
    }
    let narrowed = narrow(lowError, highError);
    if (to == last) {
      const mask = maskOf(valid);
      narrowed = v128.and(narrowed, mask);
      lowError = v128.and(lowError, i64x2.extend_low_i32x4_s(mask));
      highError = v128.and(highError, i64x2.extend_high_i32x4_s(mask));
    }
    lowSum = f64x2.add(lowSum, f64x2.mul(lowError, lowError));
    highSum = f64x2.add(highSum, f64x2.mul(highError, highError));
    v128.store(to, narrowed);
    y += 16;
    target += 32;
  }
  v128.store(sum, lowSum);
  v128.store(sum, highSum, 16);
  return joined(sum);
}

/** Writes the outputs of a block times the roots of their weights. */
export function writeWeighted(from: usize, rows: usize): void {
  let y = addressOf(load<u32>(valueAt(output), ValueField.place), from << 2);
  let weight = addressOf(room(Room.rootWeights), from << 2);
  const end = errors + (rows << 2);
  for (let to: usize = errors; to < end; to += 16) {
    v128.store(to, f32x4.mul(v128.load(y), v128.load(weight)));
    y += 16;
    weight += 16;
  }
}

/** 1 or -1 with the sign of a number; a zero or a NaN stays. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function signOf(x: v128): v128 {
  const one = v128.or(f64x2.splat(1), v128.and(x, i64x2.splat(SIGN)));
  const zero = f64x2.splat(0);
  return v128.bitselect(one, x, v128.or(f64x2.lt(x, zero), f64x2.gt(x, zero)));
}

/** The address of a column's rows. */
function columnAt(index: u32, offset: usize): usize {
  if (index < parameterCount) {
    const parameter = <usize>room(Room.parameters) + (<usize>index << Parameter.shift);
    return addressOf(load<u32>(parameter, Parameter.derivative), offset);
  }
  const weights = room(Room.rootWeights);
  if (index == parameterCount + 1) return addressOf(room(Room.centered), offset);
  if (index == parameterCount + 2) return weights == 0 ? <usize>ones : addressOf(weights, offset);
  const isError = kind != ErrorKind.scaled || weights != 0;
  return isError ? <usize>errors : addressOf(load<u32>(valueAt(output), ValueField.place), offset);
}

/** Adds the products of a block. */
export function addProducts(from: usize, rows: usize): void {
  const offset = from << 2;
  const valid = validRows(from, rows);
  // The square of errors is there already.
  const isDone = kind != ErrorKind.scaled;
  for (let row = firstRow; row < columnCount; row++) {
    const a = columnAt(row, offset);
    const count = isDone && row + 1 == columnCount ? row : row + 1;
    let sum = sumAt(row, 0);
    let column: u32 = 0;
    for (; column + 3 <= count; column += 3) {
      products(3, a, columnAt(column, offset), columnAt(column + 1, offset), columnAt(column + 2, offset), sum, valid);
      sum += 3 * SUM;
    }
    const rest = count - column;
    if (rest == 2) products(2, a, columnAt(column, offset), columnAt(column + 1, offset), a, sum, valid);
    else if (rest == 1) products(1, a, columnAt(column, offset), a, a, sum, valid);
  }
}

/** Adds the products of a column with up to three others. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function products(count: i32, a: usize, b: usize, c: usize, d: usize, sum: usize, valid: usize): void {
  let lowB = v128.load(sum);
  let highB = v128.load(sum, 16);
  let lowC = lowB;
  let highC = highB;
  let lowD = lowB;
  let highD = highB;
  if (count > 1) {
    lowC = v128.load(sum, 32);
    highC = v128.load(sum, 48);
  }
  if (count > 2) {
    lowD = v128.load(sum, 64);
    highD = v128.load(sum, 80);
  }
  const end = a + ((valid & ~3) << 2);
  while (a < end) {
    const x = v128.load(a);
    const lowX = low(x);
    const highX = high(x);
    const y = v128.load(b);
    lowB = f64x2.add(lowB, f64x2.mul(lowX, low(y)));
    highB = f64x2.add(highB, f64x2.mul(highX, high(y)));
    if (count > 1) {
      const z = v128.load(c);
      lowC = f64x2.add(lowC, f64x2.mul(lowX, low(z)));
      highC = f64x2.add(highC, f64x2.mul(highX, high(z)));
      c += 16;
    }
    if (count > 2) {
      const z = v128.load(d);
      lowD = f64x2.add(lowD, f64x2.mul(lowX, low(z)));
      highD = f64x2.add(highD, f64x2.mul(highX, high(z)));
      d += 16;
    }
    a += 16;
    b += 16;
  }
  if ((valid & 3) != 0) {
    const mask = maskOf(valid);
    const x = v128.and(v128.load(a), mask);
    const lowX = low(x);
    const highX = high(x);
    const y = v128.and(v128.load(b), mask);
    lowB = f64x2.add(lowB, f64x2.mul(lowX, low(y)));
    highB = f64x2.add(highB, f64x2.mul(highX, high(y)));
    if (count > 1) {
      const z = v128.and(v128.load(c), mask);
      lowC = f64x2.add(lowC, f64x2.mul(lowX, low(z)));
      highC = f64x2.add(highC, f64x2.mul(highX, high(z)));
    }
    if (count > 2) {
      const z = v128.and(v128.load(d), mask);
      lowD = f64x2.add(lowD, f64x2.mul(lowX, low(z)));
      highD = f64x2.add(highD, f64x2.mul(highX, high(z)));
    }
  }
  v128.store(sum, lowB);
  v128.store(sum, highB, 16);
  if (count > 1) {
    v128.store(sum, lowC, 32);
    v128.store(sum, highC, 48);
  }
  if (count > 2) {
    v128.store(sum, lowD, 64);
    v128.store(sum, highD, 80);
  }
}

function joined(sum: usize): f64 {
  return (load<f64>(sum) + load<f64>(sum, 8)) + (load<f64>(sum, 16) + load<f64>(sum, 24));
}

function signAt(index: u32): f64 {
  if (index >= parameterCount) return 1;
  const parameter = <usize>room(Room.parameters) + (<usize>index << Parameter.shift);
  return load<u32>(parameter, Parameter.negative) == 0 ? 1 : -1;
}

/** Writes the sums, row after row, each up to its diagonal. */
export function endSums(to: usize): void {
  let sum = sumAt(firstRow, 0);
  for (let row = firstRow; row < columnCount; row++) {
    const sign = signAt(row);
    for (let column: u32 = 0; column <= row; column++) {
      store<f64>(to, joined(sum) * (sign * signAt(column)));
      sum += SUM;
      to += 8;
    }
  }
}
