// The compiler's log as messages with lines, and the code that they amount to.

import type { Diagnostic, PtxCompileErrorCode } from "../error.js";

// `ptxas application ptx input, line 35; error   : text`, `ptxas FILE, line 35; …`, `ptxas fatal   : text`
const MESSAGE = /^ptxas (?:.*?, line (\d+); )?(fatal|error|warning|info)\s*: (.*)$/;
/** Says nothing by itself: it ends every list of errors. */
const CLOSING = "Ptx assembly aborted due to errors";

/**
 * All messages of a log in line order, those without a line last. The compiler reports semantic errors in the order of
 * its passes.
 */
export function parseDiagnostics(log: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const text of log.split("\n")) {
    const match = MESSAGE.exec(text.trimEnd());
    if (match === null) continue;
    const message = match[3]!;
    if (message === CLOSING) continue;
    diagnostics.push({
      severity: match[2] as Diagnostic["severity"],
      ...(match[1] === undefined ? {} : { line: Number(match[1]) }),
      message,
    });
  }
  return diagnostics.sort((a, b) => (a.line ?? Number.MAX_VALUE) - (b.line ?? Number.MAX_VALUE));
}

/** First match wins. Texts are those of nvPTXCompiler 13.0, which ptxas shares. */
const CAUSES: readonly (readonly [pattern: RegExp, code: PtxCompileErrorCode])[] = [
  [/^Unsupported \.version /, "UNSUPPORTED_VERSION"],
  [/^SM version specified by \.target is higher/, "TARGET_TOO_LOW"],
  [/^PTX with \.target '.*' cannot be compiled for architecture/, "TARGET_TOO_LOW"],
  [/^Program with \.target '.*' cannot be compiled to future architecture/, "TARGET_TOO_LOW"],
  [/requires \.target |not supported on \.target /, "TARGET_TOO_LOW"],
  [/^Unresolved extern /, "UNRESOLVED"],
  [/uses too much |too many (resources|parameters|registers)|exceeds? (the )?(maximum|limit)/i, "RESOURCE"],
  [/[Mm]emory allocation failure|out of memory/i, "MEMORY"],
  [/is not defined for option /, "INVALID_OPTION"],
  [/syntax error|^Parsing error|^Missing \.version directive|^Missing \.target directive/, "SYNTAX"],
  [/^Unexpected non-ASCII character/, "REFUSED_INPUT"],
];

/** The code of a failed compile: that of its first error with a known cause, else `SEMANTIC`. */
export function codeOf(diagnostics: readonly Diagnostic[]): PtxCompileErrorCode {
  for (const { severity, message } of diagnostics) {
    if (severity !== "error" && severity !== "fatal") continue;
    const cause = CAUSES.find(([pattern]) => pattern.test(message));
    if (cause !== undefined) return cause[1];
  }
  return "SEMANTIC";
}
