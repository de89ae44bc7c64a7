// The differences of bytes from others of the same length: cubins of one parcel are often nearly equal.
//
// In words of four bytes: how many words are the same, times 2 ** 16, plus how many differ, then those that differ; again and
// again. What is left at the end is the same.

import { bytesOf, wordsOf } from "@mm-ptx/types/internal";
import { wrong } from "./frame.js";

const WORD = 4;
const MOST = 0xffff;

/** Whether bytes can be sent as differences from others. */
const areAlike = (base: Uint8Array, bytes: Uint8Array): boolean =>
  base.length === bytes.length && bytes.length % WORD === 0;

/** The differences of bytes from others; `undefined` if they are more than half as long as the bytes, or the lengths differ. */
export function differencesOf(base: Uint8Array, bytes: Uint8Array): Uint8Array | undefined {
  if (!areAlike(base, bytes)) return undefined;
  const [old, words] = [wordsOf(base), wordsOf(bytes)];
  const length = measured(old, words);
  if (length > words.length / 2) return undefined;
  const written = new Uint32Array(length);
  let [to, at] = [0, 0];
  while (to < length) {
    const same = sameFrom(old, words, at);
    const count = differentFrom(old, words, at + same);
    written[to++] = same * (MOST + 1) + count;
    at += same;
    for (const end = at + count; at < end; at++) written[to++] = words[at]!;
  }
  return bytesOf(written);
}

/** How many words the differences are. */
function measured(old: Uint32Array, words: Uint32Array): number {
  let [length, at, last] = [0, 0, 0];
  while (at < words.length) {
    at += sameFrom(old, words, at);
    const count = differentFrom(old, words, at);
    at += count;
    length += 1 + count;
    // Words at the end that are the same need not be written.
    if (count > 0) last = length;
  }
  return last;
}

/** How many words are the same from a place on, at most as many as can be written. */
function sameFrom(old: Uint32Array, words: Uint32Array, from: number): number {
  const end = Math.min(words.length, from + MOST);
  let at = from;
  while (at < end && old[at] === words[at]) at++;
  return at - from;
}

function differentFrom(old: Uint32Array, words: Uint32Array, from: number): number {
  const end = Math.min(words.length, from + MOST);
  let at = from;
  while (at < end && old[at] !== words[at]) at++;
  return at - from;
}

/** New bytes from others and the differences from them. @throws FarmError `FRAME` for what is not written like this */
export function withDifferences(base: Uint8Array, differences: Uint8Array): Uint8Array {
  if (base.length % WORD !== 0 || differences.length % WORD !== 0)
    throw wrong("differences in whole words", `${differences.length} bytes of ${base.length}`);
  const read = new DataView(differences.buffer, differences.byteOffset, differences.length);
  const words = wordsOf(base).slice();
  let at = 0;
  for (let from = 0; from < differences.length; ) {
    const entry = read.getUint32(from, true);
    from += WORD;
    const end = from + WORD * (entry & MOST);
    at += entry >>> 16;
    if (at + (entry & MOST) > words.length || end > differences.length)
      throw wrong("differences within the bytes", "others");
    for (; from < end; from += WORD) words[at++] = read.getUint32(from, true);
  }
  return bytesOf(words);
}
