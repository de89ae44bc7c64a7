// Which code belongs to which site: a section's table maps offsets to lines of PTX, and the filled kernel maps those to its stubs.
import type { CodeLine } from "@mm-ptx/cuda";
import { type FilledKernel, type LocatedPtx, locateLine, type StubLine } from "@mm-ptx/types/core";
import { countLineFeeds, isLocatedPtx } from "@mm-ptx/types/internal";

/** Rendered PTX with the origins of its lines: a filled kernel, or a pack. */
export type FilledPtx = FilledKernel | LocatedPtx;

/** Code from an offset of a section to another that all comes from one stub, or from the kernel's text. */
export interface CodeRange {
  readonly start: number;
  readonly end: number;
  /** A line of the stub; `undefined` for code of the kernel. */
  readonly stub: StubLine | undefined;
}

/**
 * The ranges of a section, in order and without gaps. Code before the first line of the table belongs to the kernel.
 *
 * @param end the offset after the section's last instruction
 */
export function* codeRanges(
  lines: readonly CodeLine[],
  filled: FilledPtx,
  end: number,
): Generator<CodeRange> {
  const stubs = new StubOfLine(filled);
  let start = 0;
  let stub: StubLine | undefined;
  for (const row of lines) {
    const { offset } = row;
    const next = stubs.of(row);
    if (next === stub) continue;
    // Rows of the same offset: the last one holds.
    if (offset > start) {
      if (offset >= end) break;
      yield { start, end: offset, stub };
      start = offset;
    }
    stub = next;
  }
  if (start < end) yield { start, end, stub };
}

/** The stub of a line: neighboring lines are mostly of the same stub, so the last one is kept. */
class StubOfLine {
  readonly #filled: FilledPtx;
  readonly #lineCounts = new Map<string, number>();
  #first = 1;
  #last = 0;
  #stub: StubLine | undefined;

  constructor(filled: FilledPtx) {
    this.#filled = filled;
  }

  /** The stub of a row, or the stub with the call that its code was inlined for. */
  of(row: CodeLine): StubLine | undefined {
    let stub = this.#at(row.line);
    for (let call = row.inlinedAt; stub === undefined && call !== undefined; call = call.inlinedAt)
      stub = this.#at(call.line);
    return stub;
  }

  /** The same object for all lines of a stub at a site, until another line is asked for. */
  #at(line: number): StubLine | undefined {
    if (line >= this.#first && line <= this.#last) return this.#stub;
    const filled = this.#filled;
    const place = isLocatedPtx(filled) ? filled.locate(line) : locateLine(filled, line);
    if (place?.kind !== "stub") {
      this.#first = line;
      this.#last = line;
      this.#stub = undefined;
      return undefined;
    }
    this.#first = line - place.stubLine + 1;
    this.#last = this.#first + this.#linesOf(place) - 1;
    this.#stub = place;
    return place;
  }

  #linesOf({ injection, variant, stubLine }: StubLine): number {
    // The stub of a pack's variant is not known by name, so its lines are asked for one by one.
    if (isLocatedPtx(this.#filled) || variant !== undefined) return stubLine;
    let count = this.#lineCounts.get(injection);
    if (count === undefined) {
      count = countLineFeeds(this.#filled.stubs[injection]!) + 1;
      this.#lineCounts.set(injection, count);
    }
    return count;
  }
}
