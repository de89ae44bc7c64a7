// What is wrong in files, as editors find it: `file:line:column` first, then the line with carets.

import type { DescriptionProblem } from "@mm-ptx/types";
import { type Colors, type Failure, FileError, printable, shownName } from "@mm-ptx/types/cli";
import { MmPtxError, type Position, type Span, TextLines } from "@mm-ptx/types/core";

export interface Problem {
  readonly severity: "error" | "warning";
  /** As the library has it, or `FILE` for what can't be read or written. */
  readonly code: string;
  /** Without the place. */
  readonly message: string;
  readonly file: string;
  /** From 1, as `column`. */
  readonly line?: number;
  readonly column?: number;
  /** The line with carets below the place. */
  readonly frame?: string;
  /** Another place in the file that it is about. */
  readonly related?: Position & { readonly frame: string };
}

/** Something that was said about a text. */
export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly span?: Span | undefined;
  readonly related?: Span;
}

const placeAt = (lines: TextLines, span: Span) => ({
  ...lines.positionAt(span.start),
  frame: lines.codeFrame(span),
});

/**
 * Remarks with the places where they are in a file; without the file's text only what they say.
 * @param text what the file holds, where that was read and is what the remarks are about
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
  { code, message, span, related }: Remark,
  file: string,
  lines: TextLines | undefined,
): Problem {
  if (span === undefined || lines === undefined) return { severity, code, message, file };
  const place = placeAt(lines, span);
  // Errors of the library show the line themselves.
  const shown = `\n${place.frame}`;
  const words = message.endsWith(shown) ? message.slice(0, -shown.length) : message;
  return {
    severity,
    code,
    message: words,
    file,
    ...place,
    ...(related === undefined ? {} : { related: placeAt(lines, related) }),
  };
}

/**
 * What an error says of a file.
 * @param text what the file holds, where that was read and is what the error is about
 * @throws what is neither of an mm-ptx class nor about a file
 */
export function problemsOf(error: unknown, file: string, text?: string): Problem[] {
  if (error instanceof FileError) return [{ severity: "error", code: "FILE", message: error.message, file }];
  if (!(error instanceof MmPtxError)) throw error;
  const { problems = [], total = 0 } = error as MmPtxError & {
    readonly problems?: readonly Remark[];
    readonly total?: number;
  };
  const told = problemsAt("error", problems.length > 0 ? problems : [error], file, text);
  return [...told, ...untold(total - problems.length, error.code, file)];
}

/** What stands for the problems of a file that its error only counts. */
const untold = (count: number, code: string, file: string): Problem[] =>
  count > 0 ? [{ severity: "error", code, message: `and ${count} more`, file }] : [];

/** One problem, as text: its place and what is wrong, the line, and where it is about another place that too. */
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
  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.message);
  }
}

/**
 * What `make` gives.
 * @param file what it reads
 * @param text as `problemsOf` takes it
 * @throws ProblemsError with what is wrong there
 */
export function orProblems<T>(file: string, text: string | undefined, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new ProblemsError(problemsOf(error, shownName(file), text));
  }
}

/** How errors that end a command are told. */
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

/** Those of a description file; its error class is loaded only where one is read. */
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
    }),
  );
  return [...told, ...untold(total - problems.length, error.code, problems[0]?.file ?? "")];
}
