// Puts stubs in place of sites. The text between sites is cut once; a rendering only strings the pieces together.
import { normalize } from "./legacy.js";
import type { Scan } from "./scan.js";

/** The text around sites: segment i, then the stub of injection `holes[i]`, and so on, one segment more than holes. */
export interface Segments {
  readonly segments: readonly string[];
  readonly holes: readonly number[];
}

/** Every segment after a site begins with the line end of its end marker, which ends the stub's last line. */
export function cut(text: string, scanned: Scan): Segments {
  const { groups, starts, ends, groupOf, legacy } = scanned;
  const segments: string[] = [];
  let from = 0;
  let before = "";
  for (let i = 0; i < starts.length; i++) {
    const [start, end] = [starts[i]!, ends[i]!];
    const segment = before + text.substring(from, start);
    before = "";
    if (legacy[i] === 1) {
      const { operands, movTypes } = groups[groupOf[i]!]!;
      const around = normalize(text, start, end, operands, movTypes!);
      segments.push(segment + around.before);
      before = around.after;
    } else segments.push(segment);
    from = end;
  }
  segments.push(before + text.substring(from));
  return { segments, holes: Array.from(groupOf) };
}

/** The rendered text, flat: joining an array copies every piece once, where `+=` would leave that to the reader. */
export function renderText({ segments, holes }: Segments, stubs: readonly string[]): string {
  const pieces = new Array<string>(2 * holes.length + 1);
  pieces[0] = segments[0]!;
  for (let i = 0; i < holes.length; i++) {
    pieces[2 * i + 1] = stubs[holes[i]!]!;
    pieces[2 * i + 2] = segments[i + 1]!;
  }
  return pieces.join("");
}

/** Pieces are encoded in chunks, well below the size (128 KB) from which V8 pays for a page mapping a string. */
const CHUNK = 32_768;

const encoder = new TextEncoder();

/** Writes the rendered text as UTF-8 and gives the number of bytes, or -1 when there is no room for all of it. */
export function renderBytes(
  { segments, holes }: Segments,
  stubs: readonly string[],
  bytes: Uint8Array,
  offset: number,
): number {
  // A unit of text takes a byte or more, so for ASCII text nothing is written unless all of it fits.
  let units = segments[0]!.length;
  for (let i = 0; i < holes.length; i++) units += stubs[holes[i]!]!.length + segments[i + 1]!.length;
  if (units > bytes.length - offset) return -1;
  let at = offset;
  let chunk = segments[0]!;
  for (let i = 0; ; i++) {
    const last = i === holes.length;
    if (last || chunk.length >= CHUNK) {
      const { read, written } = encoder.encodeInto(chunk, bytes.subarray(at));
      if (read < chunk.length) return -1;
      at += written;
      chunk = "";
    }
    if (last) return at - offset;
    chunk += stubs[holes[i]!]!;
    chunk += segments[i + 1]!;
  }
}

/** The number of bytes that `renderBytes` writes. */
export function renderedSize({ segments, holes }: Segments, stubs: readonly string[]): number {
  const sizes = stubs.map((stub) => encoder.encode(stub).length);
  const kept = segments.reduce((sum, segment) => sum + encoder.encode(segment).length, 0);
  return holes.reduce((sum, hole) => sum + sizes[hole]!, kept);
}
