// The machine in JavaScript, for platforms that forbid WebAssembly: the same results, bit for bit, a block of rows at a time.
import { type CodeBatch, encodeOperation, operandsOf, operationText } from "@mm-ptx/types/code";
import { wordsOf } from "@mm-ptx/types/internal";
import { readMnemonic } from "../arithmetic/operation.js";
import { ColumnsError } from "../error.js";
import type { DerivativeMachine } from "./derivatives.js";
import { floatLoop } from "./float-loops.js";
import type { ColumnKernel } from "./javascript.js";
import { JavaScriptLoss } from "./javascript-losses.js";
import { type Place, type PlannedCode, type PlannedKernel, planCode } from "./javascript-planner.js";
import { type JavaScriptLanes, javaScriptLanes } from "./lanes.js";
import { Outcome, ResultStatus } from "./layout.js";
import {
  type ComputeData,
  type InputColumn,
  type Machine,
  type OutputRoom,
  outputRowBytes,
  type Results,
  type Task,
} from "./machine.js";
import { type Refusal, refusal, unsupported } from "./problems.js";

/** Rows of a block; each takes 8 bytes of a slot. */
const BLOCK_ROWS = 512;
/** The most rows of a block times steps, because a row of some steps takes a microsecond; and the fewest rows. */
const BLOCK_WORK = 16384;
const LEAST_ROWS = 16;
const SLOT_BYTES = BLOCK_ROWS * 8;

/** A code that has been run on some of the rows. */
interface Progress {
  readonly task: Task;
  readonly planned: PlannedCode;
  readonly code: number;
  nextRow: number;
  readonly loss: JavaScriptLoss | undefined;
  /** The output that the loss reads. */
  readonly compared: Place | undefined;
}

type FindKernel = (word: number) => ColumnKernel | undefined;

export class JavaScriptMachine implements Machine {
  readonly backend = "javascript";
  readonly #floats = new Map<number, PlannedKernel | undefined>();
  readonly #subnormals = new WeakMap<InputColumn, boolean>();
  /** The kernels of all operations, once they are loaded. */
  #kernels: FindKernel | undefined;
  /** The kernel of a disturbed instruction, once they are loaded; whether they have to be; those that were used; the seed of the task. */
  #makeDisturbed: ((word: number, seed: () => number) => PlannedKernel | undefined) | undefined;
  #needsDisturbed = false;
  readonly #disturbed = new Map<number, PlannedKernel | undefined>();
  #seed: number | undefined;
  /** The code that `run` has begun. */
  #progress: Progress | undefined;
  #lanes: JavaScriptLanes = javaScriptLanes(new ArrayBuffer(0));

  neededBytes = 0;
  readonly copiesColumns = false;
  lacksKernels = false;

  get heldBytes(): number {
    return this.#lanes.words.byteLength;
  }

  async derivatives(): Promise<DerivativeMachine> {
    const { javaScriptDerivatives } = await import("../gradient/javascript.js");
    const lanes = (): JavaScriptLanes => this.#lanes;
    return javaScriptDerivatives({
      blockRows: BLOCK_ROWS,
      get lanes() {
        return lanes();
      },
      plan: (task, code, index) => {
        const planned = this.#plan(code, task, index, true);
        this.lacksKernels = planned === undefined;
        if (planned !== undefined) comparedOutput(task, planned, index);
        return planned;
      },
      load: ({ columns }, planned) => this.#load(planned, columns.length),
      runBlock: ({ columns }, planned, from, count) => this.#runBlock(planned, columns, from, count),
      address: ({ slots }, place) => this.#address(place, slots),
    });
  }

  async load(): Promise<void> {
    const { javaScriptKernel } = await import("./javascript.js");
    this.#kernels = javaScriptKernel;
    if (this.#needsDisturbed) this.#makeDisturbed = (await import("../bounds/javascript.js")).disturbedKernel;
  }

  run(
    task: Task,
    { words, offsets }: CodeBatch,
    first: number,
    end: number,
    results: Results,
    until: number,
  ): number {
    this.#needsDisturbed = task.seed !== undefined;
    this.lacksKernels = this.#needsDisturbed && this.#makeDisturbed === undefined;
    if (this.lacksKernels) return first;
    for (let code = first; code < end; code++) {
      if (this.#progress?.code !== code || this.#progress.task !== task) {
        const planned = this.#plan(words.subarray(offsets[code]!, offsets[code + 1]!), task, code);
        this.lacksKernels = planned === undefined;
        if (planned === undefined) return code;
        this.#progress = this.#begin(task, planned, code, results);
      }
      if (!this.#finish(this.#progress, results, until)) return code;
      this.#progress = undefined;
    }
    return end;
  }

  /** Makes a code ready for its first row. */
  #begin(task: Task, planned: PlannedCode, code: number, { cases }: Results): Progress {
    const { loss, rows, columns } = task;
    this.#load(planned, columns.length);
    if (loss === undefined) return { task, planned, code, nextRow: 0, loss: undefined, compared: undefined };
    const { type, place } = comparedOutput(task, planned, code);
    const sum = new JavaScriptLoss(loss, rows, BLOCK_ROWS);
    sum.begin(type, cases?.subarray(code * rows, (code + 1) * rows));
    return { task, planned, code, nextRow: 0, loss: sum, compared: place };
  }

  /** Runs the rows that are left; returns `false` if the time is over before the last one. */
  #finish(progress: Progress, results: Results, until: number): boolean {
    const { task, planned, code, loss, compared } = progress;
    const { rows, columns } = task;
    const most = Math.min(BLOCK_ROWS, Math.max(LEAST_ROWS, Math.floor(BLOCK_WORK / planned.steps.length)));
    while (progress.nextRow < rows) {
      if (performance.now() >= until) return false;
      const from = progress.nextRow;
      const count = Math.min(most, rows - from);
      this.#runBlock(planned, columns, from, count);
      loss?.add(this.#lanes, this.#address(compared!, planned.slots), from, count);
      if (results.outputs !== undefined) this.#copyOutputs(progress, results.outputs, count);
      progress.nextRow += count;
    }
    if (loss === undefined) results.status[code] = ResultStatus.ok;
    else loss.end(code, results);
    return true;
  }

  #copyOutputs(
    { planned, code, nextRow }: Progress,
    { bytes, firsts, starts }: OutputRoom,
    count: number,
  ): void {
    planned.outputs.forEach(({ place, type }, output) => {
      const rowBytes = outputRowBytes(type);
      const at = this.#address(place, planned.slots);
      const block = new Uint8Array(this.#lanes.words.buffer, at, count * rowBytes);
      bytes.set(block, starts[firsts[code]! + output]! + nextRow * rowBytes);
    });
  }

  compute(code: Uint32Array, { columns, rows }: ComputeData, target: Uint8Array): void {
    const planned = this.#plan(code, { columns }, 0);
    if (planned === undefined) throw unsupported(0, this.#stopped.item, this.#stopped.word);
    this.#progress = undefined;
    this.#load(planned, columns.length);
    const laneBytes = target.length / rows;
    const [output] = planned.outputs;
    for (let from = 0; from < rows; from += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, rows - from);
      this.#runBlock(planned, columns, from, count);
      const at = this.#address(output!.place, planned.slots);
      target.set(new Uint8Array(this.#lanes.words.buffer, at, count * laneBytes), from * laneBytes);
    }
  }

  /** Where the last plan stopped. */
  #stopped: Refusal = { outcome: Outcome.done, item: 0, word: 0 };

  /** Plans a code; returns `undefined` if its operations have to be loaded. @throws ColumnsError */
  #plan(
    code: Uint32Array,
    { columns, seed }: Pick<Task, "columns" | "seed">,
    index: number,
    keep = false,
  ): PlannedCode | undefined {
    this.#seed = seed;
    const planned = planCode(
      code,
      columns,
      (column) => this.#hasSubnormals(column),
      (word) => this.#disturb(word) ?? this.#float(word) ?? this.#other(word),
      keep,
    );
    if (!("outcome" in planned)) return planned;
    this.#stopped = planned;
    if (planned.outcome === Outcome.unknownOperation && this.#kernels === undefined) return undefined;
    throw refusal(index, planned, columns.length);
  }

  /** The kernel of an instruction that the task disturbs. */
  #disturb(word: number): PlannedKernel | undefined {
    if (this.#seed === undefined) return undefined;
    if (this.#disturbed.has(word)) return this.#disturbed.get(word);
    const kernel = this.#makeDisturbed!(word, () => this.#seed!);
    this.#disturbed.set(word, kernel);
    return kernel;
  }

  /** The kernel of a common f32 instruction. */
  #float(word: number): PlannedKernel | undefined {
    if (this.#floats.has(word)) return this.#floats.get(word);
    const operands = operandsOf(word);
    const text = operationText(word);
    const mnemonic = readMnemonic(text);
    const run = encodeOperation(text, operands) === word ? floatLoop(mnemonic, operands) : undefined;
    const args = Array.from({ length: operands }, () => "32" as const);
    const flushes = mnemonic.words.has("ftz");
    const kernel = run === undefined ? undefined : ({ args, result: "32", run, flushes } as const);
    this.#floats.set(word, kernel);
    return kernel;
  }

  /** The kernel of another instruction, which flushes its operands itself. */
  #other(word: number): PlannedKernel | undefined {
    const kernel = this.#kernels?.(word);
    return kernel === undefined ? undefined : { ...kernel, flushes: false };
  }

  #hasSubnormals(column: InputColumn): boolean {
    const known = this.#subnormals.get(column);
    if (known !== undefined) return known;
    const { bytes, isDouble } = column;
    const found = !isDouble && holdsSubnormals(wordsOf(bytes));
    this.#subnormals.set(column, found);
    return found;
  }

  /** Makes room for the slots and inputs of a block, and writes the constants. */
  #load({ slots, constants }: PlannedCode, inputs: number): void {
    const bytes = (slots + inputs) * SLOT_BYTES;
    this.neededBytes = bytes;
    if (this.#lanes.words.byteLength < bytes) this.#lanes = javaScriptLanes(memoryOf(bytes));
    const { words } = this.#lanes;
    for (const { slot, low, high } of constants) {
      const at = (slot * SLOT_BYTES) / 4;
      if (high === undefined) words.fill(low, at, at + BLOCK_ROWS);
      else {
        for (let word = at; word < at + 2 * BLOCK_ROWS; word += 2) {
          words[word] = low;
          words[word + 1] = high;
        }
      }
    }
  }

  #runBlock(
    { slots, steps }: PlannedCode,
    columns: readonly InputColumn[],
    from: number,
    count: number,
  ): void {
    const lanes = this.#lanes;
    columns.forEach(({ bytes, isDouble }, index) => {
      const laneBytes = isDouble ? 8 : 4;
      const part = bytes.subarray(from * laneBytes, (from + count) * laneBytes);
      new Uint8Array(lanes.words.buffer).set(part, (slots + index) * SLOT_BYTES);
    });
    for (const { kernel, target, operands } of steps) {
      const [a, b, c, d] = operands;
      const place = (operand: Place | undefined): number =>
        operand === undefined ? 0 : this.#address(operand, slots);
      kernel.run(lanes, target * SLOT_BYTES, place(a), place(b), place(c), place(d), count);
    }
  }

  #address({ kind, index }: Place, slots: number): number {
    return (kind === "input" ? slots + index : index) * SLOT_BYTES;
  }
}

/** The output that a loss reads. @throws ColumnsError INVALID_ARGUMENT, BAD_CODE */
function comparedOutput(
  { loss, columns }: Task,
  { outputs }: PlannedCode,
  code: number,
): PlannedCode["outputs"][number] {
  const refuse = (outcome: Outcome, item: number, word: number): ColumnsError =>
    refusal(code, { outcome, item, word }, columns.length);
  const compared = outputs[loss!.output];
  if (compared === undefined) throw refuse(Outcome.missingOutput, 0, loss!.output);
  const { type, value } = compared;
  if (((loss!.types >>> type) & 1) === 0) throw refuse(Outcome.wrongOutputType, value, type);
  return compared;
}

/** @throws ColumnsError INSUFFICIENT_BUFFER */
function memoryOf(bytes: number): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ColumnsError("INSUFFICIENT_BUFFER", `expected ${bytes} bytes of memory, found less`);
  }
}

/** Whether one of the words is a subnormal f32. */
const holdsSubnormals = (words: Uint32Array): boolean =>
  words.some((word) => (word & 0x7f800000) === 0 && (word & 0x7fffff) !== 0);
