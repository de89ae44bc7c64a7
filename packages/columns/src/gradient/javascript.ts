// Derivatives on the machine in JavaScript, with the bits of assembly/gradient.ts. It is loaded when first used.
import { evolve } from "../fit/evolution.js";
import { at, isFinite64, startProblem } from "../fit/problem.js";
import { seedRandom } from "../fit/random.js";
import { fitSquares, isSmooth, pairsOf, readSlope } from "../fit/squares.js";
import { type DerivativeMachine, type FitPlan, type FitResults, roomOf } from "../machine/derivatives.js";
import type { PlannedCode } from "../machine/javascript-planner.js";
import type { Task } from "../machine/machine.js";
import { columnsOf, errorKind, MOST_CONSTANTS, numbersOf } from "./common.js";
import { isDifferentiable, neededValues, readItems } from "./items.js";
import { type BlockHost, type Model, makeModel } from "./javascript-model.js";
import { ErrorKind, FitStatus, Method } from "./layout.js";

/** The parts of the machine that derivatives need. */
export interface Host extends BlockHost {
  /** Plans a code for a task, whose values keep their slots; returns `undefined` if operations have to be loaded. */
  plan(task: Task, code: Uint32Array, index: number): PlannedCode | undefined;
}

export function javaScriptDerivatives(host: Host): DerivativeMachine {
  return {
    run(task, plan, { words, offsets }, first, end, results, until) {
      for (let code = first; code < end; code++) {
        const part = words.subarray(offsets[code]!, offsets[code + 1]!);
        const planned = host.plan(task, part, code);
        if (planned === undefined) return code;
        fitCode(host, task, plan, part, planned, code, roomOf({ words, offsets }, code), results);
        if (performance.now() >= until) return code + 1;
      }
      return end;
    },
  };
}

/** The constants that a method changes. */
interface Parameter {
  readonly item: number;
  /** Its number among the constants of the code. */
  readonly index: number;
}

function fitCode(
  host: Host,
  task: Task,
  plan: FitPlan,
  words: Uint32Array,
  planned: PlannedCode,
  code: number,
  start: number,
  results: FitResults,
): void {
  const items = readItems(words);
  const { value: output, type } = planned.outputs[task.loss!.output]!;
  const constants = items.flatMap(({ constant }, item) =>
    constant === undefined ? [] : [{ item, bits: constant }],
  );
  results.counts[code] = constants.length;
  results.constants?.set(
    constants.map(({ bits }) => bits),
    start,
  );
  const { method } = plan;
  let status = FitStatus.ok;
  if (method === Method.levenbergMarquardt && constants.length > MOST_CONSTANTS)
    status = FitStatus.tooManyConstants;
  else if (method !== Method.evolution && !isDifferentiable(items, output, type))
    status = FitStatus.notDifferentiable;
  const hasDerivatives = method !== Method.evolution && status === FitStatus.ok;
  const needed = hasDerivatives ? neededValues(items, output) : [];
  const parameters = constants
    .map(({ item }, index) => ({ item, index }))
    .filter(({ item }) => (hasDerivatives ? needed[item] : method === Method.evolution));
  const errors = errorKind(task.loss!) ?? ErrorKind.squared;
  const model = makeModel(
    host,
    task,
    planned,
    items,
    needed,
    parameters.map(({ item }) => item),
    errors,
    type,
  );
  const numbers = startProblem(numbersOf(plan, errors, parameters.length), model.evaluate);
  parameters.forEach(({ item }, k) => {
    numbers[k] = floatOf(items[item]!.constant!);
  });
  const job = { plan, model, status, parameters, errors, code, start };
  if (method === Method.gradient) status = gradient(job, task, constants.length, results);
  else status = tune(job, results);
  results.status[code] = status;
  results.lossBefore[code] = model.firstLoss;
  results.evaluations[code] = model.evaluations;
}

interface Job {
  readonly plan: FitPlan;
  readonly model: Model;
  readonly status: FitStatus;
  readonly parameters: readonly Parameter[];
  readonly errors: ErrorKind;
  readonly code: number;
  /** The index in the results at which the constants of the code begin. */
  readonly start: number;
}

/** Writes the derivatives of the loss. */
function gradient(job: Job, task: Task, constants: number, results: FitResults): FitStatus {
  const { model, parameters, errors, start } = job;
  let { status } = job;
  const count = parameters.length;
  const isPlain = status !== FitStatus.ok || count === 0;
  const first = pairsOf(count);
  model.begin(count);
  const loss = model.evaluate(0, isPlain ? -1 : 2 * count, Number.POSITIVE_INFINITY);
  results.loss[job.code] = loss;
  const derivatives = results.derivatives!.subarray(start, start + constants);
  derivatives.fill(0);
  if (!isFinite64(loss)) status = FitStatus.notFinite;
  else if (!isPlain) {
    const factor = errors === ErrorKind.absolute ? 1 : 2;
    readSlope(count, columnsOf(errors, count), 2 * count - first, count, factor / task.loss!.divisor);
    let sum = 0;
    parameters.forEach(({ index }, k) => {
      derivatives[index] = at(count + k);
      sum += at(count + k);
    });
    if (!isFinite64(sum)) status = FitStatus.noGradient;
  }
  if (status !== FitStatus.ok) derivatives.fill(Number.NaN);
  return status;
}

/** Fits the constants. */
function tune(job: Job, results: FitResults): FitStatus {
  const { plan, model, parameters, errors, code, start } = job;
  let { status } = job;
  const count = parameters.length;
  model.begin(0);
  let loss: number;
  if (plan.method === Method.evolution) {
    seedRandom(plan.seeds![2 * code]! | 0, plan.seeds![2 * code + 1]! | 0);
    loss = evolve(count, plan.iterations);
  } else if (status === FitStatus.ok) {
    loss = fitSquares(count, columnsOf(errors, count), plan.iterations, plan.tolerance);
    if (!isSmooth) status = FitStatus.noGradient;
  } else {
    loss = model.evaluate(0, -1, Number.POSITIVE_INFINITY);
  }
  results.loss[code] = loss;
  parameters.forEach(({ index }, k) => {
    const before = floatOf(results.constants![start + index]!);
    // A NaN keeps its bits.
    if (at(k) !== before && !Number.isNaN(before)) results.constants![start + index] = bitsOf(at(k));
  });
  return isFinite64(loss) ? status : FitStatus.notFinite;
}

const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

function floatOf(bits: number): number {
  scratchBits[0] = bits;
  return scratch[0]!;
}

function bitsOf(value: number): number {
  scratch[0] = value;
  return scratchBits[0]!;
}
