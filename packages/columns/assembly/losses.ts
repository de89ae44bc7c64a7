// Losses of one output against a target, summed while the block is in the cache. Row r belongs to lane r mod 4 of four sums, each with
// its compensation (Knuth's two-sum), so that a loss does not depend on the length of blocks.
import { Result, ResultStatus, Rows, State } from "../src/machine/layout.js";
import { get, state } from "./state.js";
import { high, low } from "./vectors.js";

const SUMS: usize = State.sums;

export function begin(): void {
  memory.fill(state + SUMS, 0, State.bytes - State.sums);
}

/** Squared errors of f32 outputs. `from` is the number of the block's first row. */
export function squared(address: usize, from: usize, rows: usize): void {
  const sums = state + SUMS;
  let lowSum = v128.load(sums);
  let highSum = v128.load(sums, 16);
  let lowRest = v128.load(sums, 32);
  let highRest = v128.load(sums, 48);
  let target: usize = <usize>get(State.target) + (from << 3);
  const left = <isize>get(State.rows) - <isize>from;
  const valid = min<isize>(left, rows);
  const end = address + (<usize>(valid & ~3) << 2);
  while (address < end) {
    const output = v128.load(address);
    const lowError = f64x2.sub(low(output), v128.load(target));
    const highError = f64x2.sub(high(output), v128.load(target, 16));
    const lowTerm = f64x2.mul(lowError, lowError);
    const highTerm = f64x2.mul(highError, highError);
    const lowTotal = f64x2.add(lowSum, lowTerm);
    const highTotal = f64x2.add(highSum, highTerm);
    lowRest = f64x2.add(lowRest, lost(lowSum, lowTerm, lowTotal));
    highRest = f64x2.add(highRest, lost(highSum, highTerm, highTotal));
    lowSum = lowTotal;
    highSum = highTotal;
    address += 16;
    target += 32;
  }
  v128.store(sums, lowSum);
  v128.store(sums, highSum, 16);
  v128.store(sums, lowRest, 32);
  v128.store(sums, highRest, 48);
  for (let row: usize = 0; row < <usize>(valid & 3); row++) {
    const error = <f64>load<f32>(address + (row << 2)) - load<f64>(target + (row << 3));
    addTo(sums + (row << 3), error * error);
  }
}

/** What `total` lacks of the sum of two numbers. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function lost(sum: v128, term: v128, total: v128): v128 {
  const part = f64x2.sub(total, sum);
  return f64x2.add(f64x2.sub(sum, f64x2.sub(total, part)), f64x2.sub(term, part));
}

function addTo(lane: usize, term: f64): void {
  const sum = load<f64>(lane);
  const total = sum + term;
  const part = total - sum;
  store<f64>(lane, total);
  store<f64>(lane, load<f64>(lane, 32) + ((sum - (total - part)) + (term - part)), 32);
}

/** The four lanes of a sum, joined. */
function joined(sums: usize): f64 {
  const sum = (load<f64>(sums) + load<f64>(sums, 8)) + (load<f64>(sums, 16) + load<f64>(sums, 24));
  const rest = (load<f64>(sums, 32) + load<f64>(sums, 40)) + (load<f64>(sums, 48) + load<f64>(sums, 56));
  return sum + rest;
}

/** Ends a mean: of squared errors, for example. The first of the loss's numbers is what to divide by. */
export function mean(result: usize): void {
  const loss = joined(state + SUMS) / load<f64>(state + State.lossNumbers);
  const finite = loss - loss == 0;
  store<f64>(result, finite ? loss : NaN, Result.loss);
  store<u32>(result, finite ? ResultStatus.ok : ResultStatus.notFinite, Result.status);
}
