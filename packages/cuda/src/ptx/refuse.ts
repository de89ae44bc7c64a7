// The scan of native/pool/scan.cpp, for backends that do not run on our threads, and the messages for the findings of
// both scans.

import { describeLine, type LineOrigins } from "@mm-ptx/types/core";
import type { RefusalReason } from "./backend.js";
import { commentEnd, stringEnd } from "./lexing.js";

/** The compiler's log buffer overflows for messages of about 100,000 bytes, and messages quote tokens. */
const MAX_TOKEN_BYTES = 64 * 1024;

export interface Refusal {
  readonly reason: RefusalReason;
  /** The offset of the first invalid character; for a token, of its first character. */
  readonly offset: number;
}

/** A problem that must not reach a compiler, or `undefined`. */
export function scanPtx(ptx: string): Refusal | undefined {
  if (ptx.length === 0) return { reason: "empty", offset: 0 };
  const bad = ptx.search(/[^\x01-\x7f]/);
  if (bad !== -1) return { reason: ptx.charCodeAt(bad) === 0 ? "nul" : "non-ascii", offset: bad };
  if (ptx.length <= MAX_TOKEN_BYTES) return undefined;
  // Each alternative starts with a different character, so the scan never backtracks.
  const tokens = /\/\/[^\n]*|\/\*|"|[\w$%.:]+/g;
  for (let match = tokens.exec(ptx); match !== null; match = tokens.exec(ptx)) {
    const start = match.index;
    if (match[0] === "/*") {
      tokens.lastIndex = commentEnd(ptx, start);
      continue;
    }
    if (match[0].startsWith("//")) continue;
    if (match[0] === '"') tokens.lastIndex = stringEnd(ptx, start);
    if (tokens.lastIndex - start > MAX_TOKEN_BYTES) return { reason: "long-token", offset: start };
  }
  return undefined;
}

/** `line 12`, or for rendered PTX where that line was written: ``injection `func`, site 1, stub line 3``. */
export function lineInWords(line: number, origins: LineOrigins | undefined): string {
  const origin = origins?.locate(line);
  return origin === undefined ? `line ${line}` : describeLine(origin);
}

/** The message for a rejected text; `place` is in words. */
export function refusalMessage(ptx: string, refusal: Refusal, place: string): string {
  switch (refusal.reason) {
    case "empty":
      return "expected PTX, found an empty text";
    case "nul":
      return `expected PTX, found a NUL byte at ${place}`;
    case "non-ascii": {
      const code = ptx.codePointAt(refusal.offset)!;
      const number = code.toString(16).toUpperCase().padStart(4, "0");
      return `expected ASCII, found \`${String.fromCodePoint(code)}\` (U+${number}) at ${place}`;
    }
    default:
      return `expected tokens of at most ${MAX_TOKEN_BYTES} bytes, found a longer one at ${place}`;
  }
}
