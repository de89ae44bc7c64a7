// Converts ASCII bytes to a flat string in the fastest way that the platform offers.
import { AstPtxError } from "../error.js";

/** Node's Buffer has a direct path from bytes to a one-byte string; a browser has TextDecoder. */
type Latin1Slice = (this: Uint8Array, start: number, end: number) => string;

const slice = (globalThis as { Buffer?: { prototype: { latin1Slice?: Latin1Slice } } }).Buffer?.prototype
  .latin1Slice;
const decoder = slice === undefined ? new TextDecoder() : undefined;

/** The longest string of current engines. */
const MOST_CHARACTERS = 2 ** 29 - 2 ** 10;

/** The bytes from `start` to `end`, all ASCII, as text. @throws AstPtxError INSUFFICIENT_BUFFER when it is too long */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > MOST_CHARACTERS) {
    throw new AstPtxError(
      "INSUFFICIENT_BUFFER",
      `expected a stub of at most ${MOST_CHARACTERS} characters, found ${end - start}`,
    );
  }
  if (slice !== undefined) return slice.call(bytes, start, end);
  return decoder!.decode(bytes.subarray(start, end));
}
