// MurmurHash3 (x86, 128 bits; Austin Appleby, public domain) of whole words. It multiplies 32 bits only, so it needs no
// 64-bit integers, and reads words as numbers, so every machine gives the same hash.

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/**
 * MurmurHash3_x86_128 with seed 0 of the words' little-endian bytes, as 32 hex digits: h1 first, each most significant
 * digit first. The count of words is even, as programs have it.
 */
export function murmur128(words: Uint32Array): string {
  const count = words.length;
  const blocksEnd = count - (count & 3);
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  for (let at = 0; at < blocksEnd; at += 4) {
    h1 ^= Math.imul(rotated(Math.imul(words[at]!, C1), 15), C2);
    h1 = (Math.imul((rotated(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
    h2 ^= Math.imul(rotated(Math.imul(words[at + 1]!, C2), 16), C3);
    h2 = (Math.imul((rotated(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
    h3 ^= Math.imul(rotated(Math.imul(words[at + 2]!, C3), 17), C4);
    h3 = (Math.imul((rotated(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
    h4 ^= Math.imul(rotated(Math.imul(words[at + 3]!, C4), 18), C1);
    h4 = (Math.imul((rotated(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
  }
  if (blocksEnd < count) {
    h2 ^= Math.imul(rotated(Math.imul(words[blocksEnd + 1]!, C2), 16), C3);
    h1 ^= Math.imul(rotated(Math.imul(words[blocksEnd]!, C1), 15), C2);
  }
  const bytes = count * 4;
  h1 ^= bytes;
  h2 ^= bytes;
  h3 ^= bytes;
  h4 ^= bytes;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = mixed(h1);
  h2 = mixed(h2);
  h3 = mixed(h3);
  h4 = mixed(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  return hex(h1) + hex(h2 + h1) + hex(h3 + h1) + hex(h4 + h1);
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Murmur's finalizer: every bit of the value decides on every bit of the result. */
function mixed(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
