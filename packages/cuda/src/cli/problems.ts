// Reports errors. Those about a file begin with its name and line, in the format that editors recognize.

import { MmPtxError } from "@mm-ptx/types/core";
import { type Diagnostic, PtxCompileError } from "../error.js";
import { primaryOf } from "../ptx/causes.js";
import { CODE_FLAGS } from "./code-flags.js";
import { type Colors, type Failure, FileError, printable, shownName } from "./framework.js";

/** A problem in one file. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  /** The file's line that the message is about, counted from 1, like `column`; absent for a filled kernel. */
  readonly line?: number;
  readonly column?: number;
  readonly diagnostics?: readonly Diagnostic[];
  /** The address of the page that explains it. */
  readonly help: string | undefined;
}

/** The names of the library's options in this command line. */
const WORDS: Readonly<Record<string, string>> = {
  ...CODE_FLAGS,
  backend: "--backend",
  memoryLimitBytes: "--memory-limit",
  timeoutMs: "--timeout",
  workers: "--workers",
};

/** The message, with options named as on the command line. */
function inWords({ code, message }: MmPtxError): string {
  const told = message.replace("`asciiComments: true`", "`--ascii-comments`");
  if (code !== "INVALID_ARGUMENT") return told;
  return told.replace(/`(\w+)`/g, (quote, name: string) =>
    Object.hasOwn(WORDS, name) ? `\`${WORDS[name]}\`` : quote,
  );
}

/** @throws the error itself, unless it is about a file or from this package */
export function problemOf(error: unknown, path: string): Problem {
  const file = shownName(path);
  if (error instanceof FileError) return { code: "FILE", message: error.message, file, help: error.help };
  if (!(error instanceof MmPtxError)) throw error;
  const { code, help } = error;
  const message = inWords(error);
  if (!(error instanceof PtxCompileError)) return { code, message, file, help };
  const { diagnostics } = error;
  const { origin, ...primary } = primaryOf(diagnostics) ?? {};
  // A filled kernel's lines are those of the text that it makes, not of the file; the message says where they were written.
  const { line, column }: Partial<Diagnostic> = origin === undefined ? primary : {};
  return {
    code,
    message,
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    diagnostics,
    help,
  };
}

/** `k.ptx:12:5: error: what is wrong`, followed by the other lines of the message. */
export function problemText({ file, line, column, message }: Problem, colors: Colors): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${colors.bold(printable(place))}: ${colors.red("error")}: ${printable(message)}\n`;
}

/** A problem that ends a command. */
export class ProblemError extends Error {
  readonly help: string | undefined;

  constructor(readonly problem: Problem) {
    super(problem.message);
    this.help = problem.help;
  }
}

/** Returns the result of `make`. @throws ProblemError if the file at `path` has a problem */
export async function orProblem<T>(path: string, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw new ProblemError(problemOf(error, path));
  }
}

/** How errors that end a command are reported. Invalid options can only come from the command line. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ProblemError) {
    const { problem } = error;
    return { code: 1, json: problem, text: (colors) => problemText(problem, colors).trimEnd() };
  }
  if (!(error instanceof MmPtxError || error instanceof FileError)) return undefined;
  const [code, message] = error instanceof FileError ? ["FILE", error.message] : [error.code, inWords(error)];
  return {
    code: code === "INVALID_ARGUMENT" ? 2 : 1,
    json: { code, message },
    text: (colors) => `${colors.red("error")}: ${printable(message)}`,
  };
}
