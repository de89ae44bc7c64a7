// The text of a stub as bytes. It is written before it is known how many registers it declares, so the first lines are
// written last, into a gap in front of the others.
import { AstPtxError } from "../error.js";

/** Room for `{\n.reg .f32 %ast<4294967295>;\n`. */
export const GAP = 32;
/** What one string can hold in the engines of today. */
const MOST_BYTES = 2 ** 29 - 2 ** 10;

export class Output {
  bytes = new Uint8Array(16384);
  view = new DataView(this.bytes.buffer);

  /** Makes room for `count` bytes at `at`. @throws AstPtxError INSUFFICIENT_BUFFER */
  reserve(at: number, count: number): void {
    if (at + count <= this.bytes.length) return;
    if (at + count > MOST_BYTES) {
      throw new AstPtxError(
        "INSUFFICIENT_BUFFER",
        `expected a stub of less than ${MOST_BYTES} bytes, found more`,
      );
    }
    const bytes = new Uint8Array(Math.min(MOST_BYTES, Math.max(2 * this.bytes.length, at + count)));
    bytes.set(this.bytes.subarray(0, at));
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }
}

/** Writes ASCII text of any length, character by character; returns the offset behind it. */
export function writeText(view: DataView, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}
