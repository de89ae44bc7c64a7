// Parses the compiler's log into messages with lines.

import type { Diagnostic } from "../error.js";

// `ptxas application ptx input, line 35; error   : text`, `ptxas FILE, line 35; …`, `ptxas fatal   : text`
const MESSAGE = /^ptxas (?:.*?, line (\d+); )?(fatal|error|warning)\s*: (.*)$/;
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
  for (const text of log.split("\n")) {
    const match = text.startsWith("ptxas ") ? MESSAGE.exec(text.trimEnd()) : null;
    if (match === null) continue;
    const message = match[3]!.trim();
    if (message === CLOSING) continue;
    const line = Number(match[1] ?? LINE_IN_TEXT.exec(message)?.[1]);
    diagnostics.push({
      severity: match[2] as Diagnostic["severity"],
      ...(Number.isSafeInteger(line) ? { line } : {}),
      message,
    });
  }
  return diagnostics.sort((a, b) => lineOf(a) - lineOf(b));
}

/**
 * Whether a log without an error is from a compiler that ran out of memory, which it reports only on standard error.
 */
export const gaveUp = (log: string): boolean => log.trim() === "" || log.includes(CLOSING);

/** A sort key. */
export function lineOf({ line }: Diagnostic): number {
  return line ?? Number.MAX_VALUE;
}
