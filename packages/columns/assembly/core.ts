// The machine in WebAssembly: plans and runs codes, one after the other, on blocks of rows that stay in the first-level cache.
import { CodeWord } from "../../types/src/code/layout.js";
import { Class, Lane, Outcome, Result, ResultStatus, Rows, State, Step, Trait, ValueField } from "../src/machine/layout.js";
import { begin, mean, squared } from "./losses.js";
import { draft, flagsOf, place, plan } from "./planner.js";
import { addressOf, get, set, state } from "./state.js";
import * as float from "./float.js";
import { FloatKernel, LossKernel } from "../src/machine/kernels.js";

// Other modules plan and run codes in their own way.
export { begin as beginLoss, draft, flagsOf, place, state };
export { comparisons } from "./comparisons.js";
export { composed } from "./composed.js";
export { conversions } from "./conversions.js";
export { directed } from "./directed.js";
export { scalars } from "./scalars.js";
export { words } from "./words.js";

/** Runs a kernel that is not in WebAssembly. */
// @ts-expect-error: decorators are AssemblyScript's
@external("env", "external")
declare function callExternal(step: usize, offset: usize, rows: usize): void;

function external(step: usize, offset: usize, rows: usize): void {
  callExternal(step, offset, rows);
}

/** The function of kernels that are not in WebAssembly, as its index in the table. */
export function externalKernel(): u32 {
  return external.index;
}

/** The first free address. */
export const firstFree: usize = __heap_base;

/** The function of a kernel, as its index in the table. */
export function floatKernel(kernel: FloatKernel): u32 {
  switch (kernel) {
    case FloatKernel.add: return float.add.index;
    case FloatKernel.sub: return float.sub.index;
    case FloatKernel.mul: return float.mul.index;
    case FloatKernel.fma: return float.fma.index;
    case FloatKernel.div: return float.div.index;
    case FloatKernel.divApprox: return float.divApprox.index;
    case FloatKernel.abs: return float.absolute.index;
    case FloatKernel.neg: return float.negate.index;
    case FloatKernel.min: return float.minimum.index;
    case FloatKernel.max: return float.maximum.index;
    case FloatKernel.copysign: return float.copySign.index;
    case FloatKernel.rcp: return float.reciprocal.index;
    case FloatKernel.sqrt: return float.root.index;
    case FloatKernel.rsqrt: return float.inverseRoot.index;
    case FloatKernel.sin: return float.sinus.index;
    case FloatKernel.cos: return float.cosinus.index;
    case FloatKernel.lg2: return float.logarithm.index;
    case FloatKernel.ex2: return float.exponential.index;
    case FloatKernel.tanh: return float.hyperbolicTangent.index;
    case FloatKernel.addConstant: return float.addConstant.index;
    case FloatKernel.constantAdd: return float.constantAdd.index;
    case FloatKernel.subConstant: return float.subConstant.index;
    case FloatKernel.constantSub: return float.constantSub.index;
    case FloatKernel.mulConstant: return float.mulConstant.index;
    case FloatKernel.constantMul: return float.constantMul.index;
    case FloatKernel.divApproxConstant: return float.divApproxConstant.index;
    case FloatKernel.constantDivApprox: return float.constantDivApprox.index;
    case FloatKernel.minNaN: return float.minimumOrNaN.index;
    case FloatKernel.maxNaN: return float.maximumOrNaN.index;
    case FloatKernel.flush: return float.flushSubnormals.index;
    case FloatKernel.canonicalize: return float.canonicalize.index;
    default: return 0;
  }
}

/** The function of a loss, as its index in the table. */
export function lossKernel(kernel: LossKernel): u32 {
  switch (kernel) {
    case LossKernel.squared: return squared.index;
    case LossKernel.mean: return mean.index;
    default: return 0;
  }
}

/** Whether any of these f32, the number of which is a multiple of 16, is subnormal. */
export function hasSubnormals(address: usize, rows: usize): bool {
  const end = address + (rows << 2);
  const exponent = i32x4.splat(0x7f800000);
  const zero = i32x4.splat(0);
  let found = zero;
  for (; address < end; address += 16) {
    const value = v128.load(address);
    const small = i32x4.eq(v128.and(value, exponent), zero);
    found = v128.or(found, v128.and(small, i32x4.shl(value, 1)));
  }
  return v128.any_true(found);
}

/** Runs the planned code on all rows. `result` is where a loss puts its result. */
export function run(result: usize): void {
  const rows = <usize>get(State.paddedRows);
  const blockRows = <usize>get(State.blockRows);
  const loss = get(State.loss);
  const outputRoom: usize = get(State.outputRoom);
  const steps: usize = get(State.steps);
  const stepEnd: usize = get(State.stepEnd);
  if (loss != 0) begin();
  for (let from: usize = 0; from < rows; from += blockRows) {
    const count = min(blockRows, rows - from);
    runSteps(steps, stepEnd, from << 2, count);
    if (loss != 0) addLoss(from, count);
    if (outputRoom != 0) copyOutputs(outputRoom, from, count);
  }
  if (loss != 0) endLoss(result);
  else store<u32>(result, ResultStatus.ok, Result.status);
}

/** Runs steps on a block of rows. */
export function runSteps(step: usize, end: usize, offset: usize, rows: usize): void {
  for (; step < end; step += Step.bytes) {
    call_indirect<void>(load<u32>(step, Step.kernel), step, offset, rows);
  }
}

/** Adds the rows of a block to the loss. */
export function addLoss(from: usize, rows: usize): void {
  const place = placeOf(load<u32>(<usize>get(State.outputs) + (<usize>get(State.lossOutput) << 2)));
  call_indirect<void>(get(State.loss), addressOf(place, from << 2), from, rows);
}

/** Puts the loss where results go. */
export function endLoss(result: usize): void {
  call_indirect<void>(get(State.lossEnd), result);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function placeOf(output: u32): u32 {
  return load<u32>(<usize>get(State.values) + (<usize>(output & CodeWord.valueMask) << ValueField.shift), ValueField.place);
}

/** Copies the outputs of a block to columns of 8 bytes a row, or 4. */
function copyOutputs(room: usize, from: usize, rows: usize): void {
  const outputs: usize = get(State.outputs);
  const count: usize = get(State.outputCount);
  const stride: usize = get(State.outputStride);
  for (let output: usize = 0; output < count; output++) {
    const word = load<u32>(outputs + (output << 2));
    const value = <usize>get(State.values) + (<usize>(word & CodeWord.valueMask) << ValueField.shift);
    const shift: usize = (load<u32>(value, ValueField.traits) & Class.mask) == Class.double ? 3 : 2;
    const address = addressOf(load<u32>(value, ValueField.place), from << 2);
    memory.copy(room + output * stride + (from << shift), address, rows << shift);
  }
}

/**
 * Plans and runs codes of the chunk, from the code `first` on. Returns the number of the code that cannot be planned, or
 * `count` if all were run.
 */
export function evaluate(first: u32, count: u32): u32 {
  const codes: usize = get(State.codes);
  const offsets: usize = get(State.codeOffsets);
  let result: usize = <usize>get(State.results) + <usize>first * Result.bytes;
  for (let code = first; code < count; code++) {
    const start: usize = load<u32>(offsets + (<usize>code << 2));
    const end: usize = load<u32>(offsets + (<usize>code << 2), 4);
    const outcome = plan(codes + (start << 2), codes + (end << 2));
    set(State.outcome, outcome);
    if (outcome != Outcome.done) return code;
    if (get(State.loss) != 0 && get(State.lossOutput) >= get(State.outputCount)) {
      set(State.outcome, Outcome.badOutput);
      return code;
    }
    run(result);
    result += Result.bytes;
  }
  return count;
}
