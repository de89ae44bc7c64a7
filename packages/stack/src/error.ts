// The error of this package: what the machine or the caller got wrong, and at which instruction.
import { codeFrame, MmPtxError, type Position, positionAt, type Span } from "@mm-ptx/types/core";

/** What the machine refuses has the C library's names without their prefix; the last ones are about texts and files. */
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
  | "STORE_IDX_OUT_OF_BOUNDS"
  | "SYNTAX";

/** Where in a program an error arose. */
export interface InstructionPlace {
  /** The routine, or `undefined` in the main program. */
  readonly routine: number | undefined;
  /** Counted in instructions from the start of the program or routine. */
  readonly instruction: number;
}

/** What this package throws: a program, job or option that cannot be taken, with its place. */
/** One thing that is wrong in a program's text, with its line and column. */
export interface TextProblem extends Position {
  /** What was expected and what was found. */
  readonly message: string;
  readonly span: Span;
}

export class StackPtxError extends MmPtxError<StackPtxErrorCode> {
  /** The instruction that failed; `undefined` when no single instruction is to blame. */
  readonly place: InstructionPlace | undefined;
  /** With SYNTAX, what is wrong in the text, in its order; else empty. */
  readonly problems: readonly TextProblem[];

  constructor(
    code: StackPtxErrorCode,
    message: string,
    place?: InstructionPlace,
    problems: readonly TextProblem[] = [],
  ) {
    super(code, place === undefined ? message : `${message} (${describePlace(place)})`);
    this.place = place;
    this.problems = problems;
  }
}

/** The error of a text, which shows the line of each problem with carets below it. */
export function syntaxError(
  text: string,
  found: readonly { readonly message: string; readonly span: Span }[],
): StackPtxError {
  const problems = found.map(({ message, span }) => ({ message, span, ...positionAt(text, span.start) }));
  const messages = problems.map(
    ({ message, span, line, column }) =>
      `line ${line}, column ${column}: ${message}\n${codeFrame(text, span)}`,
  );
  return new StackPtxError("SYNTAX", messages.join("\n"), undefined, problems);
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
