// From a line of rendered PTX back to where it was written: the kernel's text, or a stub. A map is plain data that holds
// no text; it is walked when somebody asks, which is when a compiler has complained about a line.
import { quoted } from "./describe.js";
import type { PtxTemplate, SegmentLines } from "./template.js";

/** What `locateLine` reads; made by `sourceMap`. */
export interface SourceMap extends Pick<PtxTemplate, "names" | "holes" | "lines"> {
  /** For each injection how many line feeds its stub has. */
  readonly stubLines: readonly number[];
}

/** A line of the kernel's text; of 0.x PTX also what was put around a site, which has the line of the site. */
export interface KernelLine {
  readonly kind: "kernel";
  /** Counted from 1 in the text that was parsed. */
  readonly kernelLine: number;
}

/** A line of a stub. A line that the kernel's text shares with a stub is the stub's. */
export interface StubLine {
  readonly kind: "stub";
  /** The name of the injection. */
  readonly injection: string;
  /** Which of the injection's sites, counted from 0 as in its list of sites. */
  readonly site: number;
  /** Counted from 1 in the stub. */
  readonly stubLine: number;
  /** The line of the site in the text that was parsed, counted from 1. */
  readonly kernelLine: number;
}

/** Where a line of rendered PTX comes from. */
export type SourceLine = KernelLine | StubLine;

/** The map of a rendering of `template` with these stubs, which stand in the order of `template.names`. */
export function sourceMap(template: Omit<PtxTemplate, "segments">, stubs: readonly string[]): SourceMap {
  const { names, holes, lines } = template;
  return Object.freeze({ names, holes, lines, stubLines: Object.freeze(stubs.map(countLineFeeds)) });
}

/** Where a line (counted from 1) of the rendered text comes from; `undefined` when the text has no such line. */
export function locateLine(map: SourceMap, line: number): SourceLine | undefined {
  const { names, holes, lines, stubLines } = map;
  if (!Number.isInteger(line) || line < 1) return undefined;
  // The line in which the current segment begins, and the kernel's line of the site before it.
  let begin = 1;
  let siteLine = lines[0]!.kernelLine;
  for (const [i, segment] of lines.entries()) {
    const end = begin + segment.lines;
    const injection = holes[i];
    // The line in which a segment ends is that of the stub behind it; the last segment has none.
    if (line < end || (injection === undefined && line === end)) {
      const offset = line - begin;
      const kernelLine = offset <= segment.head ? siteLine : kernelLineAt(segment, offset);
      return { kind: "kernel", kernelLine };
    }
    if (injection === undefined) break;
    siteLine = kernelLineAt(segment, segment.lines);
    begin = end + stubLines[injection]!;
    if (line > begin) continue;
    const site = holes.slice(0, i).filter((other) => other === injection).length;
    return {
      kind: "stub",
      injection: names[injection]!,
      site,
      stubLine: line - end + 1,
      kernelLine: siteLine,
    };
  }
  return undefined;
}

/** `kernel line 12`, or ``injection `func`, site 2, stub line 4``: here sites count from 1, as lines do. */
export function describeLine(source: SourceLine): string {
  return source.kind === "kernel"
    ? `kernel line ${source.kernelLine}`
    : `injection ${quoted(source.injection)}, site ${source.site + 1}, stub line ${source.stubLine}`;
}

/** The kernel's line, `offset` lines after the beginning of a segment; what was put around sites has the nearest one. */
function kernelLineAt({ kernelLine, lines, head, tail }: SegmentLines, offset: number): number {
  return kernelLine + Math.min(Math.max(offset - head, 0), lines - head - tail);
}

/** How many line feeds a text has; CRLF ends one line. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
