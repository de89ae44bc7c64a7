// Evaluates a planned code with other constants, together with sums of products of its derivatives.
import { ErrorKind, Parameter, Room } from "../src/gradient/layout.js";
import { Result, ResultStatus, State, Step } from "../src/machine/layout.js";
import { addLoss, beginLoss, endLoss, get, room, runSteps, spend } from "./gradient-core.js";
import { runReverse } from "./gradient-kernels.js";
import { fill, parameterCount, reverseEnd } from "./gradient-plan.js";
import { addProducts, beginSums, endSums, writeErrors, writeWeighted } from "./gradient-sums.js";

/** Where the machine puts losses. */
let result: usize = 0;
/** The first row of sums of products: 0, or the number of parameters if only the derivatives of the loss are wanted. */
let firstRow: u32 = 0;
/** The number where the lanes of sums begin. */
let lanes: i32 = 0;
export let evaluations: u32 = 0;
/** The loss of the constants that were evaluated first. */
export let firstLoss: f64 = 0;

/** Starts with a code. */
export function beginModel(address: usize, first: u32, lanesAt: i32): void {
  result = address;
  firstRow = first;
  lanes = lanesAt;
  evaluations = 0;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function numbersAt(index: i32): usize {
  return <usize>room(Room.numbers) + (<usize>index << 3);
}

/** The loss, or NaN. */
function loss(): f64 {
  const found = load<u32>(result, Result.status) == ResultStatus.ok ? load<f64>(result, Result.loss) : NaN;
  if (evaluations == 1) firstLoss = found;
  return found;
}

/** See `evaluate` in src/fit/problem.ts. */
export function evaluateConstants(from: i32, sums: i32, limit: f64): f64 {
  evaluations++;
  let parameter: usize = room(Room.parameters);
  for (let k: u32 = 0; k < parameterCount; k++) {
    const bits = reinterpret<u32>(<f32>load<f64>(numbersAt(from + k)));
    store<u32>(load<u32>(parameter, Parameter.bits), bits);
    fill(load<u32>(parameter, Parameter.column), bits);
    parameter += Parameter.bytes;
  }
  const rows = <usize>get(State.paddedRows);
  const blockRows = <usize>get(State.blockRows);
  const steps: usize = get(State.steps);
  const stepEnd: usize = get(State.stepEnd);
  const reverseSteps: usize = room(Room.steps);
  const isScaled = room(Room.errors) == ErrorKind.scaled;
  const hasWeights = room(Room.rootWeights) != 0;
  const hasSums = sums >= 0;
  const stepCount = (stepEnd - steps) / Step.bytes;
  const reverseCount = hasSums ? 2 * (reverseEnd - reverseSteps) / Step.bytes : 0;
  const cost = <f64>(stepCount + reverseCount + 8);
  beginLoss();
  if (hasSums) beginSums(numbersAt(lanes), firstRow);
  for (let row: usize = 0; row < rows; row += blockRows) {
    const count = min(blockRows, rows - row);
    runSteps(steps, stepEnd, row << 2, count);
    spend(cost * <f64>count);
    if (!hasSums) {
      addLoss(row, count);
      continue;
    }
    if (!isScaled) {
      if (writeErrors(row, count) > limit) return Infinity;
    } else if (hasWeights) {
      writeWeighted(row, count);
    }
    addLoss(row, count);
    runReverse(reverseSteps, reverseEnd, row << 2, count);
    addProducts(row, count);
  }
  endLoss(result);
  if (hasSums) endSums(numbersAt(sums));
  return loss();
}
