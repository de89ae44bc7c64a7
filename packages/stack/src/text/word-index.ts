// Looks words up by their bytes: cutting a string out of the text for a Map would cost more than everything else that
// the assembler does.
import { latin1 } from "../emit/string.js";

/** The hash of a word: from `start`, for each byte `hash = Math.imul(hash ^ byte, prime)` (FNV-1a). */
export const enum WordHash {
  start = 0x811c9dc5 | 0,
  prime = 0x01000193,
}

const enum Entry {
  hash = 0,
  start = 1,
  end = 2,
  value = 3,
  size = 4,
}

export class WordIndex {
  /** Open addressing: the number of an entry plus 1, or 0. At most half of the places are occupied. */
  #slots = new Int32Array(32);
  #entries = new Int32Array(16 * Entry.size);
  /** The number of words. */
  count = 0;
  /** The bytes of all words, one after the other. */
  #bytes = new Uint8Array(256);
  #bytesEnd = 0;

  /** The number of a word in `text`; -1 when it is unknown. */
  find(text: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const entries = this.#entries;
    const bytes = this.#bytes;
    const mask = slots.length - 1;
    for (let slot = firstSlot(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = (slots[slot]! - 1) * Entry.size;
      if (entries[entry + Entry.hash] !== hash) continue;
      let at = entries[entry + Entry.start]!;
      if (entries[entry + Entry.end]! - at !== end - start) continue;
      let same = start;
      while (same < end && bytes[at] === text[same]) {
        same++;
        at++;
      }
      if (same === end) return entries[entry + Entry.value]!;
    }
    return -1;
  }

  /** Adds an ASCII word; see `addFrom`. */
  add(word: string, value: number): number {
    const text = Uint8Array.from(word, (letter) => letter.charCodeAt(0));
    let hash: number = WordHash.start;
    for (const byte of text) hash = Math.imul(hash ^ byte, WordHash.prime);
    return this.addFrom(text, 0, text.length, hash, value);
  }

  /** Adds a word of a text. A word that is already there keeps its number; returns the word's number. */
  addFrom(text: Uint8Array, start: number, end: number, hash: number, value: number): number {
    const known = this.find(text, start, end, hash);
    if (known !== -1) return known;
    this.#makeRoom(end - start);
    const from = this.#bytesEnd;
    this.#bytes.set(text.subarray(start, end), from);
    this.#bytesEnd = from + end - start;
    this.#entries.set([hash, from, this.#bytesEnd, value], this.count * Entry.size);
    this.count++;
    this.#place(this.count);
    return value;
  }

  /** All words, for suggestions. */
  *[Symbol.iterator](): Generator<string> {
    for (let entry = 0; entry < this.count * Entry.size; entry += Entry.size) {
      const word = this.#bytes.subarray(
        this.#entries[entry + Entry.start]!,
        this.#entries[entry + Entry.end]!,
      );
      yield latin1(word, word.length);
    }
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = firstSlot(this.#entries[(number - 1) * Entry.size + Entry.hash]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number;
  }

  #makeRoom(length: number): void {
    if (this.#bytesEnd + length > this.#bytes.length) {
      const bytes = new Uint8Array(2 * (this.#bytesEnd + length));
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    if ((this.count + 1) * 2 <= this.#slots.length) return;
    const entries = new Int32Array(this.#entries.length * 2);
    entries.set(this.#entries);
    this.#entries = entries;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 1; number <= this.count; number++) this.#place(number);
  }
}

/** The low bits of FNV-1a depend only on the low bits of the letters. */
function firstSlot(hash: number): number {
  return hash ^ (hash >>> 15);
}
