// The memory that kernels work in: steps, constants and columns of one block of rows, at addresses that the WebAssembly
// kernels and those in JavaScript read alike. All interpreters of a thread share it: an evaluation runs to its end
// before another starts.
import { AstPtxError } from "../error.js";
import { LEAST_NORMAL } from "../float32.js";
import { Patience } from "../patience.js";
import { Step } from "./kernel.js";
import { type Plan, PlanStep, SlotKind } from "./plan.js";

/** What runs steps: WebAssembly, or JavaScript where that is forbidden. */
export interface Kernels {
  readonly backend: "webassembly" | "javascript";
  /** The first address that steps may be at. */
  readonly firstFree: number;
  /** Replaced when `reserve` makes it longer. */
  readonly buffer: ArrayBuffer;
  /** Makes the buffer at least so many bytes long; what was in it may be lost. */
  reserve(bytes: number): void;
  /** Runs the steps from address `start` to `stop` on columns of `bytes` bytes, a multiple of 16 and not 0. */
  run(start: number, stop: number, bytes: number): void;
}

const LANES = 4;
const FLOAT_BYTES = 4;
const VECTOR_BYTES = LANES * FLOAT_BYTES;
/** The columns of a block are to stay in a first-level cache. */
const CACHE_BYTES = 24576;
const FEWEST_ROWS = 64;
const MOST_ROWS = 1024;
/** From here on memory counts more than speed. */
const MANY_COLUMNS = 65536;

export class Workspace {
  /** Rows of a block. */
  rows = 0;
  private floats = new Float32Array(0);
  private words = new Uint32Array(0);
  private plan: Plan | undefined;
  /** Addresses: of the first step, behind the last one, and of the first constant, column and temporary column. */
  private readonly start: number;
  private stop = 0;
  private readonly parts = [0, 0, 0];
  private bytes = 0;
  private readonly patience = new Patience();
  /** What runs the steps: others, with less memory, when much of it has not been needed for a while. */
  kernels: Kernels;

  constructor(private readonly makeKernels: () => Kernels) {
    this.kernels = makeKernels();
    this.start = Math.ceil(this.kernels.firstFree / VECTOR_BYTES) * VECTOR_BYTES;
  }

  /** Makes a program the one that is run. @throws AstPtxError INSUFFICIENT_BUFFER when memory is short */
  load(plan: Plan): void {
    if (plan === this.plan && this.patience.keeps(this.kernels.buffer.byteLength, this.bytes)) return;
    this.plan = undefined;
    this.layOut(plan);
    this.reserve();
    this.writeSteps(plan);
    plan.constants.forEach((bits, index) => {
      const at = this.addressOf(index << SlotKind.shift) / FLOAT_BYTES;
      this.words.fill(bits, at, at + LANES);
    });
    this.plan = plan;
  }

  /** Fills a column of the plan with `count` rows from `start` on. */
  fill(column: number, from: Float32Array, start: number, count: number): void {
    const at = this.addressOf((column << SlotKind.shift) | SlotKind.column) / FLOAT_BYTES;
    this.floats.set(start === 0 && count === from.length ? from : from.subarray(start, start + count), at);
  }

  /** Runs the program on as many rows as the columns were filled with. */
  run(count: number): void {
    if (this.stop === this.start) return;
    this.kernels.run(this.start, this.stop, Math.ceil(count / LANES) * VECTOR_BYTES);
  }

  /** Copies the results of `count` rows to `output`, from `start` on. */
  read(output: Float32Array, start: number, count: number): void {
    const { result } = this.plan!;
    const at = this.addressOf(result) / FLOAT_BYTES;
    if ((result & SlotKind.mask) !== SlotKind.constant) {
      output.set(this.floats.subarray(at, at + count), start);
      return;
    }
    // As words, because an engine may change a NaN that it reads as a number.
    new Uint32Array(output.buffer, output.byteOffset + start * FLOAT_BYTES, count).fill(this.words[at]!);
  }

  private layOut({ steps, constants, columns, temporaries }: Plan): void {
    const columnCount = columns.length + temporaries;
    this.rows = blockRows(columnCount);
    this.stop = this.start + (steps.length / PlanStep.length) * Step.bytes;
    const columnBytes = this.rows * FLOAT_BYTES;
    const firstConstant = Math.ceil(this.stop / VECTOR_BYTES) * VECTOR_BYTES;
    const firstColumn = firstConstant + constants.length * VECTOR_BYTES;
    const firstTemporary = firstColumn + columns.length * columnBytes;
    this.parts[SlotKind.constant] = firstConstant;
    this.parts[SlotKind.column] = firstColumn;
    this.parts[SlotKind.temporary] = firstTemporary;

    this.bytes = firstTemporary + temporaries * columnBytes;
  }

  /** Sees that there is memory for the layout, and not far more. */
  private reserve(): void {
    const { bytes } = this;
    if (!this.patience.keeps(this.kernels.buffer.byteLength, bytes)) this.kernels = this.makeKernels();
    const { kernels } = this;
    try {
      kernels.reserve(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new AstPtxError("INSUFFICIENT_BUFFER", `expected ${bytes} bytes of memory, found less`);
    }
    if (kernels.buffer !== this.floats.buffer) {
      this.floats = new Float32Array(kernels.buffer);
      this.words = new Uint32Array(kernels.buffer);
    }
  }

  private writeSteps({ steps }: Plan): void {
    const { words, floats } = this;
    const step = (from: number, field: PlanStep): number => steps[from + field]!;
    for (
      let from = 0, at = this.start / 4;
      from < steps.length;
      from += PlanStep.length, at += Step.bytes / 4
    ) {
      words[at + Step.kernel / 4] = step(from, PlanStep.kernel);
      floats[at + Step.least / 4] = step(from, PlanStep.flushes) === 0 ? 0 : LEAST_NORMAL;
      words[at + Step.target / 4] = this.addressOf(step(from, PlanStep.target));
      this.writeOperand(at + Step.a / 4, step(from, PlanStep.a));
      this.writeOperand(at + Step.b / 4, step(from, PlanStep.b));
      this.writeOperand(at + Step.c / 4, step(from, PlanStep.c));
    }
  }

  /** Writes address and stride. */
  private writeOperand(at: number, slot: number): void {
    this.words[at] = this.addressOf(slot);
    this.words[at + 1] = (slot & SlotKind.mask) === SlotKind.constant ? 0 : VECTOR_BYTES;
  }

  private addressOf(slot: number): number {
    const kind: SlotKind = slot & SlotKind.mask;
    const bytes = kind === SlotKind.constant ? VECTOR_BYTES : this.rows * FLOAT_BYTES;
    return this.parts[kind]! + (slot >>> SlotKind.shift) * bytes;
  }
}

/** How many rows to do at a time: a multiple of the lanes. */
function blockRows(columns: number): number {
  if (columns > MANY_COLUMNS) return LANES;
  const rows = Math.floor(CACHE_BYTES / (FLOAT_BYTES * Math.max(1, columns))) & -LANES;
  return Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, rows));
}
