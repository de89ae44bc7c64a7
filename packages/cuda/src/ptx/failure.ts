// PTX that was refused, by the compiler or before it, as an error: the place that is to blame, in the text that somebody wrote, and what helps.

import { codeFrameAt, describeLine, lineOffset, locateLine, positionAt } from "@mm-ptx/types/core";
import { type Diagnostic, PtxCompileError, type PtxCompileErrorCode } from "../error.js";
import type { BackendJob } from "./backend.js";
import { codeOf, hintOf, primaryOf } from "./causes.js";
import { gaveUp, parseDiagnostics } from "./diagnostics.js";
import { FailedText } from "./failed-text.js";
import { NOT_ASCII } from "./hints.js";
import { type FilledTemplate, type Source, sourceText } from "./job.js";
import { locateDiagnostics, mapOf, widthAt } from "./places.js";
import { type Refusal, refusalMessage } from "./refuse.js";

/** Characters of the compiler's message that an error's own message has; `diagnostics` has them all. */
const LONGEST_MESSAGE = 500;

/**
 * The error of a log: all that it says in line order, and the first cause with its line, its code and a hint.
 *
 * @param known the code where the compiler gave it by a number of its own
 */
export function refusedPtx(
  log: string,
  { source, target }: BackendJob,
  known?: PtxCompileErrorCode,
): PtxCompileError {
  const ptx = sourceText(source);
  const diagnostics = locateDiagnostics(parseDiagnostics(log), source, ptx);
  const primary = primaryOf(diagnostics);
  const head = `PTX does not compile for \`${target.arch}\``;
  const details = { diagnostics, log, options: target };
  if (primary === undefined) {
    if (known === undefined && gaveUp(log))
      return new PtxCompileError("MEMORY", "the compiler gave up for want of memory", details);
    return new PtxCompileError(
      known ?? "SEMANTIC",
      `${head}, and the compiler's log names no error`,
      details,
    );
  }
  const hint = hintOf(primary, failedText(primary, source, ptx, target.arch));
  const errors = diagnostics.filter(({ severity }) => severity !== "warning").length;
  const lines = [
    `${head}: ${placeOf(primary)}${clipped(primary.message)}${errors > 1 ? ` (and ${errors - 1} more)` : ""}`,
    frameOf(primary, source, ptx),
    hint && `hint: ${hint}`,
  ];
  const message = lines.filter((line) => line !== undefined).join("\n");
  return new PtxCompileError(known ?? codeOf(primary), message, { ...details, hint });
}

/** The error of a text that was not given to the compiler. Offsets count bytes, which are characters up to the first refused. */
export function refusedText(refusal: Refusal, { source, target }: BackendJob): PtxCompileError {
  const ptx = sourceText(source);
  const { line, column } = positionAt(ptx, refusal.offset);
  const map = mapOf(source);
  const origin = map && locateLine(map, line);
  const place = `${origin === undefined ? `line ${line}` : describeLine(origin)}, column ${column}`;
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
  return new PtxCompileError("REFUSED_INPUT", message, { diagnostics: [diagnostic], hint, options: target });
}

/** The compiler quotes whole names, and those can be as long as somebody made them. */
function clipped(message: string): string {
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
}

/** The place with what follows it, in the words of whoever wrote the line. */
function placeOf({ line, origin, cuda }: Diagnostic): string {
  if (line === undefined) return "";
  const own = origin === undefined ? `line ${line}` : describeLine(origin);
  const made = cuda === undefined ? "" : ` (${cuda.file.replace(/^.*[\\/]/, "")}:${cuda.line})`;
  return `${own}${made}: `;
}

/** The line as it was written, with carets: of a stub, or of the PTX. */
function frameOf({ line, column, origin }: Diagnostic, source: Source, ptx: string): string | undefined {
  if (line === undefined) return undefined;
  const start = lineOffset(ptx, line);
  const rendered = ptx.slice(start).split("\n", 1)[0]!.trimEnd();
  if (rendered.trim() === "") return undefined;
  const from = column === undefined ? rendered.length - rendered.trimStart().length : column - 1;
  const length = column === undefined ? rendered.length - from : widthAt(rendered, column);
  if (origin?.kind !== "stub") {
    const span = { start: start + from, end: start + from + length };
    return codeFrameAt(ptx, span, { line: origin?.kernelLine ?? line, column: from + 1 });
  }
  const { template, stubs } = source as FilledTemplate;
  const stub = stubs[template.names.indexOf(origin.injection)]!;
  const stubStart = lineOffset(stub, origin.stubLine);
  const written = stub.slice(stubStart).split("\n", 1)[0]!;
  // The kernel's text may stand before a stub's first line, and then nothing of the stub may be to blame.
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
  source: Source,
  ptx: string,
  arch: string,
): FailedText {
  const map = mapOf(source);
  const describe = (other: number): string | undefined => {
    const place = map && locateLine(map, other);
    return place && describeLine(place);
  };
  const stubLine = origin?.kind === "stub" ? origin.stubLine : undefined;
  const stubs =
    map === undefined
      ? []
      : (source as FilledTemplate).stubs.map((stub, i) => [map.names[i]!, stub] as const);
  return new FailedText(ptx, arch, { line, column, stubLine, describe, stubs: new Map(stubs) });
}
