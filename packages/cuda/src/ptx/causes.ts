// Matches the compiler's messages with the table of causes: selects the error to show, its code, and its hint.

import type { Diagnostic, PtxCompileErrorCode } from "../error.js";
import { lineOf } from "./diagnostics.js";
import type { FailedText } from "./failed-text.js";
import { CAUSES, type Cause } from "./hints.js";

/** The length up to which messages are matched, after long quoted names are truncated. */
const LONGEST = 2000;
/** The first characters of a long name suffice to match a message and to find a hint. */
const LONG_NAME = /'([^']{400})[^']+'/g;

const PATTERNS: readonly (readonly [pattern: RegExp, cause: Cause])[] = CAUSES.flatMap((cause) =>
  cause.says.map((says): readonly [RegExp, Cause] => [patternOf(says), cause]),
);

/** Matches a message of the table, in which `…` in quotes stands for any quoted text. */
function patternOf(says: string): RegExp {
  const literal = says.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("'…'", "'([^']*)'").replaceAll("…", "(.*?)")}$`);
}

const abridged = (message: string): string => message.replace(LONG_NAME, "'$1…'");

/** The index of the first cause in the table that matches a message. */
function rankOf({ message }: Diagnostic): number {
  const text = abridged(message);
  const rank = text.length > LONGEST ? -1 : PATTERNS.findIndex(([pattern]) => pattern.test(text));
  return rank === -1 ? PATTERNS.length : rank;
}

/** The error to show: the most specific one in the first line that has any errors. */
export function primaryOf(diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  const errors = diagnostics.filter(({ severity }) => severity !== "warning");
  const line = errors[0] && lineOf(errors[0]);
  const [first, ...others] = errors.filter((each) => lineOf(each) === line);
  if (first === undefined || others.length === 0) return first;
  return others.reduce((best, each) => (rankOf(each) < rankOf(best) ? each : best), first);
}

/** The known cause of an error. */
export function causeOf(primary: Diagnostic): Cause | undefined {
  return PATTERNS[rankOf(primary)]?.[1];
}

/** The code of a failed compile, from the error to show; `SEMANTIC` if its cause is not known. */
export function codeOf(primary: Diagnostic | undefined): PtxCompileErrorCode {
  return (primary && causeOf(primary)?.code) ?? "SEMANTIC";
}

/** The remedy for an error; undefined if its cause is not known. */
export function hintOf(primary: Diagnostic, text: FailedText): string | undefined {
  const [pattern, cause] = PATTERNS[rankOf(primary)] ?? [];
  if (pattern === undefined || cause === undefined) return undefined;
  const [, ...found] = pattern.exec(abridged(primary.message))!;
  return cause.find?.(text, ...found) ?? cause.hint;
}
