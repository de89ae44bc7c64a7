// The segments of a template in the form that the WebAssembly loop reads: bytes, and a table of their
// addresses.
import type { Segments } from "@mm-ptx/types/internal";

/** The words of a table row: the address and length of a segment, and the index of the stub after it. */
const PIECE_WORDS = 3;

/** The address of an image in the memory, which the addresses in its table assume. */
export const IMAGE_ADDRESS = 16;

/** Readable bytes after a text, because loads of 32 bytes may begin at its last byte. */
export const SLACK = 32;

/** Segments ready to be copied into the memory: first the table, then the texts. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly holes: number;
  /** The total length of all segments in bytes. */
  readonly textBytes: number;
  /** For each injection, the number of holes that its stub fills. */
  readonly uses: Uint32Array;
}

const encoder = new TextEncoder();

/** @param injections the number of injections */
export function imageOf({ segments, holes }: Segments, injections: number): Image {
  const table = 4 * PIECE_WORDS * segments.length;
  const joined = segments.join("");
  const text = encoder.encode(joined);
  const isAscii = text.length === joined.length;
  const bytes = new Uint8Array(table + text.length + SLACK);
  bytes.set(text, table);
  const words = new Uint32Array(bytes.buffer, 0, PIECE_WORDS * segments.length);
  const uses = new Uint32Array(injections);
  let row = 0;
  let address = IMAGE_ADDRESS + table;
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    const length = isAscii ? segment.length : encoder.encode(segment).length;
    words[row++] = address;
    words[row++] = length;
    words[row++] = holes[i] ?? 0;
    address += length;
  }
  for (const hole of holes) uses[hole]!++;
  return { bytes, holes: holes.length, textBytes: text.length, uses };
}
