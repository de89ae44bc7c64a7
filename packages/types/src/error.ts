// The error of this package, with every problem of a description file.
import { MmPtxError } from "./core/error.js";

/**
 * SYNTAX: the text is not JSON, or has a key twice. SCHEMA: the file has the wrong shape. EXTENDS: a base is missing or
 * extends itself. REFERENCE: names clash, do not exist, or do not fit each other. FILE: the file cannot be read.
 * INVALID_ARGUMENT: an argument is of the wrong kind. When there are several problems, the code is the first of these that
 * applies.
 */
export type DescriptionErrorCode =
  | "EXTENDS"
  | "FILE"
  | "INVALID_ARGUMENT"
  | "REFERENCE"
  | "SCHEMA"
  | "SYNTAX";

/** A place in a description file. */
export interface DescriptionPlace {
  /** The name of the file, if it has one. */
  readonly file?: string;
  /** For example `instructions[3].args[0]`; empty for the file itself. */
  readonly path: string;
  /** The line, counted from 1; present only when the description was text. */
  readonly line?: number;
  /** The column, counted from 1 in UTF-16 code units; present only when the description was text. */
  readonly column?: number;
}

/** A problem in a description file. */
export interface DescriptionProblem extends DescriptionPlace {
  /** The message, `expected …, found …`. */
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  /** The other place, when two places clash. */
  readonly related?: DescriptionPlace;
  /** The line with carets below the place; present only when the description was text. */
  readonly frame?: string;
}

/** The number of problems in a message; `problems` has all. */
const SHOWN = 20;

export class DescriptionError extends MmPtxError<DescriptionErrorCode> {
  override readonly name: string = "DescriptionError";
  /**
   * All problems, in the order of the files. When there are more than 10,000, these are the ones that were found first.
   */
  readonly problems: readonly DescriptionProblem[];
  /** The number of all problems. */
  readonly total: number;

  /**
   * @param what what `problems` were found in, which begins the message; without problems, the whole message
   * @param total the number of all problems, when `problems` has only a part of them
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

/** For example `stack.json:3:14`, or as much of it as is known. */
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
