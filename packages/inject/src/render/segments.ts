// The text between sites, cut once for all renderings, and where its lines come from.
import type { SegmentLines } from "@mm-ptx/types/core";
import { countLineFeeds, type Segments } from "@mm-ptx/types/internal";
import { type Normalized, normalize } from "../marked/legacy.js";
import type { Scan } from "../marked/scan.js";

/** Each segment after a site begins with the line end of the end marker, which ends the stub's last line. */
export function cut(text: string, scanned: Scan): Segments {
  const { starts, ends, groupOf } = scanned;
  const segments: string[] = [];
  let from = 0;
  let before = "";
  for (let i = 0; i < starts.length; i++) {
    const around = aroundStub(text, scanned, i);
    segments.push(before + text.substring(from, starts[i]!) + around.before);
    before = around.after;
    from = ends[i]!;
  }
  segments.push(before + text.substring(from));
  return { segments, holes: Array.from(groupOf) };
}

/** Where the lines of each segment come from. */
export function segmentLines(text: string, scanned: Scan): readonly SegmentLines[] {
  const { starts, ends } = scanned;
  const segments: SegmentLines[] = [];
  let kernelLine = 1;
  let from = 0;
  let head = 0;
  for (let i = 0; i <= starts.length; i++) {
    const last = i === starts.length;
    const own = countLineFeeds(text.substring(from, last ? text.length : starts[i]!));
    const around = last ? NOTHING : aroundStub(text, scanned, i);
    const tail = countLineFeeds(around.before);
    segments.push({ kernelLine, lines: head + own + tail, head, tail });
    if (last) break;
    head = countLineFeeds(around.after);
    from = ends[i]!;
    kernelLine += own + countLineFeeds(text.substring(starts[i]!, from));
  }
  return segments;
}

const NOTHING: Normalized = { before: "", after: "" };

/** Text around the stub of a site that is not in the kernel's text. */
function aroundStub(text: string, { groups, groupOf, starts, ends, legacy }: Scan, site: number): Normalized {
  if (legacy[site] !== 1) return NOTHING;
  const { operands, movTypes } = groups[groupOf[site]!]!;
  return normalize(text, starts[site]!, ends[site]!, operands, movTypes!);
}
