// The errors of this package. A text that can't run has all its problems in one error; a launch that went wrong says where.
import { MmPtxError, type SourceLine, type Span } from "@mm-ptx/types/core";
import type { LaunchFault } from "./run/fault-report.js";

/** Codes of problems in a text. */
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

/** Codes of what goes wrong in a launch or in a call of the device. */
export type RunErrorCode =
  | "INVALID_INPUT"
  | "UNKNOWN_NAME"
  | "WRONG_ARGUMENT"
  | "OUT_OF_BOUNDS"
  | "MISALIGNED"
  | "USE_AFTER_FREE"
  | "OUT_OF_MEMORY"
  | "DEADLOCK"
  | "RACE"
  | "UNINITIALIZED"
  | "TRAP"
  | "BUDGET"
  | "TIMEOUT"
  | "ABORTED"
  | "WORKER_LOST"
  | "DISPOSED";

/** Every code of this package. */
export type EmulatorErrorCode = ProblemCode | RunErrorCode;

/** Something wrong in a text. */
export interface Problem {
  readonly code: ProblemCode;
  /** What was expected and what was found. */
  readonly message: string;
  readonly span: Span;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** Where rendered PTX has the line from; undefined for a module without a source map. */
  readonly source?: SourceLine | undefined;
}

/** An error of the emulator. */
export class EmulatorError extends MmPtxError<EmulatorErrorCode> {
  /** Everything that is wrong in the text, in its order; empty for errors of a launch. */
  readonly problems: readonly Problem[];
  /** How a launch failed, and where; undefined for other errors. */
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
