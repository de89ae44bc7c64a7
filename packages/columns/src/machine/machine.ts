// The interface of machines, which run codes on columns in WebAssembly or in JavaScript.
import { type CodeBatch, codeTypeBits } from "@mm-ptx/types/code";
import type { DerivativeMachine } from "./derivatives.js";
import type { LossKernel } from "./kernels.js";

/** A column of inputs, as a machine copies it. */
export interface InputColumn {
  /** The rows in little-endian bytes: 4 bytes a row, or 8 if `isDouble`. */
  readonly bytes: Uint8Array;
  readonly isDouble: boolean;
  /** One bit for each type of `CODE_TYPES` that the input may have. */
  readonly types: number;
}

/** A loss, as machines compute it. */
export interface LossData {
  readonly kernel: LossKernel;
  /** The number of the output. */
  readonly output: number;
  /** One bit for each type of `CODE_TYPES` that the output may have. */
  readonly types: number;
  /** 8 bytes a row: numbers, or the bits that `LossKernel.bits` compares. */
  readonly target: Float64Array | BigUint64Array;
  readonly weights: Float64Array | undefined;
  /** The divisor of the sum of the terms. */
  readonly divisor: number;
  readonly tolerance: number;
  /** Weighted, if there are weights, whose sum is `weightSum`. */
  readonly targetMean: number;
  readonly weightSum: number;
  /** The bits that `LossKernel.bits` compares. */
  readonly mask: bigint;
}

/**
 * The computation of a machine for each code. A machine may copy the columns once and recognize the task by its
 * identity.
 */
export interface Task {
  readonly rows: number;
  readonly columns: readonly InputColumn[];
  readonly loss: LossData | undefined;
  /** The number of words of the longest code of the batch. */
  readonly longest: number;
  /** With a seed, the results of approximate instructions are perturbed within the errors that PTX permits. */
  readonly seed?: number | undefined;
}

/** Where a machine writes results, by the number of the code. */
export interface Results {
  readonly status: Uint8Array;
  readonly loss: Float64Array | undefined;
  /** The scale and the offset of `LossKernel.scaled`. */
  readonly scale: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
  /** The terms of losses, `rows` for each code. */
  readonly cases: Float64Array | undefined;
  readonly outputs: OutputRoom | undefined;
}

/** Where outputs are written: the columns of code i are those from `firsts[i]` up to `firsts[i + 1]`. */
export interface OutputRoom {
  readonly bytes: Uint8Array;
  readonly firsts: Uint32Array;
  /** For each column, the index of its type in `CODE_TYPES`, and where it starts in `bytes`. */
  readonly types: Uint8Array;
  readonly starts: Float64Array;
}

/** The bytes of a row of an output. */
export const outputRowBytes = (type: number): number => (codeTypeBits(type) === 64 ? 8 : 4);

/** The columns of a single code. */
export interface ComputeData {
  readonly rows: number;
  readonly columns: readonly InputColumn[];
}

/** Some rows of a column. */
export function rowsOf({ bytes, isDouble, types }: InputColumn, from: number, count: number): InputColumn {
  const laneBytes = isDouble ? 8 : 4;
  return { bytes: bytes.subarray(from * laneBytes, (from + count) * laneBytes), isDouble, types };
}

/** Runs single codes on columns. */
export interface CodeMachine {
  readonly backend: "webassembly" | "javascript";
  /**
   * Runs a single code and copies its first output, which takes 4 or 8 bytes a row. It may have no operations whose
   * kernels have to be loaded.
   * @throws ColumnsError BAD_CODE, UNSUPPORTED_INSTRUCTION, INSUFFICIENT_BUFFER, INVALID_ARGUMENT
   */
  compute(code: Uint32Array, data: ComputeData, target: Uint8Array): void;
  /** Loads the kernels of less common operations. */
  load(): Promise<void>;
}

/** Runs codes on columns. */
export interface Machine extends CodeMachine {
  /** The bytes of its memory, and how many of them the last task needed. */
  readonly heldBytes: number;
  readonly neededBytes: number;
  /** Whether `run` copies the columns of a task immediately, so that they may change afterwards. */
  readonly copiesColumns: boolean;
  /** Whether the last `run` stopped at a code whose operations have to be loaded. */
  readonly lacksKernels: boolean;
  /**
   * Runs the codes of a batch from `first` up to `end`, but stops soon after the time `until`, which is that of
   * `performance.now()`. If the next call begins with the code at which this one stopped, it continues at the same row.
   * @returns `end`, or the number of the first code that is not finished
   * @throws ColumnsError BAD_CODE, UNSUPPORTED_INSTRUCTION, INSUFFICIENT_BUFFER, INVALID_ARGUMENT
   */
  run(task: Task, batch: CodeBatch, first: number, end: number, results: Results, until: number): number;
  /** Loads what computes derivatives on this machine. */
  derivatives(): Promise<DerivativeMachine>;
}
