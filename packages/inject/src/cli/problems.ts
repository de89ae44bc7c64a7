// Problems in files in the format that editors recognize: `file:line:column` first, then the line with carets.

import type { DescriptionProblem } from "@mm-ptx/types";
import { MmPtxError, type Position, type Span } from "@mm-ptx/types/core";
import { errorHelp, TextLines } from "@mm-ptx/types/internal";
import { type Colors, type Failure, FileError, printable, shownName } from "./framework.js";

export interface Problem {
  readonly severity: "error" | "warning";
  /** A code of the library, or `FILE` for something that cannot be read or written. */
  readonly code: string;
  /** Without the place. */
  readonly message: string;
  readonly file: string;
  /** Counted from 1, like `column`. */
  readonly line?: number;
  readonly column?: number;
  /** The line with carets below the place. */
  readonly frame?: string;
  /** Another place in the file that the problem is about. */
  readonly related?: Position & { readonly frame: string };
  /** The address of the page that explains the code; warnings have none. */
  readonly help?: string | undefined;
}

/** A remark about a text. */
export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly span?: Span | undefined;
  readonly related?: Span;
  readonly help?: string | undefined;
}

const placeAt = (lines: TextLines, span: Span) => ({
  ...lines.positionAt(span.start),
  frame: lines.codeFrame(span),
});

/**
 * Remarks with their places in a file; without the file's text, only their messages.
 * @param text the contents of the file, if it was read and the remarks are about it
 */
export function problemsAt(
  severity: Problem["severity"],
  remarks: readonly Remark[],
  file: string,
  text: string | undefined,
): Problem[] {
  const lines = text === undefined ? undefined : new TextLines(text);
  return remarks.map((remark) => problemAt(severity, remark, file, lines));
}

function problemAt(
  severity: Problem["severity"],
  { code, message, span, related, help }: Remark,
  file: string,
  lines: TextLines | undefined,
): Problem {
  const helped = help === undefined ? {} : { help };
  if (span === undefined || lines === undefined) return { severity, code, message, file, ...helped };
  const place = placeAt(lines, span);
  // Errors of the library already show the line.
  const shown = `\n${place.frame}`;
  const words = message.endsWith(shown) ? message.slice(0, -shown.length) : message;
  return {
    severity,
    code,
    message: words,
    file,
    ...place,
    ...(related === undefined ? {} : { related: placeAt(lines, related) }),
    ...helped,
  };
}

/**
 * The problems that an error reports about a file.
 * @param text the contents of the file, if it was read and the error is about it
 * @throws the error itself if it is neither one of ours nor about a file
 */
export function problemsOf(error: unknown, file: string, text?: string): Problem[] {
  if (error instanceof FileError)
    return [{ severity: "error", code: "FILE", message: error.message, file, help: error.help }];
  if (!(error instanceof MmPtxError)) throw error;
  const { problems = [], total = 0 } = error as MmPtxError & {
    readonly problems?: readonly Remark[];
    readonly total?: number;
  };
  const remarks = problems.map((each) => ({ ...each, help: errorHelp(error.name, each.code) }));
  const told = problemsAt("error", remarks.length > 0 ? remarks : [error], file, text);
  return [...told, ...untold(total - problems.length, error, file)];
}

/** The last entry of a list that its error cut short: how many more problems there are. */
const untold = (count: number, { code, help }: MmPtxError, file: string): Problem[] =>
  count > 0 ? [{ severity: "error", code, message: `and ${count} more`, file, help }] : [];

/** A problem as text: its place, its message, the line, and the other place if there is one. */
export function problemText(problem: Problem, colors: Colors): string {
  const { severity, message, file, frame, related } = problem;
  const word = severity === "error" ? colors.red(severity) : colors.yellow(severity);
  const head = `${placeText(file, problem, colors)}: ${word}: ${printable(message)}\n`;
  if (frame === undefined) return head;
  const other =
    related === undefined
      ? ""
      : `${placeText(file, related, colors)}: note: the other place\n${frameText(related.frame, colors)}`;
  return `${head}${frameText(frame, colors)}${other}`;
}

function placeText(file: string, { line, column }: Partial<Position>, colors: Colors): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return colors.bold(printable(place));
}

function frameText(frame: string, colors: Colors): string {
  const [source = "", carets = ""] = printable(frame).split("\n");
  return `${colors.dim(source)}\n${colors.red(carets)}\n`;
}

/** Problems of the one file that a command reads. */
export class ProblemsError extends Error {
  readonly help: string | undefined;

  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.message);
    this.help = problems[0]?.help;
  }
}

/**
 * Returns what `make` returns.
 * @param file the file that it reads
 * @param text as for `problemsOf`
 * @throws ProblemsError with the problems of the file
 */
export function orProblems<T>(file: string, text: string | undefined, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new ProblemsError(problemsOf(error, shownName(file), text));
  }
}

/** How errors that end a command are reported. */
export function failureOf(error: unknown): Failure | undefined {
  const problems = error instanceof ProblemsError ? error.problems : descriptionProblems(error);
  if (problems.length > 0) {
    const [{ code, message }] = problems as [Problem];
    return {
      code: 1,
      json: { code, message, problems },
      text: (colors) =>
        problems
          .map((problem) => problemText(problem, colors))
          .join("")
          .trimEnd(),
    };
  }
  if (!(error instanceof MmPtxError || error instanceof FileError)) return undefined;
  const { message } = error;
  return {
    code: 1,
    json: { code: error instanceof FileError ? "FILE" : error.code, message },
    text: (colors) => `${colors.red("error")}: ${printable(message)}`,
  };
}

/** The problems of a description file; its error class is loaded only if one is read. */
function descriptionProblems(error: unknown): Problem[] {
  if (!(error instanceof MmPtxError) || !("problems" in error)) return [];
  const problems = error.problems as readonly DescriptionProblem[];
  const { total = 0 } = error as { readonly total?: number };
  const told = problems.map(
    ({ file = "", line, column, path, message, frame }): Problem => ({
      severity: "error",
      code: error.code,
      message: path === "" ? message : `${path}: ${message}`,
      file,
      ...(line === undefined || column === undefined ? {} : { line, column }),
      ...(frame === undefined ? {} : { frame }),
      help: error.help,
    }),
  );
  return [...told, ...untold(total - problems.length, error, problems[0]?.file ?? "")];
}
