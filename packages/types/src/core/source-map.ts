// From a line of rendered PTX back to where it was written: the kernel's text, or a stub. A map is plain data that holds
// no text; it is walked when somebody asks first, which is when a compiler has complained about a line.
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

/** Whether something is a map as `sourceMap` makes it, as far as that shows. */
export function isSourceMap(value: unknown): value is SourceMap {
  const map = value as Partial<SourceMap> | null | undefined;
  return typeof map === "object" && [map?.names, map?.holes, map?.lines, map?.stubLines].every(Array.isArray);
}

/** The map of a rendering of `template` with these stubs, which stand in the order of `template.names`. */
export function sourceMap(template: Omit<PtxTemplate, "segments">, stubs: readonly string[]): SourceMap {
  const { names, holes, lines } = template;
  return Object.freeze({ names, holes, lines, stubLines: Object.freeze(stubs.map(countLineFeeds)) });
}

/** What a map says of its segments, worked out once for all lines. */
interface LineIndex {
  /** For each segment the line in which it begins; the last line that the stub before it is on. */
  readonly begins: readonly number[];
  /** For each hole which of its injection's sites it is. */
  readonly sites: readonly number[];
}

const indices = new WeakMap<SourceMap, LineIndex>();

function indexOf(map: SourceMap): LineIndex {
  const known = indices.get(map);
  if (known !== undefined) return known;
  const { names, holes, lines, stubLines } = map;
  const begins = [1];
  const sites: number[] = [];
  const counts = new Array<number>(names.length).fill(0);
  for (const [i, injection] of holes.entries()) {
    begins.push(begins[i]! + lines[i]!.lines + stubLines[injection]!);
    sites.push(counts[injection]!++);
  }
  const index = { begins, sites };
  indices.set(map, index);
  return index;
}

/**
 * Where a line (counted from 1) of the rendered text comes from; `undefined` when the text has no such line. The first call
 * for a map walks it once, later ones take a binary search: a map must not change.
 */
export function locateLine(map: SourceMap, line: number): SourceLine | undefined {
  if (!Number.isInteger(line) || line < 1) return undefined;
  const { names, holes, lines } = map;
  const { begins, sites } = indexOf(map);
  // The first segment that the line, or the stub behind it, is part of: a line that a segment begins in is the stub's.
  let i = 0;
  for (let end = holes.length; i < end; ) {
    const middle = (i + end) >> 1;
    if (begins[middle + 1]! < line) i = middle + 1;
    else end = middle;
  }
  const segment = lines[i]!;
  const injection = holes[i];
  const offset = line - begins[i]!;
  // The line in which a segment ends is that of the stub behind it; the last segment has none.
  if (offset < segment.lines || (injection === undefined && offset === segment.lines)) {
    const ofSite = i > 0 && offset <= segment.head;
    return { kind: "kernel", kernelLine: ofSite ? siteLine(lines[i - 1]!) : kernelLineAt(segment, offset) };
  }
  if (injection === undefined) return undefined;
  return {
    kind: "stub",
    injection: names[injection]!,
    site: sites[i]!,
    stubLine: offset - segment.lines + 1,
    kernelLine: siteLine(segment),
  };
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

/** The kernel's line of the site behind a segment. */
const siteLine = (segment: SegmentLines): number => kernelLineAt(segment, segment.lines);

/** How many line feeds a text has; CRLF ends one line. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
