// The segments of a template as the WebAssembly loop reads them: bytes, and a table that says where each lies.
import type { Segments } from "@mm-ptx/types/internal";

/** Words of a row of the table: address and length of a segment, and which stub stands behind it. */
const PIECE_WORDS = 3;

/** Where an image stands in the memory; what it says of addresses counts on it. */
export const IMAGE_ADDRESS = 16;

/** Loads of 32 bytes may begin at the last byte of a text. */
export const SLACK = 32;

/** Segments ready to be copied into the memory. The table comes first, the texts behind it. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly holes: number;
  /** The bytes of all segments. */
  readonly textBytes: number;
  /** For each injection at how many holes its stub stands. */
  readonly uses: Uint32Array;
}

const encoder = new TextEncoder();

/** @param injections how many there are */
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
