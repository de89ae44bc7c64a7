// The logs of CUDA compilers as messages with places. NVRTC and nvcc share a front end and its words; nvcc adds those of
// the host's preprocessor, the assembler and itself.

import { codeFrame, lineOffset } from "@mm-ptx/types/core";
import type { CudaCompileErrorCode, CudaDiagnostic } from "./error.js";

type Severity = CudaDiagnostic["severity"];

interface Form {
  readonly pattern: RegExp;
  /** The file of messages that name none of their own. */
  readonly file?: string;
}

/** First match wins. */
const FORMS: readonly Form[] = [
  // `kernel.cu(3): error: text`, `kernel.cu(3): warning #177-D: text`
  {
    pattern:
      /^(?<file>.+?)\((?<line>\d+)\): (?<severity>catastrophic error|error|warning|remark|note)(?: #(?<number>[\w-]+))?: (?<message>.*)$/,
  },
  // `ptxas application ptx input, line 27; error   : text`: a line of the PTX that was made of the source
  {
    pattern: /^ptxas .*?, line (?<line>\d+); (?<severity>fatal|error|warning)\s*: (?<message>.*)$/,
    file: "PTX",
  },
  // `kernel.cu:1:10: fatal error: text`
  {
    pattern:
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?:(?<column>\d+):)? (?<severity>fatal error|error|warning|note): (?<message>.*)$/,
  },
  // `nvcc fatal   : text`, `nvrtc: error: text`, `<command-line>: error: text`
  { pattern: /^[\w<>-]+:? +(?<severity>fatal error|fatal|error|warning)\s*: (?<message>.*)$/ },
];

const SEVERITIES: Readonly<Record<string, Severity>> = {
  "catastrophic error": "fatal",
  "fatal error": "fatal",
  fatal: "fatal",
  error: "error",
  warning: "warning",
  remark: "remark",
  note: "note",
};
/** Says nothing by itself: it ends a list of errors. */
const CLOSING = "Ptx assembly aborted due to errors";

/** The sources that a log is about, by the names that it uses. */
export type Sources = Readonly<Record<string, string>>;

/** All messages of a log, in its order. */
export function parseCudaLog(log: string, sources: Sources): CudaDiagnostic[] {
  const lines = log.split(/\r?\n/);
  const diagnostics: CudaDiagnostic[] = [];
  for (let i = 0; i < lines.length; i++) {
    const found = parseLine(lines[i]!);
    if (found === undefined || found.message === CLOSING) continue;
    const shown = shownPlace(lines, i);
    const { file, line, ...rest } = found;
    const source = file === undefined ? undefined : sources[file];
    const column = found.column ?? shownColumn(shown, source, line);
    const frame = line === undefined ? undefined : frameOf(shown, source, line, column);
    diagnostics.push({
      ...rest,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      ...(frame === undefined ? {} : { frame }),
      message: [found.message, ...detailsAfter(lines, i)].join("\n"),
    });
  }
  return diagnostics;
}

function parseLine(text: string): CudaDiagnostic | undefined {
  for (const { pattern, file } of FORMS) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const name = groups.file ?? file;
    return {
      severity: SEVERITIES[groups.severity!]!,
      ...(name === undefined ? {} : { file: name }),
      ...(groups.line === undefined ? {} : { line: Number(groups.line) }),
      ...(groups.column === undefined ? {} : { column: Number(groups.column) }),
      ...(groups.number === undefined ? {} : { number: groups.number }),
      message: groups.message!,
    };
  }
  return undefined;
}

/** A source line as a log shows it, and the line with the caret below. */
interface Shown {
  readonly source: string;
  readonly caret: string;
}

/** The front end indents both by two blanks; the host's preprocessor writes `    1 | ` before them. */
const MARGIN = /^(?: {2}|\s*\d* \| )/;

function shownPlace(lines: readonly string[], at: number): Shown | undefined {
  const [source, caret] = [lines[at + 1], lines[at + 2]];
  if (source === undefined || caret === undefined || !/^[\s|]*\^~*\s*$/.test(caret)) return undefined;
  const margin = MARGIN.exec(source)?.[0].length ?? 0;
  return { source: source.slice(margin), caret: caret.slice(margin).trimEnd() };
}

/** From the source where it is known, because a log may show a line after macros; a line without column is marked whole. */
function frameOf(
  shown: Shown | undefined,
  source: string | undefined,
  line: number,
  column: number | undefined,
): string | undefined {
  if (source !== undefined) {
    const start = lineOffset(source, line);
    const text = source.slice(start).split(/\r?\n/, 1)[0]!;
    if (text.trim() === "") return undefined;
    const indent = text.length - text.trimStart().length;
    const span =
      column === undefined
        ? { start: start + indent, end: start + text.trimEnd().length }
        : { start: start + column - 1, end: start + column };
    return codeFrame(source, span);
  }
  if (shown === undefined) return undefined;
  const label = `${line}`.padStart(5);
  return `${label} | ${shown.source}\n${" ".repeat(label.length)} | ${shown.caret}`;
}

/**
 * The column under the caret, where the log shows the line as it is written: nvcc shows it after its preprocessor. Carets
 * stand at bytes.
 */
function shownColumn(
  shown: Shown | undefined,
  source: string | undefined,
  line?: number,
): number | undefined {
  if (shown === undefined || source === undefined || line === undefined) return undefined;
  const written = source.split(/\r?\n/, line)[line - 1];
  if (written === undefined || written !== shown.source) return undefined;
  const bytes = shown.caret.indexOf("^");
  return Buffer.from(written).subarray(0, bytes).toString().length + 1;
}

/** Lines that go on about a message, such as where a template was instantiated. */
function detailsAfter(lines: readonly string[], at: number): string[] {
  const details: string[] = [];
  for (let i = at + 1; i < lines.length && lines[i] !== ""; i++) {
    if (parseLine(lines[i]!) !== undefined) break;
    if (/^ {10}\S/.test(lines[i]!) && /^\s*(detected|instantiation|\[ )/.test(lines[i]!))
      details.push(lines[i]!.trim());
  }
  return details;
}

/** First match wins. Texts are those of CUDA 13.0. */
const CAUSES: readonly (readonly [pattern: RegExp, code: CudaCompileErrorCode])[] = [
  [/^(could not|cannot) open source file|: No such file or directory$/, "MISSING_HEADER"],
  [/invalid value for --gpu-architecture|^Unsupported gpu architecture/, "UNSUPPORTED_ARCH"],
  [/died due to signal/, "CRASHED"],
  [/[Oo]ut of memory|[Mm]emory allocation failure/, "MEMORY"],
];

export const isError = ({ severity }: CudaDiagnostic): boolean =>
  severity === "error" || severity === "fatal";

/** The code of a failed compile: that of its first error with a known cause, else `COMPILATION`. */
export function cudaCodeOf(diagnostics: readonly CudaDiagnostic[]): CudaCompileErrorCode {
  for (const { message } of diagnostics.filter(isError)) {
    const cause = CAUSES.find(([pattern]) => pattern.test(message));
    if (cause !== undefined) return cause[1];
  }
  return "COMPILATION";
}
