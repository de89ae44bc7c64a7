// What runs codes on columns, in WebAssembly or in JavaScript.
import type { CodeBatch } from "@mm-ptx/types/code";

/** A column of inputs, as a machine copies it. */
export interface InputColumn {
  /** The rows in little-endian bytes: 4 bytes a row, or 8 if `isDouble`. */
  readonly bytes: Uint8Array;
  readonly isDouble: boolean;
  /** One bit for each type of `CODE_TYPES` that the input may have. */
  readonly types: number;
}

/** What a loss compares outputs with; numbers are f64. */
export interface LossData {
  readonly kind: "mse";
  /** The number of the output. */
  readonly output: number;
  readonly target: Float64Array;
  readonly weights: Float64Array | undefined;
}

/** What a machine computes for each code. */
export interface Task {
  readonly rows: number;
  readonly columns: readonly InputColumn[];
  readonly loss: LossData | undefined;
  /** Called for each code whose outputs are wanted, with a copy of each column in turn. */
  readonly output: ((code: number, output: number, type: number, bytes: Uint8Array) => void) | undefined;
}

/** Where a machine writes results, by the number of the code. */
export interface Results {
  readonly status: Uint8Array;
  readonly loss: Float64Array | undefined;
}

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

/** Runs codes on columns. All callers of a thread share one, because a call finishes before the next one starts. */
export interface Machine {
  readonly backend: "webassembly" | "javascript";
  /** The bytes of its memory, and how many of them the last task needed. */
  readonly heldBytes: number;
  readonly neededBytes: number;
  /**
   * Runs the codes of a batch from `first` up to `end`.
   * @returns `end`, or the number of the first code that has an operation whose kernels have to be loaded first
   * @throws ColumnsError BAD_CODE, UNSUPPORTED_INSTRUCTION, INSUFFICIENT_BUFFER
   */
  run(task: Task, batch: CodeBatch, first: number, end: number, results: Results): number;
  /**
   * Runs a single code and copies its first output, which takes 4 or 8 bytes a row. It may have no operations whose
   * kernels have to be loaded.
   * @throws ColumnsError like `run`
   */
  compute(code: Uint32Array, data: ComputeData, target: Uint8Array): void;
  /** Loads the kernels of less common operations. */
  load(): Promise<void>;
}
