// The error of this package: what is wrong with a program or an argument, and at which instruction.
import { codeFrame, MmPtxError, positionAt, type Span } from "@mm-ptx/types/core";

/**
 * The codes are the C library's names without their prefix, except for those that the C library lacks: FILE_TABLE,
 * INLINE_LIMIT_EXCEEDED, INVALID_ARGUMENT, SYNTAX and UNSUPPORTED_INSTRUCTION. INVALID_VALUE is about a program: it does not leave exactly one value,
 * or an instruction has a different number of arguments than the table says. INVALID_ARGUMENT is about a call.
 */
export type AstPtxErrorCode =
  | "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN"
  | "FILE_TABLE"
  | "INLINE_LIMIT_EXCEEDED"
  | "INPUT_IDX_OUT_OF_BOUNDS"
  | "INSUFFICIENT_BUFFER"
  | "INVALID_ARGUMENT"
  | "INVALID_VALUE"
  | "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS"
  | "ROUTINE_ARG_IDX_OUT_OF_BOUNDS"
  | "ROUTINE_DEPTH_EXCEEDED"
  | "ROUTINE_IDX_OUT_OF_BOUNDS"
  | "STACK_OVERFLOW"
  | "STACK_UNDERFLOW"
  | "SYNTAX"
  | "TOO_MANY_ARGS"
  | "UNSUPPORTED_INSTRUCTION";

/** Where in a program an error occurred. */
export interface InstructionPlace {
  /** The routine, or `undefined` in the main program. */
  readonly routine: number | undefined;
  /**
   * Counted in instructions from the start of the program or routine. When its return is missing, this is its length.
   */
  readonly instruction: number;
}

/** The error of `@mm-ptx/ast`. */
export class AstPtxError extends MmPtxError<AstPtxErrorCode> {
  override readonly name: string = "AstPtxError";
  /** The instruction that failed; `undefined` when the error does not concern a single instruction. */
  readonly place: InstructionPlace | undefined;
  /** For SYNTAX, the place in the text that was parsed; otherwise `undefined`. */
  readonly span: Span | undefined;

  constructor(code: AstPtxErrorCode, message: string, place?: InstructionPlace, span?: Span) {
    super(code, place === undefined ? message : `${message} (${describePlace(place)})`);
    this.place = place;
    this.span = span;
  }
}

/** The error for a text that does not parse; its message shows the line with carets below the place. */
export function syntaxError(message: string, text: string, span: Span): AstPtxError {
  const { line, column } = positionAt(text, span.start);
  const shown = `line ${line}, column ${column}: ${message}\n${codeFrame(text, span)}`;
  return new AstPtxError("SYNTAX", shown, undefined, span);
}

function describePlace({ routine, instruction }: InstructionPlace): string {
  return routine === undefined
    ? `instruction ${instruction}`
    : `routine ${routine}, instruction ${instruction}`;
}

/** `1 input`, `3 inputs`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
