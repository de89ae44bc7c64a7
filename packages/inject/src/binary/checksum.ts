// xxHash32 (seed 0) by Yann Collet: a checksum that processes 16 bytes per step. Any change within one aligned 4-byte
// word changes it.

// Signed numbers, which engines keep in machine words.
const P1 = 0x9e3779b1 | 0;
const P2 = 0x85ebca77 | 0;
const P3 = 0xc2b2ae3d | 0;
const P4 = 0x27d4eb2f | 0;
const P5 = 0x165667b1 | 0;

/** The checksum of bytes. */
export function checksumOf(bytes: Uint8Array): number {
  const count = bytes.length >>> 2;
  // A view of words has to start at a multiple of four bytes.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, count);
  let hash = P5;
  let at = 0;
  if (count >= 4) {
    const last = words.length - 3;
    let a = (P1 + P2) | 0;
    let b = P2;
    let c = 0;
    let d = -P1 | 0;
    for (; at < last; at += 4) {
      a = round(a, words[at]!);
      b = round(b, words[at + 1]!);
      c = round(c, words[at + 2]!);
      d = round(d, words[at + 3]!);
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
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

function round(state: number, word: number): number {
  const sum = (state + Math.imul(word, P2)) | 0;
  return Math.imul((sum << 13) | (sum >>> 19), P1);
}
