// The compiler's log as messages with lines.

import type { Diagnostic } from "../error.js";

// `ptxas application ptx input, line 35; error   : text`, `ptxas FILE, line 35; …`, `ptxas fatal   : text`
const MESSAGE = /^ptxas (?:.*?, line (\d+); )?(fatal|error|warning)\s*: (.*)$/;
/** Where a message without a line before it has one in its text. */
const LINE_IN_TEXT = /\bon line '?(\d+)/;
/** Says nothing by itself: it ends lists of errors. */
const CLOSING = "Ptx assembly aborted due to errors";

/**
 * Errors and warnings of a log in line order, those without a line last. The compiler reports semantic errors in the order
 * of its passes. Takes time by the length of the log, and leaves out what is no message.
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

/** Whether a log without an error is that of a compiler that found no memory: it says so on its standard error alone. */
export const gaveUp = (log: string): boolean => log.trim() === "" || log.includes(CLOSING);

/** For comparing. */
export function lineOf({ line }: Diagnostic): number {
  return line ?? Number.MAX_VALUE;
}
