// ASCII bytes to a flat string, by the fastest way that the platform has.

/** Node's Buffer has a direct path from bytes to a one-byte string; a browser has TextDecoder. */
type Latin1Slice = (this: Uint8Array, start: number, end: number) => string;

const slice = (globalThis as { Buffer?: { prototype: { latin1Slice?: Latin1Slice } } }).Buffer?.prototype
  .latin1Slice;
const decoder = slice === undefined ? new TextDecoder() : undefined;

/** The bytes from `start` to `end`, all ASCII, as text. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  if (slice !== undefined) return slice.call(bytes, start, end);
  return decoder!.decode(bytes.subarray(start, end));
}
