// The memory that kernels work in: steps, constants and columns of one block of rows, at addresses that are the same
// for the WebAssembly kernels and those in JavaScript. All interpreters of a thread share it, because an evaluation
// finishes before another one starts.
import { LEAST_NORMAL_32 } from "@mm-ptx/types/internal";
import { AstPtxError } from "../error.js";
import { Patience } from "../patience.js";
import { Step } from "./kernel.js";
import { type Plan, PlanStep, SlotKind } from "./plan.js";

/** Runs steps, in WebAssembly, or in JavaScript where that is not allowed. */
export interface Kernels {
  readonly backend: "webassembly" | "javascript";
  /** The first address that steps may use. */
  readonly firstFree: number;
  /** Replaced when `reserve` makes it longer. */
  readonly buffer: ArrayBuffer;
  /** Makes the buffer at least this many bytes long; its contents may be lost. */
  reserve(bytes: number): void;
  /** Runs the steps from address `start` to `stop` on columns of `bytes` bytes, which is a nonzero multiple of 16. */
  run(start: number, stop: number, bytes: number): void;
}

const LANES = 4;
const FLOAT_BYTES = 4;
const VECTOR_BYTES = LANES * FLOAT_BYTES;
/** The columns of a block should stay in a first-level cache. */
const CACHE_BYTES = 24576;
const FEWEST_ROWS = 64;
const MOST_ROWS = 1024;
/** Beyond this size, saving memory matters more than speed. */
const MANY_COLUMNS = 65536;

export class Workspace {
  /** Rows of a block. */
  rows = 0;
  #floats = new Float32Array(0);
  #words = new Uint32Array(0);
  #plan: Plan | undefined;
  /** Addresses: of the first step, behind the last one, and of the first constant, column and temporary column. */
  readonly #start: number;
  #stop = 0;
  readonly #parts = [0, 0, 0];
  #bytes = 0;
  readonly #patience = new Patience();
  /** What runs the steps: others, with less memory, when much of it has not been needed for a while. */
  kernels: Kernels;

  readonly #makeKernels: () => Kernels;

  constructor(makeKernels: () => Kernels) {
    this.#makeKernels = makeKernels;
    this.kernels = makeKernels();
    this.#start = Math.ceil(this.kernels.firstFree / VECTOR_BYTES) * VECTOR_BYTES;
  }

  /** Makes a program the one that is run. @throws AstPtxError INSUFFICIENT_BUFFER when memory is short */
  load(plan: Plan): void {
    if (plan === this.#plan && this.#patience.keeps(this.kernels.buffer.byteLength, this.#bytes)) return;
    this.#plan = undefined;
    this.#layOut(plan);
    this.#reserve();
    this.#writeSteps(plan);
    plan.constants.forEach((bits, index) => {
      const at = this.#addressOf(index << SlotKind.shift) / FLOAT_BYTES;
      this.#words.fill(bits, at, at + LANES);
    });
    this.#plan = plan;
  }

  /** Fills a column of the plan with `count` rows from `start` on. */
  fill(column: number, from: Float32Array, start: number, count: number): void {
    const at = this.#addressOf((column << SlotKind.shift) | SlotKind.column) / FLOAT_BYTES;
    this.#floats.set(start === 0 && count === from.length ? from : from.subarray(start, start + count), at);
  }

  /** Runs the program on as many rows as the columns were filled with. */
  run(count: number): void {
    if (this.#stop === this.#start) return;
    this.kernels.run(this.#start, this.#stop, Math.ceil(count / LANES) * VECTOR_BYTES);
  }

  /** Copies the results of `count` rows to `output`, from `start` on. */
  read(output: Float32Array, start: number, count: number): void {
    const { result } = this.#plan!;
    const at = this.#addressOf(result) / FLOAT_BYTES;
    if ((result & SlotKind.mask) !== SlotKind.constant) {
      output.set(this.#floats.subarray(at, at + count), start);
      return;
    }
    // As words, because an engine may change a NaN that it reads as a number.
    new Uint32Array(output.buffer, output.byteOffset + start * FLOAT_BYTES, count).fill(this.#words[at]!);
  }

  #layOut({ steps, constants, columns, temporaries }: Plan): void {
    const columnCount = columns.length + temporaries;
    this.rows = blockRows(columnCount);
    this.#stop = this.#start + (steps.length / PlanStep.length) * Step.bytes;
    const columnBytes = this.rows * FLOAT_BYTES;
    const firstConstant = Math.ceil(this.#stop / VECTOR_BYTES) * VECTOR_BYTES;
    const firstColumn = firstConstant + constants.length * VECTOR_BYTES;
    const firstTemporary = firstColumn + columns.length * columnBytes;
    this.#parts[SlotKind.constant] = firstConstant;
    this.#parts[SlotKind.column] = firstColumn;
    this.#parts[SlotKind.temporary] = firstTemporary;

    this.#bytes = firstTemporary + temporaries * columnBytes;
  }

  /** Makes sure that there is enough memory for the layout, and not far more. */
  #reserve(): void {
    const bytes = this.#bytes;
    if (!this.#patience.keeps(this.kernels.buffer.byteLength, bytes)) this.kernels = this.#makeKernels();
    const { kernels } = this;
    try {
      kernels.reserve(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new AstPtxError("INSUFFICIENT_BUFFER", `expected ${bytes} bytes of memory, found less`);
    }
    if (kernels.buffer !== this.#floats.buffer) {
      this.#floats = new Float32Array(kernels.buffer);
      this.#words = new Uint32Array(kernels.buffer);
    }
  }

  #writeSteps({ steps }: Plan): void {
    const words = this.#words;
    const floats = this.#floats;
    const step = (from: number, field: PlanStep): number => steps[from + field]!;
    for (
      let from = 0, at = this.#start / 4;
      from < steps.length;
      from += PlanStep.length, at += Step.bytes / 4
    ) {
      words[at + Step.kernel / 4] = step(from, PlanStep.kernel);
      floats[at + Step.least / 4] = step(from, PlanStep.flushes) === 0 ? 0 : LEAST_NORMAL_32;
      words[at + Step.target / 4] = this.#addressOf(step(from, PlanStep.target));
      this.#writeOperand(at + Step.a / 4, step(from, PlanStep.a));
      this.#writeOperand(at + Step.b / 4, step(from, PlanStep.b));
      this.#writeOperand(at + Step.c / 4, step(from, PlanStep.c));
    }
  }

  /** Writes address and stride. */
  #writeOperand(at: number, slot: number): void {
    this.#words[at] = this.#addressOf(slot);
    this.#words[at + 1] = (slot & SlotKind.mask) === SlotKind.constant ? 0 : VECTOR_BYTES;
  }

  #addressOf(slot: number): number {
    const kind: SlotKind = slot & SlotKind.mask;
    const bytes = kind === SlotKind.constant ? VECTOR_BYTES : this.rows * FLOAT_BYTES;
    return this.#parts[kind]! + (slot >>> SlotKind.shift) * bytes;
  }
}

/** How many rows to do at a time: a multiple of the lanes. */
function blockRows(columns: number): number {
  if (columns > MANY_COLUMNS) return LANES;
  const rows = Math.floor(CACHE_BYTES / (FLOAT_BYTES * Math.max(1, columns))) & -LANES;
  return Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, rows));
}
