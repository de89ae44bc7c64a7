// Converts ASCII bytes to a flat string in the fastest way that the platform offers.
import { StackPtxError } from "../error.js";

/** Node's Buffer has a direct path from bytes to a one-byte string; a browser has TextDecoder. */
type Latin1Slice = (this: Uint8Array, start: number, end: number) => string;

const slice = (globalThis as { Buffer?: { prototype: { latin1Slice?: Latin1Slice } } }).Buffer?.prototype
  .latin1Slice;
const decoder = slice === undefined ? new TextDecoder() : undefined;

/**
 * The first `length` bytes, all of them ASCII, as text.
 * @throws StackPtxError INSUFFICIENT_BUFFER when the platform has no strings of that length
 */
export function latin1(bytes: Uint8Array, length: number): string {
  try {
    if (slice !== undefined) return slice.call(bytes, 0, length);
    return decoder!.decode(bytes.subarray(0, length));
  } catch {
    throw new StackPtxError(
      "INSUFFICIENT_BUFFER",
      `expected a stub that fits in a string, found one of ${length} bytes: use \`compileInto\` for it`,
    );
  }
}
