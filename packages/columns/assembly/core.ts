// The machine in WebAssembly: plans and runs codes, one after the other, on blocks of rows that stay in the first-level cache.
import { CodeType, CodeWord } from "../../types/src/code/layout.js";
import { Outcome, Result, ResultStatus, Rows, State, Step, ValueField } from "../src/machine/layout.js";
import * as losses from "./losses.js";
import { draft, flagsOf, place, plan, refuse } from "./planner.js";
import { addressOf } from "./lanes.js";
import { budget, DOUBLE_TYPES, get, set, spend, state } from "./state.js";
import * as float from "./float.js";
import { FloatKernel, LossKernel } from "../src/machine/kernels.js";

// Other modules plan and run codes in their own way.
export { budget, draft, flagsOf, place, spend, state };
export { log2 } from "../../types/src/internal/elementary.js";
export { comparisons } from "./comparisons.js";
export { conversions } from "./conversions.js";
export { words } from "./words.js";

// For the kernels of other modules, because they need a table in memory.
export { cosine, exp2, log2, sine, tanh } from "../../types/src/internal/elementary.js";

/** Runs a kernel that is not in WebAssembly. */
// @ts-expect-error: decorators are AssemblyScript's
@external("env", "external")
declare function callExternal(step: usize, offset: usize, rows: usize): void;

function external(step: usize, offset: usize, rows: usize): void {
  callExternal(step, offset, rows);
  // JavaScript takes up to a microsecond for a row.
  spend(256 * <f64>rows);
}

/** Whether the table of operations has any that are not in WebAssembly. */
let hasExternals = false;
/** The rows of a block times the steps in JavaScript, so that a block takes a few milliseconds. */
const EXTERNAL_ROWS: usize = 8192;

/** The function of kernels that are not in WebAssembly, as its index in the table. */
export function externalKernel(): u32 {
  hasExternals = true;
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

/** The function of a loss of f32 outputs without weights and cases, as its index in the table, or 0. */
export function quickLoss(kernel: LossKernel): u32 {
  switch (kernel) {
    case LossKernel.squared: return losses.squared.index;
    case LossKernel.absolute: return losses.absolute.index;
    case LossKernel.greatest: return losses.greatest.index;
    case LossKernel.misses: return losses.misses.index;
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

/**
 * Runs the planned code on all rows, or on those that are left. `result` is where a loss puts its result. Returns false if the budget
 * is spent before the last row.
 */
function run(result: usize): bool {
  const rows = <usize>get(State.paddedRows);
  const blockRows = rowsOfBlocks();
  const loss = get(State.loss);
  const outputRoom: usize = get(State.outputRoom);
  const steps: usize = get(State.steps);
  const stepEnd: usize = get(State.stepEnd);
  // Every block takes some time, even without steps.
  const rowCost = <f64>((stepEnd - steps) / Step.bytes + 8);
  let from: usize = get(State.nextRow);
  if (loss != 0 && from == 0) beginLoss();
  for (; from < rows; from += blockRows) {
    if (budget <= 0) {
      set(State.nextRow, <u32>from);
      return false;
    }
    const count = min(blockRows, rows - from);
    runSteps(steps, stepEnd, from << 2, count);
    if (loss != 0) addLoss(from, count);
    if (outputRoom != 0) copyOutputs(outputRoom, from, count);
    spend(rowCost * <f64>count);
  }
  set(State.nextRow, 0);
  if (loss != 0) endLoss(result);
  else store<u32>(result, ResultStatus.ok, Result.status);
  if (outputRoom != 0) set(State.outputRoom, <u32>outputRoom + outputBytes());
  return true;
}

/** The rows of a block of the planned code: fewer than there is room for, if steps in JavaScript would take long. */
function rowsOfBlocks(): usize {
  const rows: usize = get(State.blockRows);
  if (!hasExternals) return rows;
  const end: usize = get(State.stepEnd);
  let externals: usize = 0;
  for (let step: usize = get(State.steps); step < end; step += Step.bytes) {
    if (load<u32>(step, Step.kernel) == external.index) externals++;
  }
  if (<u64>externals * <u64>rows <= <u64>EXTERNAL_ROWS) return rows;
  return max<usize>(Rows.multiple, (EXTERNAL_ROWS / externals) & ~(Rows.multiple - 1));
}

/** Runs steps on a block of rows. */
export function runSteps(step: usize, end: usize, offset: usize, rows: usize): void {
  for (; step < end; step += Step.bytes) {
    call_indirect<void>(load<u32>(step, Step.kernel), step, offset, rows);
  }
}

/** Makes the loss ready for the first row. */
export function beginLoss(): void {
  losses.begin();
}

/** Adds the rows of a block to the loss. */
export function addLoss(from: usize, rows: usize): void {
  const output = load<u32>(<usize>get(State.outputs) + (<usize>get(State.lossOutput) << 2));
  const address = addressOf(placeOf(output), from << 2);
  const type = output >> CodeWord.typeShift;
  const quick = get(State.quickLoss);
  if (quick != 0 && type == CodeType.f32) call_indirect<void>(quick, address, from, rows);
  else losses.general(get(State.loss) - 1, type, address, from, rows);
}

/** Puts the loss where results go. */
export function endLoss(result: usize): void {
  losses.end(get(State.loss) - 1, result);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function placeOf(output: u32): u32 {
  return load<u32>(<usize>get(State.values) + (<usize>(output & CodeWord.valueMask) << ValueField.shift), ValueField.place);
}

/** The logarithm of the number of bytes of an output's row. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function rowShift(output: u32): u32 {
  return ((DOUBLE_TYPES >> (output >> CodeWord.typeShift)) & 1) + 2;
}

/** The bytes of the columns of all outputs. */
function outputBytes(): u32 {
  const rows = get(State.paddedRows);
  const outputs: usize = get(State.outputs);
  const end = outputs + (<usize>get(State.outputCount) << 2);
  let bytes: u32 = 0;
  for (let output = outputs; output < end; output += 4) bytes += rows << rowShift(load<u32>(output));
  return bytes;
}

/** Copies the outputs of a block to columns. */
function copyOutputs(room: usize, from: usize, rows: usize): void {
  const outputs: usize = get(State.outputs);
  const end = outputs + (<usize>get(State.outputCount) << 2);
  for (let output = outputs; output < end; output += 4) {
    const word = load<u32>(output);
    const shift: usize = rowShift(word);
    memory.copy(room + (from << shift), addressOf(placeOf(word), from << 2), rows << shift);
    room += <usize>get(State.paddedRows) << shift;
  }
}

/** Whether the budget is spent. */
export function isOver(): bool {
  return budget <= 0;
}

/** What is wrong with the outputs of the planned code, if anything. */
export function checkOutputs(): Outcome {
  if (get(State.loss) != 0) {
    const output = get(State.lossOutput);
    if (output >= get(State.outputCount)) return refuse(Outcome.missingOutput, 0, output);
    const word = load<u32>(<usize>get(State.outputs) + (<usize>output << 2));
    if (((get(State.lossTypes) >> (word >> CodeWord.typeShift)) & 1) == 0) {
      return refuse(Outcome.wrongOutputType, word & CodeWord.valueMask, word >> CodeWord.typeShift);
    }
  }
  const room = get(State.outputRoom);
  if (room != 0 && <u64>room + outputBytes() > <u64>get(State.outputEnd)) {
    return refuse(Outcome.badOutput, 0, get(State.outputCount));
  }
  return Outcome.done;
}

/**
 * Plans and runs codes of the chunk, from the code `first` on. Returns the number of the code that cannot be planned or that was paused,
 * or `count` if all were run.
 */
export function evaluate(first: u32, count: u32): u32 {
  const codes: usize = get(State.codes);
  const offsets: usize = get(State.codeOffsets);
  let result: usize = <usize>get(State.results) + <usize>first * Result.bytes;
  for (let code = first; code < count; code++) {
    // A code that was paused has its plan.
    if (get(State.nextRow) == 0) {
      const start: usize = load<u32>(offsets + (<usize>code << 2));
      const end: usize = load<u32>(offsets + (<usize>code << 2), 4);
      let outcome = plan(codes + (start << 2), codes + (end << 2));
      if (outcome == Outcome.done) outcome = checkOutputs();
      set(State.outcome, outcome);
      if (outcome != Outcome.done) return code;
    }
    if (!run(result)) {
      set(State.outcome, Outcome.paused);
      return code;
    }
    if (get(State.termStride) != 0) set(State.lossTerms, get(State.lossTerms) + get(State.codeStride));
    result += Result.bytes;
  }
  return count;
}
