// Words and their little-endian bytes: the same memory on most machines, and a copy where the byte order differs or the
// bytes are not aligned to 4.

/** Whether typed arrays of words have little-endian bytes on this machine. */
export const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** The little-endian words in these bytes, whose count is a multiple of 4: a view where possible. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  if (LITTLE_ENDIAN && byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  if (LITTLE_ENDIAN) return new Uint32Array(bytes.slice().buffer);
  const view = new DataView(buffer, byteOffset, byteLength);
  return Uint32Array.from({ length: byteLength / 4 }, (_, index) => view.getUint32(index * 4, true));
}

/** Words as little-endian bytes: a view on little-endian machines. */
export function bytesOf<Memory extends ArrayBufferLike>(
  words: Uint32Array<Memory>,
): Uint8Array<Memory | ArrayBuffer> {
  if (LITTLE_ENDIAN) return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  words.forEach((word, index) => {
    view.setUint32(index * 4, word, true);
  });
  return bytes;
}
