// Parses the logs of CUDA compilers into messages with places. NVRTC and nvcc share a front end and its format; nvcc
// adds messages of the host's preprocessor, the assembler and itself.

import { codeFrameAt } from "@mm-ptx/types/internal";
import type { CudaCompileErrorCode, CudaDiagnostic } from "./error.js";

type Severity = CudaDiagnostic["severity"];

interface Form {
  readonly pattern: RegExp;
  /** The file of messages that name no file. */
  readonly file?: string;
}

/** The first match wins. */
const FORMS: readonly Form[] = [
  // `kernel.cu(3): error: text`, `kernel.cu(3): warning #177-D: text`
  {
    pattern:
      /^(?<file>.+?)\((?<line>\d+)\): (?<severity>catastrophic error|error|warning|remark|note)(?: #(?<number>[\w-]+))?: (?<message>.*)$/,
  },
  // `ptxas application ptx input, line 27; error   : text`: a line of the PTX that the source was compiled to
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
/** A message without information, which ends a list of errors. */
const CLOSING = "Ptx assembly aborted due to errors";

/** The sources of a log, by the names that it uses. */
export type Sources = Readonly<Record<string, string>>;

/** All messages of a log, in order. */
export function parseCudaLog(log: string, sources: Sources): CudaDiagnostic[] {
  const lines = log.split(/\r?\n/);
  const sourceLine = linesOf(sources);
  const diagnostics: CudaDiagnostic[] = [];
  for (let i = 0; i < lines.length; i++) {
    const found = parseLine(lines[i]!);
    if (found === undefined || found.message === CLOSING) continue;
    const shown = shownPlace(lines, i);
    const { file, line, ...rest } = found;
    const written = sourceLine(file, line);
    const column = found.column ?? shownColumn(shown, written);
    const frame = line === undefined ? undefined : frameOf(shown, written, line, column);
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

/**
 * Finds a line of a source. Sources are split only once, because a log may have as many messages as a source has lines.
 */
function linesOf(sources: Sources): (file?: string, line?: number) => string | undefined {
  const divided = new Map<string, readonly string[]>();
  return (file, line) => {
    if (file === undefined || line === undefined || !Object.hasOwn(sources, file)) return undefined;
    const lines = divided.get(file) ?? sources[file]!.split(/\r?\n/);
    divided.set(file, lines);
    return lines[line - 1];
  };
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

/** A source line as a log shows it, with the caret line below. */
interface Shown {
  readonly source: string;
  readonly caret: string;
}

/** The front end indents both lines by two spaces; the host's preprocessor prefixes them with `    1 | `. */
const MARGIN = /^(?:\s*\d* \| | {2})/;

function shownPlace(lines: readonly string[], at: number): Shown | undefined {
  const [source, caret] = [lines[at + 1], lines[at + 2]];
  if (source === undefined || caret === undefined || !/^[\s|]*\^~*\s*$/.test(caret)) return undefined;
  const margin = MARGIN.exec(source)?.[0].length ?? 0;
  return { source: source.slice(margin), caret: caret.slice(margin).trimEnd() };
}

/**
 * Uses the source if it is known, because a log may show a line after macro expansion; a line without a column is
 * marked as a whole.
 */
function frameOf(
  shown: Shown | undefined,
  written: string | undefined,
  line: number,
  column: number | undefined,
): string | undefined {
  if (written !== undefined) {
    if (written.trim() === "") return undefined;
    const indent = written.length - written.trimStart().length;
    const span =
      column === undefined
        ? { start: indent, end: written.trimEnd().length }
        : { start: column - 1, end: column };
    return codeFrameAt(written, span, { line, column: span.start + 1 });
  }
  if (shown === undefined) return undefined;
  const span = { start: columnUnder(shown) - 1, end: shown.caret.length };
  return codeFrameAt(shown.source, span, { line, column: span.start + 1 });
}

/** The column, if the log shows the line as it is written; nvcc shows the preprocessed line. */
function shownColumn(shown: Shown | undefined, written: string | undefined): number | undefined {
  return shown === undefined || written !== shown.source ? undefined : columnUnder(shown);
}

/** The position of the caret is in bytes. */
function columnUnder({ source, caret }: Shown): number {
  return Buffer.from(source).subarray(0, caret.indexOf("^")).toString().length + 1;
}

/** `detected during instantiation of "f"`, or `detected during:` followed by a further indented line for each */
const DETAIL = /^ {10}(?: {2})?(?:detected|instantiation|\[ )/;

/** Lines that continue a message, such as the places where a template was instantiated. */
function detailsAfter(lines: readonly string[], at: number): string[] {
  const details: string[] = [];
  for (let i = at + 1; i < lines.length && lines[i] !== ""; i++) {
    if (parseLine(lines[i]!) !== undefined) break;
    if (DETAIL.test(lines[i]!)) details.push(lines[i]!.trim());
  }
  return details;
}

/** The first match wins. The texts are from CUDA 13.0. */
const CAUSES: readonly (readonly [pattern: RegExp, code: CudaCompileErrorCode])[] = [
  [/^(could not|cannot) open source file|: No such file or directory$/, "MISSING_HEADER"],
  [/invalid value for --gpu-architecture|^Unsupported gpu architecture/, "UNSUPPORTED_ARCH"],
  [/died due to signal/, "CRASHED"],
  // nvcc finds no host compiler, or an unsupported one.
  [/host compiler/, "INTERNAL"],
  [/[Oo]ut of memory|[Mm]emory allocation failure/, "OUT_OF_MEMORY"],
];

export const isError = ({ severity }: CudaDiagnostic): boolean =>
  severity === "error" || severity === "fatal";

/** The code of a failed compile: that of its first error with a known cause, otherwise `COMPILATION`. */
export function cudaCodeOf(diagnostics: readonly CudaDiagnostic[]): CudaCompileErrorCode {
  for (const { message } of diagnostics.filter(isError)) {
    const cause = CAUSES.find(([pattern]) => pattern.test(message));
    if (cause !== undefined) return cause[1];
  }
  return "COMPILATION";
}
