// What a pipeline gives for each program.
import type { CompiledModule } from "@mm-ptx/cuda";
import type { TypedArray } from "@mm-ptx/types/device";

/** Why a program has no result. */
export interface ProgramFailure {
  /** The code of the error that it caused: of its compiler, of the PTX compiler, or of the device. */
  readonly code: string;
  readonly message: string;
  /** Where in the program, if known. */
  readonly place?: ProgramPlace;
}

/** A place in a program or in its stub. */
export interface ProgramPlace {
  readonly site: string;
  /** The line of the stub, counted from 1. */
  readonly stubLine?: number;
  /** The index of the instruction in the program, for a program that has no stub. */
  readonly instruction?: number;
}

/** Where a result comes from. */
export type ResultOrigin =
  | {
      readonly kind: "run";
      /** How the program was packed, and with how many others. */
      readonly packing: "alternatives" | "kernels" | "single";
      readonly programs: number;
    }
  /** An equal program of this run; `index` is the first one. */
  | { readonly kind: "duplicate"; readonly index: number }
  /** An equal program of an earlier run of the pipeline. */
  | { readonly kind: "remembered" }
  /** The results store, where an earlier run has put it. */
  | { readonly kind: "store" };

/**
 * What models predicted for a program before it was compiled, for each of `predict.figures`; `null` if the models had not learned enough
 * yet.
 */
export interface PredictedFigures {
  readonly predictedRegisters?: number | null;
  readonly predictedSpills?: number | null;
  readonly predictedCodeBytes?: number | null;
  readonly predictedSiteBytes?: number | null;
  readonly predictedMicroseconds?: number | null;
}

/** What came of a program, without what only this run knows. */
export interface ProgramOutcome extends PredictedFigures {
  /**
   * `ok`, or the code of the failure; `SCREENED` for a program that was not compiled because of `predict.limits`; `OUTPUT_CHANGED` if the
   * program computed different results before and after it was timed; the other properties are then present as usual.
   */
  readonly status: string;
  /** Present unless the status is `ok`. */
  readonly error?: ProgramFailure;
  /** A copy of what the kernel wrote, for each `output` of the launch plan; absent with a score. */
  readonly outputs?: readonly TypedArray[];
  /** What `read` computed from the outputs: a number, or 16 hex digits for a hash. */
  readonly score?: number | string;
  /**
   * Registers per thread, spilled bytes and bytes of machine code of the kernel that ran. In a pack of alternatives, these are the
   * figures of the whole kernel. Absent without a compiler.
   */
  readonly registers?: number;
  readonly spills?: number;
  readonly codeBytes?: number;
  /**
   * Bytes of machine code of the program's own stubs, also in a pack of alternatives. Only if the compiler has the option `lineInfo`, and
   * absent in packs of kernels.
   */
  readonly siteBytes?: number;
  /**
   * The time of a launch on the GPU: the median for a finalist, the mean of launches in a row for a program of a pack. Absent where it
   * was not measured, and on the emulator.
   */
  readonly microseconds?: number;
  /** Present if the GPU slowed its clock down while the finalist, or the pack of the program, was timed. */
  readonly throttled?: true;
  /** The effort of the machine code to which the figures belong. */
  readonly effort?: "draft" | "balanced" | "final";
}

/** The result of one program. */
export interface PipelineResult extends ProgramOutcome {
  /** The position of the program in this run, counted from 0. */
  readonly index: number;
  readonly from: ResultOrigin;
  /**
   * The machine code that the program is part of, for a program that was compiled in this run, with the option `modules`. A program that
   * failed when it was launched has its own.
   */
  readonly module?: CompiledModule;
}
