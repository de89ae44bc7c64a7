// The module of gradients: derivatives of losses with respect to the constants of codes, and methods that fit these constants. It plans
// and runs codes with the functions of the core module, in the same memory.
import { ErrorKind, FitResult, FitStatus, Method, Parameter, Room } from "../src/gradient/layout.js";
import { Outcome, Result, State } from "../src/machine/layout.js";
import { evolve } from "../src/fit/evolution.js";
import { seedRandom } from "../src/fit/random.js";
import { fitNumbers, fitSquares, isSmooth, pairsOf, readSlope } from "../src/fit/squares.js";
import { checkOutputs, draft, get, isOver, place, room, roomNumber, set, setRoom } from "./gradient-core.js";
import { beginModel, evaluateConstants, evaluations, firstLoss, numbersAt } from "./gradient-model.js";
import {
  constantCount,
  copyConstants,
  listConstants,
  parameterCount,
  placeDerivatives,
  planDerivatives,
  slotsNeeded,
} from "./gradient-plan.js";

export { setRoom };

/** The number of constants of the codes of the chunk that are done. */
let written: usize = 0;
let lossBefore: f64 = 0;
let lossAfter: f64 = 0;

/**
 * Does what the room says with codes of the chunk, from the code `first` on. Returns the number of the code that cannot be planned, or
 * `count` if all are done.
 */
export function fit(first: u32, count: u32): u32 {
  const codes: usize = get(State.codes);
  const offsets: usize = get(State.codeOffsets);
  if (first == 0) written = 0;
  for (let code = first; code < count; code++) {
    const start: usize = load<u32>(offsets + (<usize>code << 2));
    const end: usize = load<u32>(offsets + (<usize>code << 2), 4);
    const outcome = fitCode(code, codes + (start << 2), codes + (end << 2));
    set(State.outcome, outcome);
    if (outcome != Outcome.done) return code;
    written += constantCount;
    if (isOver() && code + 1 < count) {
      set(State.outcome, Outcome.paused);
      return code + 1;
    }
  }
  return count;
}

function fitCode(code: u32, start: usize, end: usize): Outcome {
  let outcome: Outcome = draft(start, end);
  if (outcome != Outcome.done) return outcome;
  outcome = checkOutputs();
  if (outcome != Outcome.done) return outcome;
  const constants = <usize>room(Room.constants) + (written << 2);
  copyConstants(constants);
  const method = <Method>room(Room.method);
  let status: FitStatus = FitStatus.ok;
  if (method == Method.levenbergMarquardt && constantCount > room(Room.mostConstants)) status = FitStatus.tooManyConstants;
  else if (method != Method.evolution && !planDerivatives()) status = FitStatus.notDifferentiable;
  const hasDerivatives = method != Method.evolution && status == FitStatus.ok;
  outcome = place(hasDerivatives ? slotsNeeded() : get(State.slotCount));
  if (outcome != Outcome.done) return outcome;
  if (hasDerivatives) placeDerivatives();
  else listConstants(method == Method.evolution);
  readConstants(constants);
  const result = <usize>get(State.results) + <usize>code * Result.bytes;
  const to = <usize>room(Room.results) + <usize>code * FitResult.bytes;
  if (method == Method.gradient) {
    status = gradient(result, status);
  } else {
    status = tune(code, result, status);
    writeConstants(constants);
  }
  store<f64>(to, lossBefore, FitResult.lossBefore);
  store<f64>(to, lossAfter, FitResult.loss);
  store<u32>(to, evaluations, FitResult.evaluations);
  store<u32>(to, status, FitResult.status);
  store<u32>(to, constantCount, FitResult.constants);
  return Outcome.done;
}

function isFinite64(x: f64): bool {
  return x - x == 0;
}

/** Writes the derivatives of the loss. */
function gradient(result: usize, status: FitStatus): FitStatus {
  const derivatives = <usize>room(Room.derivatives) + (written << 3);
  for (let k: usize = 0; k < <usize>constantCount; k++) store<f64>(derivatives + (k << 3), status == FitStatus.ok ? 0 : NaN);
  const count = <i32>parameterCount;
  const isPlain = status != FitStatus.ok || count == 0;
  const columns = count + (room(Room.errors) == ErrorKind.scaled ? 3 : 1);
  const first = pairsOf(count);
  const sums = 2 * count;
  beginModel(result, count, sums + pairsOf(columns) - first);
  lossBefore = evaluateConstants(0, isPlain ? -1 : sums, Infinity);
  lossAfter = lossBefore;
  if (!isFinite64(lossBefore)) status = FitStatus.notFinite;
  else if (!isPlain) {
    const factor: f64 = room(Room.errors) == ErrorKind.absolute ? 1 : 2;
    readSlope(count, columns, sums - first, count, factor / roomNumber(Room.divisor));
    let sum: f64 = 0;
    for (let k = 0; k < count; k++) {
      const slope = load<f64>(numbersAt(count + k));
      store<f64>(derivatives + (<usize>load<u32>(parameterAt(k), Parameter.index) << 3), slope);
      sum += slope;
    }
    if (!isFinite64(sum)) status = FitStatus.noGradient;
  }
  if (status != FitStatus.ok) {
    for (let k: usize = 0; k < <usize>constantCount; k++) store<f64>(derivatives + (k << 3), NaN);
  }
  return status;
}

/** Fits the constants. */
function tune(code: u32, result: usize, status: FitStatus): FitStatus {
  const count = <i32>parameterCount;
  const iterations = room(Room.iterations);
  if (room(Room.method) == Method.evolution) {
    const seeds = <usize>room(Room.seeds) + (<usize>code << 3);
    seedRandom(load<i32>(seeds), load<i32>(seeds, 4));
    beginModel(result, 0, 0);
    lossAfter = evolve(count, iterations);
  } else if (status == FitStatus.ok) {
    const columns = count + (room(Room.errors) == ErrorKind.scaled ? 3 : 1);
    beginModel(result, 0, fitNumbers(count, columns));
    lossAfter = fitSquares(count, columns, iterations, roomNumber(Room.tolerance));
    if (!isSmooth) status = FitStatus.noGradient;
  } else {
    beginModel(result, 0, 0);
    lossAfter = evaluateConstants(0, -1, Infinity);
  }
  lossBefore = firstLoss;
  return isFinite64(lossAfter) ? status : FitStatus.notFinite;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function parameterAt(index: i32): usize {
  return <usize>room(Room.parameters) + (<usize>index << Parameter.shift);
}

/** Makes the constants the first numbers. */
function readConstants(constants: usize): void {
  for (let k: i32 = 0; k < <i32>parameterCount; k++) {
    const index = <usize>load<u32>(parameterAt(k), Parameter.index);
    store<f64>(numbersAt(k), <f64>load<f32>(constants + (index << 2)));
  }
}

/** Writes the constants that have changed. */
function writeConstants(constants: usize): void {
  for (let k: i32 = 0; k < <i32>parameterCount; k++) {
    const place = constants + (<usize>load<u32>(parameterAt(k), Parameter.index) << 2);
    const x = <f32>load<f64>(numbersAt(k));
    // A NaN keeps its bits.
    if (x != load<f32>(place) && x == x) store<f32>(place, x);
  }
}
