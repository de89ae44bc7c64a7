// MurmurHash3 (x86, 128 bits; Austin Appleby, public domain) of whole words. It needs only 32-bit multiplications and
// reads words as numbers, so every machine computes the same hash.

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** h1 to h4 of the last hash that `murmur128` computed. */
const digest = new Uint32Array(4);

/** Like `murmur128Into`, but returns 32 hex digits: h1 first, each with its most significant digit first. */
export function murmur128(words: Uint32Array): string {
  murmur128Into(words, words.length, digest);
  return hex128(digest);
}

/**
 * Computes MurmurHash3_x86_128 with seed 0 of the little-endian bytes of the first `count` words (an even number) and
 * writes h1 to h4 into `hash`.
 */
export function murmur128Into(words: Uint32Array, count: number, hash: Uint32Array): void {
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
  hash[0] = h1;
  hash[1] = h2 + h1;
  hash[2] = h3 + h1;
  hash[3] = h4 + h1;
}

/** Four words as 32 hex digits, each with its most significant digit first. */
export function hex128(hash: Uint32Array): string {
  return hex(hash[0]!) + hex(hash[1]!) + hex(hash[2]!) + hex(hash[3]!);
}

/** Rotates a 32-bit word to the left. */
export function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Murmur's finalizer: every bit of the value affects every bit of the result. */
function mixed(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The digits of each byte: converting numbers one at a time would cost more than the hash. */
const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A word as 8 hex digits, the most significant first. */
export function hex(value: number): string {
  return (
    HEX_PAIRS[value >>> 24]! +
    HEX_PAIRS[(value >>> 16) & 0xff]! +
    HEX_PAIRS[(value >>> 8) & 0xff]! +
    HEX_PAIRS[value & 0xff]!
  );
}
