// Refuses files whose parts share bytes. Each byte is then read for a single section, so that the time and the memory for
// reading a file are proportional to its size.

import { invalid } from "./bytes.js";

/** The bytes of a section or a table in the file. */
export interface Extent {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Two sections may have exactly the same bytes: from sm_100 on, compilers describe the tables of a section
 * `.nv.merc.NAME` by those of the section `NAME`.
 *
 * @param extents are sorted; empty ones may lie anywhere
 * @throws CubinError `INVALID_CUBIN`
 */
export function refuseOverlaps(extents: Extent[]): void {
  extents.sort((a, b) => a.start - b.start || a.end - b.end);
  let before: Extent = { what: "", start: 0, end: 0 };
  let isCopy = false;
  for (const extent of extents) {
    if (extent.start === extent.end) continue;
    const overlaps = extent.start < before.end;
    if (overlaps && (isCopy || extent.start !== before.start || extent.end !== before.end)) {
      const found = `${inWords(before)} and ${inWords(extent)}`;
      throw invalid("sections and tables that do not overlap", found, extent.start);
    }
    isCopy = overlaps;
    before = extent;
  }
}

const inWords = ({ what, start, end }: Extent): string => `${what} at ${start} to ${end}`;
