// Losses of one output against a target, summed while the block is in the cache. Row r belongs to lane r mod 4 of four sums, each with
// its compensation (Knuth's two-sum), so that a loss does not depend on the length of blocks. What an output or a term that is not
// finite does is decided by arithmetic: the loss is not finite either. losses.ts in src/machine/ computes the same bits.
import { LossKernel } from "../src/machine/kernels.js";
import { Class, LossNumber, Result, ResultStatus, State } from "../src/machine/layout.js";
import { DOUBLE_TYPES, get, state } from "./state.js";
import { toDoubles } from "./to-doubles.js";
import { high, low } from "./vectors.js";

const SUMS: usize = State.sums;
const NO_SIGN: i64 = 0x7fffffffffffffff;

export function begin(): void {
  memory.fill(state + SUMS, 0, State.sumBytes * 2);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function number(field: LossNumber): f64 {
  return load<f64>(state + State.lossNumbers + field);
}

/** The terms of two rows. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function terms(kernel: LossKernel, error: v128, tolerance: v128): v128 {
  if (kernel == LossKernel.squared) return f64x2.mul(error, error);
  const absolute = v128.and(error, i64x2.splat(NO_SIGN));
  if (kernel != LossKernel.misses) return absolute;
  const miss = v128.and(f64x2.gt(absolute, tolerance), f64x2.splat(1));
  return f64x2.add(miss, f64x2.sub(error, error));
}

/** What `total` lacks of the sum of two numbers. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function lost(sum: v128, term: v128, total: v128): v128 {
  const part = f64x2.sub(total, sum);
  return f64x2.add(f64x2.sub(sum, f64x2.sub(total, part)), f64x2.sub(term, part));
}

/** Adds a term to a lane, or to a greatest term. */
function addTo(lane: usize, term: f64): void {
  const sum = load<f64>(lane);
  const total = sum + term;
  const part = total - sum;
  store<f64>(lane, total);
  store<f64>(lane, load<f64>(lane, 32) + ((sum - (total - part)) + (term - part)), 32);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function put(kernel: LossKernel, lane: usize, term: f64): void {
  if (kernel == LossKernel.greatest) store<f64>(lane, max(load<f64>(lane), term));
  else addTo(lane, term);
}

/** The four lanes of a sum, joined. */
function joined(sums: usize): f64 {
  const sum = (load<f64>(sums) + load<f64>(sums, 8)) + (load<f64>(sums, 16) + load<f64>(sums, 24));
  const rest = (load<f64>(sums, 32) + load<f64>(sums, 40)) + (load<f64>(sums, 48) + load<f64>(sums, 56));
  return sum + rest;
}

/** f32 outputs, without weights: `from` is the number of the block's first row. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function quick(kernel: LossKernel, address: usize, from: usize, rows: usize): void {
  const sums = state + SUMS;
  const tolerance = f64x2.splat(number(LossNumber.tolerance));
  let lowSum = v128.load(sums);
  let highSum = v128.load(sums, 16);
  let lowRest = v128.load(sums, 32);
  let highRest = v128.load(sums, 48);
  let target: usize = <usize>get(State.target) + (from << 3);
  const valid = min<usize>(<usize>get(State.rows) - from, rows);
  const end = address + ((valid & ~3) << 2);
  while (address < end) {
    const output = v128.load(address);
    const lowTerm = terms(kernel, f64x2.sub(low(output), v128.load(target)), tolerance);
    const highTerm = terms(kernel, f64x2.sub(high(output), v128.load(target, 16)), tolerance);
    if (kernel == LossKernel.greatest) {
      lowSum = f64x2.max(lowSum, lowTerm);
      highSum = f64x2.max(highSum, highTerm);
    } else {
      const lowTotal = f64x2.add(lowSum, lowTerm);
      const highTotal = f64x2.add(highSum, highTerm);
      lowRest = f64x2.add(lowRest, lost(lowSum, lowTerm, lowTotal));
      highRest = f64x2.add(highRest, lost(highSum, highTerm, highTotal));
      lowSum = lowTotal;
      highSum = highTotal;
    }
    address += 16;
    target += 32;
  }
  v128.store(sums, lowSum);
  v128.store(sums, highSum, 16);
  v128.store(sums, lowRest, 32);
  v128.store(sums, highRest, 48);
  for (let row: usize = 0; row < (valid & 3); row++) {
    const error = <f64>load<f32>(address + (row << 2)) - load<f64>(target + (row << 3));
    put(kernel, sums + (row << 3), f64x2.extract_lane(terms(kernel, f64x2.splat(error), tolerance), 0));
  }
}

export function squared(address: usize, from: usize, rows: usize): void {
  quick(LossKernel.squared, address, from, rows);
}

export function absolute(address: usize, from: usize, rows: usize): void {
  quick(LossKernel.absolute, address, from, rows);
}

export function greatest(address: usize, from: usize, rows: usize): void {
  quick(LossKernel.greatest, address, from, rows);
}

export function misses(address: usize, from: usize, rows: usize): void {
  quick(LossKernel.misses, address, from, rows);
}

/** Outputs of any type: they become f64, then terms, which are added with their weights. */
export function general(kernel: LossKernel, type: u32, address: usize, from: usize, rows: usize): void {
  const values = <usize>get(State.lossValues) + from * <usize>get(State.valueStride);
  toDoubles(type, address, values, rows);
  if (kernel == LossKernel.scaled) return;
  const output = <usize>get(State.lossTerms) + from * <usize>get(State.termStride);
  const target = <usize>get(State.target) + (from << 3);
  if (kernel == LossKernel.squared) errors(LossKernel.squared, values, target, output, rows);
  else if (kernel == LossKernel.misses) errors(LossKernel.misses, values, target, output, rows);
  else if (kernel == LossKernel.bits) differentBits(type, address, values, target, output, rows);
  else errors(LossKernel.absolute, values, target, output, rows);
  const sums = state + SUMS;
  const valid = min<usize>(<usize>get(State.rows) - from, rows);
  const weights: usize = get(State.weights);
  for (let row: usize = 0; row < valid; row++) {
    let term = load<f64>(output + (row << 3));
    if (weights != 0) term *= load<f64>(weights + ((from + row) << 3));
    const lane = sums + ((row & 3) << 3);
    if (kernel == LossKernel.greatest) put(LossKernel.greatest, lane, term);
    else addTo(lane, term);
  }
}

/** Gives NaNs the bits that they have in results. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function canonical(terms: v128): v128 {
  return v128.bitselect(terms, f64x2.splat(NaN), f64x2.eq(terms, terms));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function errors(kernel: LossKernel, values: usize, target: usize, output: usize, rows: usize): void {
  const tolerance = f64x2.splat(number(LossNumber.tolerance));
  for (let at: usize = 0; at < rows << 3; at += 16) {
    const term = terms(kernel, f64x2.sub(v128.load(values + at), v128.load(target + at)), tolerance);
    v128.store(output + at, canonical(term));
  }
}

/** The numbers of bits by which outputs differ from the target. */
function differentBits(type: u32, address: usize, values: usize, target: usize, output: usize, rows: usize): void {
  const mask = load<u64>(state + State.lossNumbers + LossNumber.mask);
  const isDouble = ((DOUBLE_TYPES >> type) & 1) != 0;
  for (let row: usize = 0; row < rows; row++) {
    const bits: u64 = isDouble ? load<u64>(address + (row << 3)) : <u64>load<u32>(address + (row << 2));
    const value = load<f64>(values + (row << 3));
    const differing = popcnt<u64>((bits & mask) ^ load<u64>(target + (row << 3)));
    store<f64>(output + (row << 3), value - value == 0 ? <f64>differing : NaN);
  }
}

/** Ends a loss. */
export function end(kernel: LossKernel, result: usize): void {
  const sums = state + SUMS;
  if (kernel == LossKernel.scaled) return endScaled(result);
  let loss: f64;
  if (kernel == LossKernel.greatest) {
    loss = max(max(load<f64>(sums), load<f64>(sums, 8)), max(load<f64>(sums, 16), load<f64>(sums, 24)));
  } else {
    loss = joined(sums) / number(LossNumber.divisor);
  }
  finish(loss, loss - loss, result);
}

/** @param doubt 0 if everything is finite, and NaN if not */
function finish(loss: f64, doubt: f64, result: usize): void {
  const finite = doubt == 0;
  store<f64>(result, finite ? loss : NaN, Result.loss);
  store<u32>(result, finite ? ResultStatus.ok : ResultStatus.notFinite, Result.status);
}

/** What is summed over the rows of a column of outputs. */
const enum Sum {
  /** Differences from the first output. */
  shifted,
  /** Squares of the differences from the mean. */
  squares,
  /** Products of these differences with those of the target. */
  products,
  /** Squared errors of scaled outputs. */
  residuals,
}

/** The terms of two rows, without their weights. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function scaledTerms(kind: Sum, value: v128, target: usize, first: v128, mean: v128, scale: v128, offset: v128): v128 {
  if (kind == Sum.shifted) return f64x2.sub(value, first);
  if (kind == Sum.residuals) {
    const error = f64x2.sub(v128.load(target), f64x2.add(offset, f64x2.mul(scale, value)));
    return f64x2.mul(error, error);
  }
  const deviation = f64x2.sub(f64x2.sub(value, first), mean);
  if (kind == Sum.squares) return f64x2.mul(deviation, deviation);
  return f64x2.mul(deviation, f64x2.sub(v128.load(target), f64x2.splat(number(LossNumber.targetMean))));
}

/** Sums over the column of outputs; the numbers are those of `endScaled`. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function sum(kind: Sum, first: f64, mean: f64, scale: f64, offset: f64): f64 {
  begin();
  const sums = state + SUMS;
  const values: usize = get(State.lossValues);
  const target: usize = get(State.target);
  const weights: usize = get(State.weights);
  const output: usize = get(State.termStride) != 0 ? <usize>get(State.lossTerms) : 0;
  const firsts = f64x2.splat(first);
  const means = f64x2.splat(mean);
  const scales = f64x2.splat(scale);
  const offsets = f64x2.splat(offset);
  let lowSum = f64x2.splat(0);
  let highSum = lowSum;
  let lowRest = lowSum;
  let highRest = lowSum;
  const rows: usize = get(State.rows);
  const end = (rows & ~3) << 3;
  for (let at: usize = 0; at < end; at += 32) {
    let lowTerm = scaledTerms(kind, v128.load(values + at), target + at, firsts, means, scales, offsets);
    let highTerm = scaledTerms(kind, v128.load(values + at, 16), target + at + 16, firsts, means, scales, offsets);
    if (kind == Sum.residuals && output != 0) {
      v128.store(output + at, canonical(lowTerm));
      v128.store(output + at, canonical(highTerm), 16);
    }
    if (weights != 0) {
      lowTerm = f64x2.mul(lowTerm, v128.load(weights + at));
      highTerm = f64x2.mul(highTerm, v128.load(weights + at, 16));
    }
    const lowTotal = f64x2.add(lowSum, lowTerm);
    const highTotal = f64x2.add(highSum, highTerm);
    lowRest = f64x2.add(lowRest, lost(lowSum, lowTerm, lowTotal));
    highRest = f64x2.add(highRest, lost(highSum, highTerm, highTotal));
    lowSum = lowTotal;
    highSum = highTotal;
  }
  v128.store(sums, lowSum);
  v128.store(sums, highSum, 16);
  v128.store(sums, lowRest, 32);
  v128.store(sums, highRest, 48);
  for (let at = end; at < rows << 3; at += 8) {
    // There is room for whole pairs of rows.
    const pair = scaledTerms(kind, v128.load(values + at), target + at, firsts, means, scales, offsets);
    const term = f64x2.extract_lane(pair, 0);
    if (kind == Sum.residuals && output != 0) store<f64>(output + at, term == term ? term : NaN);
    addTo(sums + (at & 24), weights == 0 ? term : term * load<f64>(weights + at));
  }
  return joined(sums);
}

/** Finds the scale and the offset with the least squared error, and the loss of the outputs that are scaled with them. */
function endScaled(result: usize): void {
  const first = load<f64>(get(State.lossValues));
  const mean = sum(Sum.shifted, first, 0, 0, 0) / number(LossNumber.weightSum);
  const variance = sum(Sum.squares, first, mean, 0, 0);
  const scale = variance == 0 ? 0 : sum(Sum.products, first, mean, 0, 0) / variance;
  const offset = number(LossNumber.targetMean) - scale * (first + mean);
  const loss = sum(Sum.residuals, first, mean, scale, offset) / number(LossNumber.divisor);
  const doubt = loss - loss + (variance - variance) + (scale - scale) + (offset - offset);
  store<f64>(result, doubt == 0 ? scale : NaN, Result.scale);
  store<f64>(result, doubt == 0 ? offset : NaN, Result.offset);
  finish(loss, doubt, result);
}
