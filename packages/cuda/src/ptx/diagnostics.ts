// Parses the compiler's log into messages with lines.

import type { Diagnostic } from "../error.js";

// `ptxas application ptx input, line 35; error   : text`, `ptxas FILE, line 35; …`, `ptxas fatal   : text`
const MESSAGE = /^ptxas (?:.*?, line (\d+); )?(fatal|error|warning)\s*: (.*)$/s;
/** The line number in the text of a message without a line prefix. */
const LINE_IN_TEXT = /\bon line '?(\d+)/;
/** A message without information, which ends lists of errors. */
const CLOSING = "Ptx assembly aborted due to errors";

/**
 * The errors and warnings of a log in line order, those without a line last. (The compiler reports semantic errors in
 * the order of its passes.) Runs in linear time, and skips lines that are not messages.
 */
export function parseDiagnostics(log: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const text of linesOf(log)) {
    const diagnostic = diagnosticOf(text);
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
  }
  return diagnostics.sort((a, b) => lineOf(a) - lineOf(b));
}

/** The lines that are not empty. Unlike an array of all lines, they take no memory for the empty ones. */
export function* linesOf(log: string): Generator<string> {
  for (let at = 0; at < log.length; ) {
    const newline = log.indexOf("\n", at);
    const end = newline === -1 ? log.length : newline;
    if (end > at) yield log.slice(at, end);
    at = end + 1;
  }
}

function diagnosticOf(text: string): Diagnostic | undefined {
  const match = text.startsWith("ptxas ") ? MESSAGE.exec(text) : null;
  if (match === null) return undefined;
  const message = match[3]!.trim();
  if (message === CLOSING) return undefined;
  const line = Number(match[1] ?? LINE_IN_TEXT.exec(message)?.[1]);
  const severity = match[2] as Diagnostic["severity"];
  return Number.isSafeInteger(line) ? { severity, line, message } : { severity, message };
}

/** What every message of a compile begins with, up to its line. */
const USUAL = "ptxas application ptx input, line ";
const ERRORS = ["; error   : ", "; fatal   : "];
const [ZERO, NINE] = [48, 57];

/** How many kinds of errors are told apart in one line. */
const MOST_KINDS = 100;

/** A message without the names that it quotes. */
const kindOf = (message: string): string => message.slice(0, 500).replace(/'[^']*'/g, "''");

/**
 * The first errors of each kind in the first line that has any (a text without line breaks has all in one), and the number
 * of all errors, in a tenth of the time that reading all messages takes.
 */
export function firstErrors(log: string): { readonly count: number; readonly errors: readonly Diagnostic[] } {
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let errors = new Map<string, Diagnostic>();
  for (const text of linesOf(log)) {
    if (text.startsWith(USUAL)) {
      let digit = USUAL.length;
      let line = 0;
      for (; isDigit(text.charCodeAt(digit)); digit++) line = 10 * line + text.charCodeAt(digit) - ZERO;
      const begin = digit + 12;
      const isError = ERRORS.includes(text.substring(digit, begin));
      if (line > least && isError && !text.includes(CLOSING, begin)) {
        count++;
        continue;
      }
    }
    const diagnostic = diagnosticOf(text);
    if (diagnostic === undefined || diagnostic.severity === "warning") continue;
    count++;
    const line = lineOf(diagnostic);
    if (line > least) continue;
    if (line < least) errors = new Map();
    least = line;
    const kind = kindOf(diagnostic.message);
    if (!errors.has(kind) && errors.size < MOST_KINDS) errors.set(kind, diagnostic);
  }
  return { count, errors: [...errors.values()] };
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/**
 * Whether a log without an error is from a compiler that ran out of memory, which it reports only on standard error.
 */
export const gaveUp = (log: string): boolean => log.trim() === "" || log.includes(CLOSING);

/** A sort key. */
export function lineOf({ line }: Diagnostic): number {
  return line ?? Number.MAX_VALUE;
}
