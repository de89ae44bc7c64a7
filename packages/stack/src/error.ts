// The error of this package: what the machine or the caller got wrong, and at which instruction.
import { MmPtxError } from "@mm-ptx/types/core";

/** The codes are the C library's names without their prefix. */
export type StackPtxErrorCode =
  | "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN"
  | "INSUFFICIENT_AST_SIZE"
  | "INSUFFICIENT_AST_VISIT_SIZE"
  | "INSUFFICIENT_BUFFER"
  | "INVALID_VALUE"
  | "LOAD_IDX_OUT_OF_BOUNDS"
  | "META_INSTRUCTION_IDX_OUT_OF_BOUNDS"
  | "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS"
  | "REGISTER_IDX_OUT_OF_BOUNDS"
  | "ROUTINES_IDX_OUT_OF_BOUNDS"
  | "SPECIAL_REGISTER_IDX_OUT_OF_BOUNDS"
  | "STACK_IDX_OUT_OF_BOUNDS"
  | "STORE_IDX_OUT_OF_BOUNDS";

/** Where in a program an error arose. */
export interface InstructionPlace {
  /** The routine, or `undefined` in the main program. */
  readonly routine: number | undefined;
  /** Counted in instructions from the start of the program or routine. */
  readonly instruction: number;
}

/** What this package throws: a program, job or option that cannot be taken, with its place. */
export class StackPtxError extends MmPtxError<StackPtxErrorCode> {
  /** The instruction that failed; `undefined` when no single instruction is to blame. */
  readonly place: InstructionPlace | undefined;

  constructor(code: StackPtxErrorCode, message: string, place?: InstructionPlace) {
    super(code, place === undefined ? message : `${message} (${describePlace(place)})`);
    this.place = place;
  }
}

/** The walk over the live computation needs more entries than its limit. */
export function visitFull(maxVisitDepth: number): StackPtxError {
  return new StackPtxError(
    "INSUFFICIENT_AST_VISIT_SIZE",
    `expected at most ${maxVisitDepth} entries to visit (limit \`maxVisitDepth\`), the live computation needs more`,
  );
}

function describePlace({ routine, instruction }: InstructionPlace): string {
  return routine === undefined
    ? `instruction ${instruction}`
    : `routine ${routine}, instruction ${instruction}`;
}
