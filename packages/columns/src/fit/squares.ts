// Levenberg-Marquardt for sums of squares. The file is both TypeScript and AssemblyScript.
//
// Models are evaluated together with sums of products of columns: the derivatives of the output with respect to each constant, then
// the errors; or, when outputs are scaled linearly, the outputs, the targets and ones. All the rest is computed from these sums.

// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types.
import { at, copy, evaluate, Index, isFinite64, put, rounded } from "./problem.js";

/** Marquardt's damping: the diagonal of the curvature is multiplied by one plus this. */
const FIRST_DAMPING: number = 1e-3;
const LEAST_DAMPING: number = 1e-9;
const MOST_DAMPING: number = 1e12;
/** A constant whose projected derivative is smaller than this part of the derivative only scales the output. */
const PROJECTED: number = 1e-12;
/** A variance that is a smaller fraction of the mean square is only rounding error. */
const CONSTANT: number = 1e-14;
/** A pivot that is a smaller fraction of its diagonal element is only rounding error. */
const PIVOT: number = 1e-14;
/** Sums of squares that exceed the current one by this factor need not be completed. */
const MARGIN: number = 1.000001;

/** The sum of squares that the normal equations belong to. */
let squares: number = 0.0;

/** Whether the derivatives at the first constants of the last fit were finite. */
export let isSmooth: boolean = true;

/** The index of a sum in rows of a triangle. */
function pair(row: Index, column: Index): Index {
  return ((row * (row + 1)) >> 1) + column;
}

/** The number of pairs of columns. */
export function pairsOf(columns: Index): Index {
  return pair(columns, 0);
}

/** The numbers that a fit needs; four for each pair of columns follow. */
export function fitNumbers(count: Index, columns: Index): Index {
  return 4 * count + 2 * count * count + 2 * pairsOf(columns);
}

/**
 * Changes the constants, numbers 0 to `count` - 1, so that the loss decreases, and returns the loss.
 * @param columns `count` + 1 for errors, `count` + 3 for linear scaling
 * @param tolerance stops when the loss decreases by a smaller part of itself
 */
export function fitSquares(count: Index, columns: Index, iterations: Index, tolerance: number): number {
  const trial = count;
  const size = pairsOf(columns);
  let sums: Index = 4 * count + 2 * count * count;
  let spare: Index = sums + size;
  isSmooth = true;
  let loss = evaluate(0, iterations > 0 && count > 0 ? sums : -1, Infinity);
  if (!isFinite64(loss) || count === 0) return loss;
  let damping = FIRST_DAMPING;
  let growth = 4.0;
  let isNew = true;
  for (let round: Index = 0; round < iterations; round++) {
    if (isNew && !readEquations(count, columns, sums)) {
      isSmooth = round > 0;
      return loss;
    }
    isNew = false;
    let tried = Infinity;
    let predicted = 0.0;
    if (solve(count, damping)) {
      predicted = propose(count, damping);
      if (predicted < 0.0) return loss;
      if (predicted < Infinity) {
        const limit = columns === count + 1 ? squares * MARGIN : Infinity;
        tried = evaluate(trial, round + 1 < iterations ? spare : -1, limit);
      }
    }
    if (tried < loss) {
      const part = (loss - tried) / loss;
      const gain = (part * squares) / predicted;
      loss = tried;
      copy(trial, 0, count);
      const old = sums;
      sums = spare;
      spare = old;
      isNew = true;
      if (part <= tolerance) return loss;
      if (gain > 0.25) damping = Math.max(LEAST_DAMPING, damping * (gain > 0.75 ? 0.1 : 0.5));
      else damping *= 2.0;
      growth = 4.0;
    } else {
      damping *= growth;
      growth *= 2.0;
      if (damping > MOST_DAMPING) return loss;
    }
  }
  return loss;
}

/**
 * Proposes constants by subtracting the step from the current ones, and returns the predicted decrease of the sum of
 * squares: -1 if the constants stay the same, infinity if they are not finite.
 */
function propose(count: Index, damping: number): number {
  const step = 2 * count;
  const slope = 3 * count;
  const curvature = 4 * count;
  let changes = false;
  let overflows = false;
  let predicted = 0.0;
  for (let k: Index = 0; k < count; k++) {
    const x = at(k);
    const change = at(step + k);
    const changed = rounded(x - change);
    put(count + k, changed);
    if (changed !== x) changes = true;
    if (!isFinite64(changed)) overflows = true;
    predicted += change * (at(slope + k) + damping * at(curvature + k * count + k) * change);
  }
  if (overflows) return Infinity;
  return changes ? Math.max(predicted, 0.0) : -1.0;
}

/** Reads the normal equations off the sums; returns whether they are finite. */
function readEquations(count: Index, columns: Index, sums: Index): boolean {
  return columns === count + 1 ? readErrors(count, sums) : readScaled(count, sums);
}

function readErrors(count: Index, sums: Index): boolean {
  const slope = 3 * count;
  const curvature = 4 * count;
  squares = at(sums + pair(count, count));
  let total = squares;
  for (let row: Index = 0; row < count; row++) {
    const g = at(sums + pair(count, row));
    put(slope + row, g);
    total += g;
    for (let column: Index = 0; column <= row; column++) {
      const h = at(sums + pair(row, column));
      put(curvature + row * count + column, h);
      total += h;
    }
  }
  return isFinite64(total);
}

/**
 * With outputs scaled by their optimal factor: derivatives are projected onto the part that the factor and the offset
 * cannot fit (Kaufman's variable projection).
 */
function readScaled(count: Index, sums: Index): boolean {
  const slope = 3 * count;
  const curvature = 4 * count;
  const output = count;
  const target = count + 1;
  const outputs = covariance(count, sums, output, output);
  const products = covariance(count, sums, target, output);
  const factor = isConstant(count, sums, outputs) ? 0.0 : products / outputs;
  if (!isFinite64(factor)) return false;
  squares = Math.max(covariance(count, sums, target, target) - factor * products, 0.0);
  let total = squares;
  for (let row: Index = 0; row < count; row++) {
    const ofOutput = covariance(count, sums, output, row);
    const g = factor === 0.0 ? 0.0 : factor * (factor * ofOutput - covariance(count, sums, target, row));
    put(slope + row, g);
    total += g;
    for (let column: Index = 0; column <= row; column++) {
      const whole = covariance(count, sums, row, column);
      const projected = whole - (ofOutput / outputs) * covariance(count, sums, output, column);
      const isNothing = row === column && !(projected > whole * PROJECTED);
      const h = isNothing || factor === 0.0 ? 0.0 : factor * factor * projected;
      put(curvature + row * count + column, h);
      total += h;
    }
  }
  return isFinite64(total);
}

/** Whether outputs are the same in all rows, up to rounding. Nothing changes then if they are scaled. */
function isConstant(count: Index, sums: Index, outputs: number): boolean {
  return outputs <= at(sums + pair(count, count)) * CONSTANT;
}

/** The sum of products of two columns after subtracting their means; `column` must not come after `row`. */
function covariance(count: Index, sums: Index, row: Index, column: Index): number {
  const ones = count + 2;
  const total = at(sums + pair(ones, ones));
  return at(sums + pair(row, column)) - (at(sums + pair(ones, row)) / total) * at(sums + pair(ones, column));
}

/**
 * Solves the damped normal equations by Cholesky's factorization; returns whether that was possible. Constants without influence
 * stay.
 */
function solve(count: Index, damping: number): boolean {
  const step = 2 * count;
  const slope = 3 * count;
  const curvature = 4 * count;
  const factor = curvature + count * count;
  for (let row: Index = 0; row < count; row++) {
    const diagonal = at(curvature + row * count + row);
    const isFixed = !(diagonal > 0.0);
    let right = isFixed ? 0.0 : at(slope + row);
    for (let column: Index = 0; column < row; column++) {
      const isZero = isFixed || !(at(curvature + column * count + column) > 0.0);
      let value = isZero ? 0.0 : at(curvature + row * count + column);
      for (let k: Index = 0; k < column; k++) {
        value -= at(factor + row * count + k) * at(factor + column * count + k);
      }
      value /= at(factor + column * count + column);
      put(factor + row * count + column, value);
      right -= value * at(step + column);
    }
    const damped = isFixed ? 1.0 : diagonal * (1.0 + damping);
    let pivot = damped;
    for (let k: Index = 0; k < row; k++) {
      const value = at(factor + row * count + k);
      pivot -= value * value;
    }
    if (!(pivot > damped * PIVOT)) return false;
    const root = Math.sqrt(pivot);
    put(factor + row * count + row, root);
    put(step + row, right / root);
  }
  for (let row: Index = count - 1; row >= 0; row--) {
    let value = at(step + row);
    for (let k: Index = row + 1; k < count; k++) {
      value -= at(factor + k * count + row) * at(step + k);
    }
    put(step + row, value / at(factor + row * count + row));
  }
  return true;
}

/**
 * Turns the sums into derivatives, numbers `to` and following.
 * @param factor what the derivatives of half the sum of squares are multiplied by
 */
export function readSlope(count: Index, columns: Index, sums: Index, to: Index, factor: number): void {
  // Adding zero makes a negative zero positive.
  if (columns === count + 1) {
    for (let k: Index = 0; k < count; k++) put(to + k, at(sums + pair(count, k)) * factor + 0.0);
    return;
  }
  const outputs = covariance(count, sums, count, count);
  const scale = isConstant(count, sums, outputs) ? 0.0 : covariance(count, sums, count + 1, count) / outputs;
  for (let k: Index = 0; k < count; k++) {
    const slope = scale * covariance(count, sums, count, k) - covariance(count, sums, count + 1, k);
    put(to + k, scale === 0.0 ? 0.0 : scale * slope * factor + 0.0);
  }
}
