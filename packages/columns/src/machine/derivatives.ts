// The interface of a machine that computes derivatives and fits constants; src/gradient/ implements it for both
// machines.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { Method } from "../gradient/layout.js";
import type { Task } from "./machine.js";

/** The computation to run on each code. */
export interface FitPlan {
  readonly method: Method;
  readonly iterations: number;
  /** Fitting stops when the loss decreases by a smaller part of itself. */
  readonly tolerance: number;
  /** Two words for each code of the batch, for `Method.evolution`. */
  readonly seeds: Uint32Array | undefined;
}

/** Where results are written, by the number of the code. */
export interface FitResults {
  readonly status: Uint8Array;
  readonly loss: Float64Array;
  readonly lossBefore: Float64Array;
  readonly evaluations: Uint32Array;
  /** The number of f32 constants of each code. Those of a code begin at half its offset in the next arrays: see `roomOf`. */
  readonly counts: Uint32Array;
  /** Bits of f32. */
  readonly constants: Uint32Array | undefined;
  readonly derivatives: Float64Array | undefined;
}

/** Where the constants of a code begin. A constant takes two words, so there is room for those of all codes. */
export const roomOf = ({ offsets }: CodeBatch, code: number): number => offsets[code]! >>> 1;

/** Computes derivatives of losses with respect to constants. */
export interface DerivativeMachine {
  /**
   * Does what the plan says with the codes of a batch from `first` up to `end`, but stops after a code soon after the time `until`.
   * @returns `end`, or the number of the first code that is not finished
   * @throws ColumnsError like `run` of the machine
   */
  run(
    task: Task,
    plan: FitPlan,
    batch: CodeBatch,
    first: number,
    end: number,
    results: FitResults,
    until: number,
  ): number;
}
