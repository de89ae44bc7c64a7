// The error of this package: what is wrong with a program or an argument, and at which instruction.
import { codeFrame, MmPtxError, type Position, positionAt, type Span } from "@mm-ptx/types/core";

/** Codes of compiles are the C library's names without their prefix; `FILE_…` and `SYNTAX` are for files and texts. */
export type StackPtxErrorCode =
  | "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN"
  | "FILE_CHECKSUM"
  | "FILE_FORMAT"
  | "FILE_TABLE"
  | "FILE_TRUNCATED"
  | "INSUFFICIENT_AST_SIZE"
  | "INSUFFICIENT_AST_VISIT_SIZE"
  | "INSUFFICIENT_BUFFER"
  | "INVALID_ARGUMENT"
  | "LEGACY_PROGRAM"
  | "LOAD_IDX_OUT_OF_BOUNDS"
  | "META_INSTRUCTION_IDX_OUT_OF_BOUNDS"
  | "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS"
  | "REGISTER_IDX_OUT_OF_BOUNDS"
  | "ROUTINES_IDX_OUT_OF_BOUNDS"
  | "SPECIAL_REGISTER_IDX_OUT_OF_BOUNDS"
  | "STACK_IDX_OUT_OF_BOUNDS"
  | "STORE_IDX_OUT_OF_BOUNDS"
  | "SYNTAX"
  | "UNSUPPORTED_INSTRUCTION";

/** Where in a program an error occurred. */
export interface InstructionPlace {
  /** The routine, or `undefined` in the main program. */
  readonly routine: number | undefined;
  /** Counted in instructions from the start of the program or routine. */
  readonly instruction: number;
}

/** A problem in the text of a program, with its line and column. */
export interface TextProblem extends Position {
  /** What was expected and what was found. */
  readonly message: string;
  readonly span: Span;
}

/** Where in a program file an error occurred. */
export interface FilePlace {
  /** The offset in bytes from the start of the file. */
  readonly offset: number;
  /**
   * The index of the first program that could not be delivered; `undefined` before the first and after the last
   * program.
   */
  readonly program: number | undefined;
}

/**
 * Why a program of Stack PTX 1.0 is rejected. `dialect`: a program of 1.1 was expected. The others concern an instruction
 * that cannot be converted: the table does not have it, or it has other arguments and results there.
 */
export type LegacyReason =
  | "dialect"
  | "instruction arguments"
  | "instruction index"
  | "special argument"
  | "special index";

/** Further properties of errors in texts, in files and in programs of 1.0. */
export interface ErrorDetails {
  readonly problems?: readonly TextProblem[];
  readonly file?: FilePlace;
  readonly reason?: LegacyReason;
}

/** Every error that this package throws. */
export class StackPtxError extends MmPtxError<StackPtxErrorCode> {
  override readonly name: string = "StackPtxError";
  /** The instruction that failed; `undefined` when the error does not concern a single instruction. */
  readonly place: InstructionPlace | undefined;
  /** For SYNTAX, the problems in the text, in order; otherwise empty. */
  readonly problems: readonly TextProblem[];
  /** For errors in program files, the place in the file; otherwise `undefined`. */
  readonly file: FilePlace | undefined;
  /** The index of the instruction that failed, in its program or routine: that of `place`. */
  readonly instruction: number | undefined;
  /** For LEGACY_PROGRAM, why the program is rejected; otherwise `undefined`. */
  readonly reason: LegacyReason | undefined;

  constructor(
    code: StackPtxErrorCode,
    message: string,
    place?: InstructionPlace,
    { problems = [], file, reason }: ErrorDetails = {},
  ) {
    super(code, place === undefined ? message : `${message} (${describePlace(place)})`);
    this.place = place;
    this.problems = problems;
    this.file = file;
    this.instruction = place?.instruction;
    this.reason = reason;
  }
}

/** The error for a text; its message shows the line of each problem with carets below it. */
export function syntaxError(
  text: string,
  found: readonly { readonly message: string; readonly span: Span }[],
): StackPtxError {
  const problems = found.map(({ message, span }) => ({ message, span, ...positionAt(text, span.start) }));
  const messages = problems.map(
    ({ message, span, line, column }) =>
      `line ${line}, column ${column}: ${message}\n${codeFrame(text, span)}`,
  );
  return new StackPtxError("SYNTAX", messages.join("\n"), undefined, { problems });
}

/** The error for a program of Stack PTX 1.0 and one of its instructions. */
export function legacyError(reason: LegacyReason, message: string, instruction: number): StackPtxError {
  return new StackPtxError("LEGACY_PROGRAM", message, { routine: undefined, instruction }, { reason });
}

/** The error for a program of Stack PTX 1.0 where one of 1.1 is expected. */
export function legacyInstead(what: string, file?: FilePlace): StackPtxError {
  const place = file === undefined ? "" : ` (${describeFilePlace(file)})`;
  const message = `expected ${what} of Stack PTX 1.1, found one of 1.0: ${LEGACY_HINT}${place}`;
  return new StackPtxError("LEGACY_PROGRAM", message, undefined, {
    reason: "dialect",
    ...(file && { file }),
  });
}

/** The hint for a program of Stack PTX 1.0. */
export const LEGACY_HINT = "`StackProgram.fromLegacy` converts it";

/**
 * The message for an index that is out of range in a list of `count` entries. `what` names an entry; its plural ends in
 * `s`.
 */
export function outOfRangeText(what: string, index: number, count: number): string {
  const expected = count === 0 ? `there are no ${what}s` : `expected 0 to ${count - 1}`;
  return `${what} ${index} is out of range: ${expected}`;
}

/** The error for a program file. */
export function fileError(
  code: StackPtxErrorCode & `FILE_${string}`,
  message: string,
  file: FilePlace,
): StackPtxError {
  return new StackPtxError(code, `${message} (${describeFilePlace(file)})`, undefined, { file });
}

function describeFilePlace({ offset, program }: FilePlace): string {
  return program === undefined ? `byte ${offset}` : `byte ${offset}, program ${program}`;
}

/** The error for a walk over live values that needs more entries than its limit. */
export function visitFull(maxVisitDepth: number): StackPtxError {
  return new StackPtxError(
    "INSUFFICIENT_AST_VISIT_SIZE",
    `expected at most ${maxVisitDepth} entries to visit (limit \`maxVisitDepth\`), found a live computation that needs more`,
  );
}

function describePlace({ routine, instruction }: InstructionPlace): string {
  return routine === undefined
    ? `instruction ${instruction}`
    : `routine ${routine}, instruction ${instruction}`;
}
