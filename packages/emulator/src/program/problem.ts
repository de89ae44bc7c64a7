// Problems of a PTX text: mistakes, and what is not supported.
import type { SourceFrame } from "@mm-ptx/ptx";
import type { SourceLine, Span } from "@mm-ptx/types/core";

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

/** A problem in a PTX text. */
export interface Problem {
  readonly code: ProblemCode;
  /** What was expected, and what was found. */
  readonly message: string;
  readonly span: Span;
  /** The text that contains the span and the line, counted from 1, if the module was linked from several texts. */
  readonly text?: number;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1 in UTF-16 units. */
  readonly column: number;
  /** Where the line was written, in the kernel's text or in a stub; undefined for plain text. */
  readonly source?: SourceLine | undefined;
  /**
   * Where it was written in CUDA, innermost inlined function first; undefined if the text does not say, as without
   * `-lineinfo`.
   */
  readonly frames?: readonly SourceFrame[];
}
