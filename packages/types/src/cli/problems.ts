// Shows problems of files in a terminal: the place, what is wrong, and the line with carets.
import { MmPtxError } from "../core/error.js";
import { DescriptionError, type DescriptionProblem, placeText } from "../error.js";
import { type Colors, type Failure, printable } from "./framework.js";

/** One problem of a file, as text of several lines. */
export function problemText(problem: DescriptionProblem, colors: Colors): string {
  const [path, message, place] = [problem.path, problem.message, placeText(problem)].map(printable) as [
    string,
    string,
    string,
  ];
  const where = place === path || path === "" ? "" : ` ${colors.dim(path)}`;
  const head = `${colors.bold(place || path)}${where}: ${message}`;
  if (problem.frame === undefined) return head;
  const [source = "", carets = ""] = printable(problem.frame).split("\n");
  return `${head}\n${colors.dim(source)}\n${colors.red(carets)}`;
}

/** A warning, which does not look like a problem. */
export function warningText(warning: DescriptionProblem, colors: Colors): string {
  return `${colors.yellow("warning")}: ${problemText(warning, colors)}`;
}

/** The message of an error, with all its problems. */
export function errorText(error: MmPtxError, colors: Colors): string {
  if (!(error instanceof DescriptionError) || error.problems.length === 0) {
    return `${colors.red("error")}: ${printable(error.message)}`;
  }
  const more = error.total - error.problems.length;
  return [
    ...error.problems.map((problem) => problemText(problem, colors)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}

/** The same as JSON. */
export function errorJson(error: MmPtxError): object {
  const problems =
    error instanceof DescriptionError && error.problems.length > 0 ? error.problems : undefined;
  const message =
    problems === undefined ? error.message : error.message.slice(0, error.message.indexOf("\n"));
  return { code: error.code, message, ...(problems === undefined ? {} : { problems }) };
}

/**
 * Reports what the functions of this package refuse. An INVALID_ARGUMENT cannot come from a file, so it is an error of
 * the command line.
 */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof MmPtxError)) return undefined;
  const code = error.code === "INVALID_ARGUMENT" ? 2 : 1;
  return { code, json: errorJson(error), text: (colors: Colors) => errorText(error, colors) };
}
