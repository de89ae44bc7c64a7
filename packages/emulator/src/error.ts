// The errors of this package. One error reports every problem of a PTX text; a failed launch reports the instruction
// and the thread.
import type { SourceFrame } from "@mm-ptx/ptx";
import { MmPtxError, type SourceLine, type Span } from "@mm-ptx/types/core";
import type { LaunchFault } from "./run/launch-fault.js";

/** Codes of problems in a PTX text. */
export type ProblemCode =
  | "SYNTAX"
  | "UNKNOWN_INSTRUCTION"
  | "WRONG_MODIFIER"
  | "WRONG_OPERANDS"
  | "WRONG_TYPE"
  | "UNDECLARED"
  | "DUPLICATE"
  | "OUT_OF_RANGE"
  | "TARGET_TOO_LOW"
  | "UNSUPPORTED";

/** Codes of failed launches and of invalid calls to the device. */
export type RunErrorCode =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "OUT_OF_BOUNDS"
  | "MISALIGNED"
  | "USE_AFTER_FREE"
  | "OUT_OF_MEMORY"
  | "DEADLOCK"
  | "TRAP"
  | "BUDGET"
  | "TIMEOUT"
  | "ABORTED"
  | "WORKER_LOST"
  | "DISPOSED";

/** All error codes of this package. */
export type EmulatorErrorCode = ProblemCode | RunErrorCode;

/** A problem in a PTX text. */
export interface Problem {
  readonly code: ProblemCode;
  /** What was expected, and what was found. */
  readonly message: string;
  readonly span: Span;
  /** Of a module that was linked from several texts, the text of the span and the line, counted from 1. */
  readonly text?: number;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** Where the line was written, in the kernel's text or in a stub; undefined for plain text. */
  readonly source?: SourceLine | undefined;
  /**
   * Where it was written in CUDA, innermost inlined function first; undefined if the text does not say, as without
   * `-lineinfo`.
   */
  readonly frames?: readonly SourceFrame[];
}

/** An error of the emulator. */
export class EmulatorError extends MmPtxError<EmulatorErrorCode> {
  override readonly name: string = "EmulatorError";
  /** All problems of the text, in source order; empty for errors that are not about a text. */
  readonly problems: readonly Problem[];
  /** Where and how a launch failed; undefined for other errors. */
  readonly fault: LaunchFault | undefined;

  constructor(
    code: EmulatorErrorCode,
    message: string,
    {
      problems = [],
      fault,
      cause,
    }: { problems?: readonly Problem[]; fault?: LaunchFault; cause?: unknown } = {},
  ) {
    super(code, message, cause === undefined ? undefined : { cause });
    this.problems = problems;
    this.fault = fault;
  }
}
