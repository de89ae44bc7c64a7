// xxHash32 (seed 0) by Yann Collet: a checksum that takes 16 bytes at a step. Any change within one aligned word of four
// bytes changes it.

const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;

/** The checksum of bytes. */
export function checksumOf(bytes: Uint8Array): number {
  const count = bytes.length >>> 2;
  // A view of words has to begin at a multiple of four bytes.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, count);
  let hash = P5;
  let at = 0;
  if (count >= 4) {
    let [a, b, c, d] = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0];
    for (; at + 4 <= count; at += 4) {
      a = round(a, words[at]!);
      b = round(b, words[at + 1]!);
      c = round(c, words[at + 2]!);
      d = round(d, words[at + 3]!);
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  hash = (hash + bytes.length) | 0;
  for (; at < count; at++) hash = Math.imul(rotate((hash + Math.imul(words[at]!, P3)) | 0, 17), P4);
  for (at *= 4; at < bytes.length; at++)
    hash = Math.imul(rotate((hash + Math.imul(bytes[at]!, P5)) | 0, 11), P1);
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

const round = (state: number, word: number): number =>
  Math.imul(rotate((state + Math.imul(word, P2)) | 0, 13), P1);
