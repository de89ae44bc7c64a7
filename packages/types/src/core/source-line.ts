// From a line of rendered PTX back to where it was written: the kernel's text, or a stub.
import { quoted } from "../internal/describe.js";
import { countLineFeeds, type PtxTemplate, type SegmentLines } from "./template.js";

/** A line of the kernel's text. The lines that are added around a site of 0.x count as the line of the site. */
export interface KernelLine {
  readonly kind: "kernel";
  /** The line, counted from 1 in the text that was parsed. */
  readonly kernelLine: number;
  /** In a pack, the variant that the line belongs to, counted from 0; absent for lines that all variants share. */
  readonly variant?: number;
}

/** A line of a stub. A line that contains text of both the kernel and a stub counts as the stub's. */
export interface StubLine {
  readonly kind: "stub";
  /** The name of the injection. */
  readonly injection: string;
  /** The number of the site, counted from 0 in the injection's list of sites. */
  readonly site: number;
  /** The line, counted from 1 in the stub. */
  readonly stubLine: number;
  /** The line of the site in the text that was parsed, counted from 1. */
  readonly kernelLine: number;
  /** In a pack, the variant that the stub belongs to, counted from 0. */
  readonly variant?: number;
}

/** The origin of a line of rendered PTX. */
export type SourceLine = KernelLine | StubLine;

/** `kernel line 12`, or ``injection `func`, site 2, stub line 4``: here sites count from 1, as lines do. */
export function describeLine(source: SourceLine): string {
  const variant = source.variant === undefined ? "" : `variant ${source.variant}, `;
  return source.kind === "kernel"
    ? `${variant}kernel line ${source.kernelLine}`
    : `${variant}injection ${quoted(source.injection)}, site ${source.site + 1}, stub line ${source.stubLine}`;
}

/** A stub of rendered PTX, which may have many sites. */
export interface PlacedStub {
  readonly injection: string;
  /** In a pack, the variant that the stub belongs to, counted from 0. */
  readonly variant?: number;
  readonly text: string;
}

/** The origins of the lines of rendered PTX. */
export interface LineOrigins {
  /** The origin of a line of the text, counted from 1; `undefined` if there is no such line. */
  locate(line: number): SourceLine | undefined;
  /** The stubs, each once. */
  stubs(): Iterable<PlacedStub>;
}

/**
 * The lines of a template with stubs. Lines are only counted on demand, that is, once a compiler has reported an error.
 */
export class RenderedLines implements LineOrigins {
  readonly #template: PtxTemplate;
  readonly #stubLines: readonly number[];
  readonly #stubs: readonly string[];
  #index: LineIndex | undefined;

  /** @param stubs in the order of `template.names` */
  constructor(template: PtxTemplate, stubs: readonly string[]) {
    this.#template = template;
    this.#stubs = stubs;
    this.#stubLines = stubs.map(countLineFeeds);
  }

  stubs(): readonly PlacedStub[] {
    return this.#template.names.map((injection, i) => ({ injection, text: this.#stubs[i]! }));
  }

  /** The first call walks the template once, later ones take a binary search. */
  locate(line: number): SourceLine | undefined {
    if (!Number.isInteger(line) || line < 1) return undefined;
    const { names, holes, lines } = this.#template;
    this.#index ??= indexOf(this.#template, this.#stubLines);
    const { begins, sites } = this.#index;
    // The first segment that the line, or the stub after it, is part of: a line that a segment begins in is the stub's.
    let i = 0;
    for (let end = holes.length; i < end; ) {
      const middle = (i + end) >> 1;
      if (begins[middle + 1]! < line) i = middle + 1;
      else end = middle;
    }
    const segment = lines[i]!;
    const injection = holes[i];
    const offset = line - begins[i]!;
    // The line in which a segment ends belongs to the stub after it; no stub follows the last segment.
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
}

/** The index that is computed once and serves all look-ups. */
interface LineIndex {
  /** For each segment the line in which it begins: the last line of the stub before it. */
  readonly begins: readonly number[];
  /** For each hole, the number of the site among the sites of its injection. */
  readonly sites: readonly number[];
}

function indexOf({ names, holes, lines }: PtxTemplate, stubLines: readonly number[]): LineIndex {
  const begins = [1];
  const sites: number[] = [];
  const counts = new Array<number>(names.length).fill(0);
  for (const [i, injection] of holes.entries()) {
    begins.push(begins[i]! + lines[i]!.lines + stubLines[injection]!);
    sites.push(counts[injection]!++);
  }
  return { begins, sites };
}

/**
 * The kernel's line, `offset` lines after the beginning of a segment. Lines that were added around a site count as the
 * nearest line of the kernel.
 */
function kernelLineAt({ kernelLine, lines, head, tail }: SegmentLines, offset: number): number {
  return kernelLine + Math.min(Math.max(offset - head, 0), lines - head - tail);
}

/** The kernel's line of the site after a segment. */
const siteLine = (segment: SegmentLines): number => kernelLineAt(segment, segment.lines);
