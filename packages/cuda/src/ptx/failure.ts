// Errors for PTX that the compiler or an earlier check rejected: the place in the text as it was written, and a hint.

import { describeLine, type LineOrigins, positionAt, type StubLine } from "@mm-ptx/types/core";
import { codeFrameAt, defineLazy, lineOffset } from "@mm-ptx/types/internal";
import { type Diagnostic, PtxCompileError, type PtxCompileErrorCode } from "../error.js";
import type { BackendJob } from "./backend.js";
import { causeOf, codeOf, hintOf, primaryOf } from "./causes.js";
import { firstErrors, gaveUp, parseDiagnostics } from "./diagnostics.js";
import { FailedText } from "./failed-text.js";
import { NOT_ASCII } from "./hints.js";
import { locateDiagnostics, widthAt } from "./places.js";
import { lineInWords, type Refusal, refusalMessage } from "./refuse.js";
import { originsOf, sourceText } from "./source.js";

/** The length of a log that is read at once; of a longer one, all but the first errors are read when somebody asks. */
const MOST_READ = 16 * 1024;

/** The maximum length of the compiler's message in an error's own message; `diagnostics` has the full messages. */
const LONGEST_MESSAGE = 500;

/**
 * The error for a log: all messages in line order, and the first cause with its line, code and hint.
 *
 * @param known the code, if the compiler reported it as a number
 */
export function refusedPtx(
  log: string,
  { source, target }: BackendJob,
  known?: PtxCompileErrorCode,
): PtxCompileError {
  const ptx = sourceText(source);
  const origins = originsOf(source);
  const first = firstErrors(log);
  const primary = primaryOf(locateDiagnostics(first.errors, origins, ptx));
  const head = `PTX does not compile for \`${target.arch}\``;
  const refused = (
    code: PtxCompileErrorCode,
    message: string,
    hint?: string,
    hintName?: string,
  ): PtxCompileError => {
    const error = new PtxCompileError(code, message, { log, options: target, hint, hintName });
    const read = () => locateDiagnostics(parseDiagnostics(log), origins, ptx);
    if (log.length <= MOST_READ) return Object.assign(error, { diagnostics: read() });
    defineLazy(error, "diagnostics", read);
    return error;
  };
  if (primary === undefined) {
    if (known === undefined && gaveUp(log)) return refused("OUT_OF_MEMORY", "the compiler ran out of memory");
    return refused(known ?? "SEMANTIC", `${head}, but the compiler's log contains no error`);
  }
  const hint = hintOf(primary, failedText(primary, origins, ptx, target.arch));
  const lines = [
    `${head}: ${placeOf(primary)}${clipped(primary.message)}${first.count > 1 ? ` (and ${first.count - 1} more)` : ""}`,
    frameOf(primary, origins, ptx),
    hint && `hint: ${hint}`,
  ];
  const message = lines.filter((line) => line !== undefined).join("\n");
  return refused(known ?? codeOf(primary), message, hint, hint && causeOf(primary)?.name);
}

/**
 * The error for a text that was not passed to the compiler. Offsets count bytes, which equal characters up to the first
 * rejected one.
 */
export function refusedText(refusal: Refusal, { source, target }: BackendJob): PtxCompileError {
  const ptx = sourceText(source);
  const { line, column } = positionAt(ptx, refusal.offset);
  const origins = originsOf(source);
  const origin = origins?.locate(line);
  const place = `${lineInWords(line, origins)}, column ${column}`;
  const text = refusalMessage(ptx, refusal, place);
  const hint = refusal.reason === "non-ascii" ? NOT_ASCII : undefined;
  const diagnostic: Diagnostic = {
    severity: "fatal",
    line,
    column,
    ...(origin === undefined ? {} : { origin }),
    message: text,
  };
  const message = hint === undefined ? text : `${text}\nhint: ${hint}`;
  return new PtxCompileError("INVALID_ARGUMENT", message, {
    diagnostics: [diagnostic],
    hint,
    hintName: hint && "not-ascii",
    options: target,
  });
}

/** Truncates the names that the compiler quotes, which can be arbitrarily long. */
function clipped(message: string): string {
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
}

/** The place, in terms of the text that the user wrote. */
function placeOf({ line, origin, cuda }: Diagnostic): string {
  if (line === undefined) return "";
  const own = origin === undefined ? `line ${line}` : describeLine(origin);
  const made = cuda === undefined ? "" : ` (${cuda.file.replace(/^.*[\\/]/, "")}:${cuda.line})`;
  return `${own}${made}: `;
}

/** The line of a stub or of the PTX as it was written, with carets. */
function frameOf(
  { line, column, origin }: Diagnostic,
  origins: LineOrigins | undefined,
  ptx: string,
): string | undefined {
  if (line === undefined) return undefined;
  const start = lineOffset(ptx, line);
  const rendered = ptx.slice(start).split("\n", 1)[0]!.trimEnd();
  if (rendered.trim() === "") return undefined;
  const from = column === undefined ? rendered.length - rendered.trimStart().length : column - 1;
  const length = column === undefined ? rendered.length - from : widthAt(rendered, column);
  if (origin?.kind !== "stub" || origins === undefined) {
    const span = { start: start + from, end: start + from + length };
    return codeFrameAt(ptx, span, { line: origin?.kernelLine ?? line, column: from + 1 });
  }
  const stub = stubOf(origin, origins);
  const stubStart = lineOffset(stub, origin.stubLine);
  const written = stub.slice(stubStart).split("\n", 1)[0]!;
  // A stub's first line may begin with kernel text, and the error may be in that.
  const shift = rendered.indexOf(written.trimEnd());
  const at = stubStart + Math.max(0, from - Math.max(0, shift));
  return codeFrameAt(
    stub,
    { start: at, end: at + length },
    { line: origin.stubLine, column: at - stubStart + 1 },
  );
}

function failedText(
  { line, column, origin }: Diagnostic,
  origins: LineOrigins | undefined,
  ptx: string,
  arch: string,
): FailedText {
  const describe = (other: number): string | undefined => {
    const place = origins?.locate(other);
    return place && describeLine(place);
  };
  const stubLine = origin?.kind === "stub" ? origin.stubLine : undefined;
  const stubs = () => origins?.stubs() ?? [];
  return new FailedText(ptx, arch, { line, column, stubLine, describe, stubs });
}

function stubOf({ injection, variant }: StubLine, origins: LineOrigins): string {
  for (const stub of origins.stubs()) {
    if (stub.injection === injection && stub.variant === variant) return stub.text;
  }
  return "";
}
