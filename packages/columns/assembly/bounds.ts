// Kernels of approximate f32 instructions whose results are disturbed within the errors that PTX permits. The code does what
// src/bounds/disturb.ts does, operation by operation, four rows at a time. The module uses the memory of `core`, so it must
// have no data of its own.
import {
  ANGLE_ERROR,
  Approximate,
  GREATEST,
  Hash,
  INVERSE_ROOT_ERROR,
  LARGE_ANGLE_ERROR,
  LEAST_NORMAL,
  LOGARITHM_ERROR,
  ROOT_ERROR,
  SMALL_ANGLE,
  SMALL_ANGLE_ERROR,
  TANGENT_ERROR,
  TO_UNIT,
  ULP,
  USED,
} from "../src/bounds/limits.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";
import { high, low, narrow } from "./vectors.js";

// Functions of `core`, which need a table in memory.
// @ts-expect-error: decorators are AssemblyScript's
@external("env", "sine")
declare function sine(x: f64): f64;
// @ts-expect-error: decorators are AssemblyScript's
@external("env", "cosine")
declare function cosine(x: f64): f64;
// @ts-expect-error: decorators are AssemblyScript's
@external("env", "tanh")
declare function tanh(x: f64): f64;
// @ts-expect-error: decorators are AssemblyScript's
@external("env", "exp2")
declare function exp2(x: f64): f64;
// @ts-expect-error: decorators are AssemblyScript's
@external("env", "log2")
declare function log2(x: f64): f64;

const ALL_BUT_SIGN: i32 = 0x7fffffff;
const SIGN: i64 = <i64>0x8000000000000000;
const EXPONENT: i64 = 0x7ff0000000000000;
/** 2^126 */
const DIVISOR_LIMIT: f64 = 8.507059173023462e37;

let seed: u32 = 0;

export function setSeed(value: u32): void {
  seed = value;
}

function mix(word: u32): u32 {
  let mixed = word ^ (word >> 16);
  mixed *= Hash.first;
  mixed ^= mixed >> 13;
  mixed *= Hash.second;
  return mixed ^ (mixed >> 16);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mixFour(words: v128): v128 {
  let mixed = v128.xor(words, i32x4.shr_u(words, 16));
  mixed = i32x4.mul(mixed, i32x4.splat(Hash.first));
  mixed = v128.xor(mixed, i32x4.shr_u(mixed, 13));
  mixed = i32x4.mul(mixed, i32x4.splat(Hash.second));
  return v128.xor(mixed, i32x4.shr_u(mixed, 16));
}

/** The exact results of two rows. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function exactOf(operation: Approximate, a: v128, b: v128): v128 {
  if (operation == Approximate.divFull) return f64x2.div(a, b);
  if (operation == Approximate.div) {
    const zero = f64x2.mul(a, v128.and(b, i64x2.splat(SIGN)));
    return v128.bitselect(zero, f64x2.div(a, b), f64x2.gt(f64x2.abs(b), f64x2.splat(DIVISOR_LIMIT)));
  }
  if (operation == Approximate.rcp) return f64x2.div(f64x2.splat(1), a);
  if (operation == Approximate.sqrt) return f64x2.sqrt(a);
  if (operation == Approximate.rsqrt) return f64x2.div(f64x2.splat(1), f64x2.sqrt(a));
  return f64x2(scalar(operation, f64x2.extract_lane(a, 0)), scalar(operation, f64x2.extract_lane(a, 1)));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function scalar(operation: Approximate, x: f64): f64 {
  if (operation == Approximate.sin) return sine(x);
  if (operation == Approximate.cos) return cosine(x);
  if (operation == Approximate.lg2) return log2(x);
  if (operation == Approximate.ex2) return exp2(x);
  return tanh(x);
}

/** The largest errors of two rows. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function boundOf(operation: Approximate, size: v128, a: v128): v128 {
  if (operation == Approximate.sqrt) return f64x2.mul(f64x2.splat(ROOT_ERROR), size);
  if (operation == Approximate.rsqrt) return f64x2.mul(f64x2.splat(INVERSE_ROOT_ERROR), size);
  if (operation == Approximate.tanh) return f64x2.mul(f64x2.splat(TANGENT_ERROR), size);
  if (operation == Approximate.lg2) {
    const near = v128.and(f64x2.gt(a, f64x2.splat(0.5)), f64x2.lt(a, f64x2.splat(2)));
    return f64x2.mul(f64x2.splat(LOGARITHM_ERROR), v128.bitselect(f64x2.splat(1), size, near));
  }
  if (operation == Approximate.sin || operation == Approximate.cos) {
    const angle = f64x2.abs(a);
    const large = f64x2.max(f64x2.splat(ANGLE_ERROR), f64x2.mul(f64x2.splat(LARGE_ANGLE_ERROR), angle));
    return v128.bitselect(f64x2.splat(SMALL_ANGLE_ERROR), large, f64x2.le(angle, f64x2.splat(SMALL_ANGLE)));
  }
  const ulps: f64 = operation == Approximate.rcp ? 1 : 2;
  const power = v128.and(size, i64x2.splat(EXPONENT));
  return f64x2.mul(f64x2.splat(ulps), f64x2.mul(power, f64x2.splat(ULP)));
}

/** How far from the exact results two rows should be, as numbers without sign that are rounded next. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function movedOf(size: v128, used: v128, part: v128, most: f64): v128 {
  const down = f64x2.pmin(used, size);
  const up = f64x2.pmin(used, f64x2.sub(f64x2.splat(most), size));
  const room = v128.bitselect(down, up, f64x2.lt(part, f64x2.splat(0)));
  return f64x2.add(size, f64x2.mul(part, room));
}

/** Where rounded numbers are within the bound. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function within(rounded: v128, size: v128, used: v128): v128 {
  return f64x2.le(f64x2.abs(f64x2.sub(rounded, size)), used);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function areNormal(x: v128): v128 {
  const size = f32x4.abs(x);
  return v128.and(f32x4.ge(size, f32x4.splat(<f32>LEAST_NORMAL)), f32x4.le(size, f32x4.splat(<f32>GREATEST)));
}

/** Where the manual does not list the result: neither zeros nor infinities. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function areOpen(x: v128): v128 {
  const size = f32x4.abs(x);
  return v128.and(f32x4.gt(size, f32x4.splat(0)), f32x4.le(size, f32x4.splat(<f32>GREATEST)));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function map(operation: Approximate, operands: i32, symmetric: bool, most: f64, step: usize, offset: usize, rows: usize): void {
  const key = mix(mix(seed) ^ (<u32>operation * Hash.golden));
  const bias = <f64><i32>mix(key ^ Hash.bias) * TO_UNIT;
  const biases = f64x2.splat(bias);
  const spread = f64x2.splat(1 - abs(bias));
  const unit = f64x2.splat(TO_UNIT);
  const least = f32x4.splat(load<f32>(step, Step.least));
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = operands > 1 ? addressOf(load<u32>(step, Step.b), offset) : 0;
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    const x = v128.load(a);
    const y = operands > 1 ? v128.load(b) : x;
    const bits = symmetric ? v128.and(x, i32x4.splat(ALL_BUT_SIGN)) : x;
    let hash = mixFour(v128.xor(i32x4.splat(key), bits));
    if (operands > 1) hash = v128.xor(hash, symmetric ? v128.and(y, i32x4.splat(ALL_BUT_SIGN)) : y);
    hash = mixFour(hash);
    const upperHash = v128.shuffle<i64>(hash, hash, 1, 0);
    const lowPart = f64x2.add(biases, f64x2.mul(spread, f64x2.mul(f64x2.convert_low_i32x4_s(hash), unit)));
    const highPart = f64x2.add(biases, f64x2.mul(spread, f64x2.mul(f64x2.convert_low_i32x4_s(upperHash), unit)));
    const lowX = low(x);
    const highX = high(x);
    const lowExact = exactOf(operation, lowX, low(y));
    const highExact = exactOf(operation, highX, high(y));
    const lowSize = f64x2.abs(lowExact);
    const highSize = f64x2.abs(highExact);
    const lowUsed = f64x2.mul(boundOf(operation, lowSize, lowX), f64x2.splat(USED));
    const highUsed = f64x2.mul(boundOf(operation, highSize, highX), f64x2.splat(USED));
    const nearest = narrow(lowExact, highExact);
    const moved = narrow(movedOf(lowSize, lowUsed, lowPart, most), movedOf(highSize, highUsed, highPart, most));
    const allowed = v128.shuffle<i32>(within(low(moved), lowSize, lowUsed), within(high(moved), highSize, highUsed), 0, 2, 4, 6);
    const chosen = v128.and(v128.and(allowed, areOpen(x)), v128.and(areNormal(nearest), areNormal(moved)));
    const signed = v128.bitselect(moved, nearest, i32x4.splat(ALL_BUT_SIGN));
    const result = v128.bitselect(signed, nearest, chosen);
    const small = f32x4.lt(f32x4.abs(result), least);
    v128.store(target, v128.andnot(result, v128.and(small, i32x4.splat(ALL_BUT_SIGN))));
    a += 16;
    if (operands > 1) b += 16;
    target += 16;
  } while (target < end);
}

export function div(step: usize, offset: usize, rows: usize): void { map(Approximate.div, 2, true, Infinity, step, offset, rows); }
export function divFull(step: usize, offset: usize, rows: usize): void { map(Approximate.divFull, 2, true, Infinity, step, offset, rows); }
export function rcp(step: usize, offset: usize, rows: usize): void { map(Approximate.rcp, 1, true, Infinity, step, offset, rows); }
export function sqrt(step: usize, offset: usize, rows: usize): void { map(Approximate.sqrt, 1, false, Infinity, step, offset, rows); }
export function rsqrt(step: usize, offset: usize, rows: usize): void { map(Approximate.rsqrt, 1, false, Infinity, step, offset, rows); }
export function sin(step: usize, offset: usize, rows: usize): void { map(Approximate.sin, 1, true, 1, step, offset, rows); }
export function cos(step: usize, offset: usize, rows: usize): void { map(Approximate.cos, 1, true, 1, step, offset, rows); }
export function lg2(step: usize, offset: usize, rows: usize): void { map(Approximate.lg2, 1, false, Infinity, step, offset, rows); }
export function ex2(step: usize, offset: usize, rows: usize): void { map(Approximate.ex2, 1, false, Infinity, step, offset, rows); }
export function tanhApprox(step: usize, offset: usize, rows: usize): void { map(Approximate.tanh, 1, true, 1, step, offset, rows); }
