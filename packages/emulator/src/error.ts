// The errors of this package. One error reports every problem of a PTX text; a failed launch reports the instruction
// and the thread.
import { MmPtxError } from "@mm-ptx/types/core";
import type { Problem, ProblemCode } from "./program/problem.js";
import type { LaunchFault } from "./run/launch-fault.js";

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
