// The error of this package: a description file that is not one, with every problem of it.
import { MmPtxError } from "./core/error.js";

/**
 * SYNTAX: no JSON, or a key twice. SCHEMA: not of the file's shape. EXTENDS: a base that is not there,
 * or extends itself. REFERENCE: names that clash, do not exist or do not fit. FILE: no file that can be read.
 * INVALID_VALUE: an argument of another kind than the function takes. Of several the first in this order.
 */
export type DescriptionErrorCode = "EXTENDS" | "FILE" | "INVALID_VALUE" | "REFERENCE" | "SCHEMA" | "SYNTAX";

/** A place in a description file. */
export interface DescriptionPlace {
  /** The name of the file, where it has one. */
  readonly file?: string;
  /** As `instructions[3].args[0]`; empty for the file itself. */
  readonly path: string;
  /** From 1; only where a text was given. */
  readonly line?: number;
  /** From 1, in UTF-16 units; only where a text was given. */
  readonly column?: number;
}

/** One thing that is wrong in a description file. */
export interface DescriptionProblem extends DescriptionPlace {
  /** `expected …, found …`. */
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  /** The other place, where two clash. */
  readonly related?: DescriptionPlace;
  /** The line with carets below the place; only where a text was given. */
  readonly frame?: string;
}

/** Problems that a message shows; `problems` has all. */
const SHOWN = 20;

export class DescriptionError extends MmPtxError<DescriptionErrorCode> {
  /** All that is wrong, in the order of the files; of more than 10,000 problems those that were found first. */
  readonly problems: readonly DescriptionProblem[];
  /** How many there are. */
  readonly total: number;

  /**
   * @param what what has the problems; the whole message when there are none
   * @param total how many there are, where `problems` has a part of them
   */
  constructor(
    code: DescriptionErrorCode,
    what: string,
    problems: readonly DescriptionProblem[] = [],
    total = problems.length,
  ) {
    super(code, problems.length === 0 ? what : summary(what, problems, total));
    this.problems = problems;
    this.total = total;
  }
}

/** `stack.json:3:14`, as much of it as is known. */
export function placeText({ file, line, column, path }: DescriptionPlace): string {
  const known = [file, line, column].filter((part) => part !== undefined);
  return known.length === 0 ? path : known.join(":");
}

function summary(what: string, problems: readonly DescriptionProblem[], total: number): string {
  const lines = problems.slice(0, SHOWN).flatMap((problem) => {
    const { path, message, frame } = problem;
    const place = placeText(problem);
    const words = [place, place === path ? "" : path, message].filter((part) => part !== "").join(": ");
    return frame === undefined ? [`  ${words}`] : [`  ${words}`, frame];
  });
  if (total > SHOWN) lines.push(`  and ${total - SHOWN} more`);
  return `${what} has ${total} problem${total === 1 ? "" : "s"}\n${lines.join("\n")}`;
}
