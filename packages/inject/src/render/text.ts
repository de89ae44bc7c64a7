// Renders to bytes without WebAssembly.
import type { Segments } from "@mm-ptx/types/internal";
import { CHUNK } from "./memory.js";

const encoder = new TextEncoder();

/** Writes the rendered text as UTF-8. Returns the number of bytes, or -1 if the text does not fit. */
export function renderBytes(
  { segments, holes }: Segments,
  stubs: readonly string[],
  bytes: Uint8Array,
  offset: number,
): number {
  // Each unit of text takes at least one byte, so ASCII text is written only if all of it fits.
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
