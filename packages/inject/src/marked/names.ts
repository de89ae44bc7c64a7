// The names of a text, identified by their positions. A Map would need a string for each name and takes three times as
// long; for 16,000 sites with distinct names that would be most of the time.
import { lineEnd, trimBlanks } from "./text.js";

/** Different in each process, so that nobody can construct a text whose names all collide. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;
const MIX = 0x5bd1e995;

const LF = 10;
const SPACE = 32;

const FIRST_SLOTS = 64;
/** The words of a slot: the offset of a name plus one (0 in a free slot), its hash, and its number. */
const SLOT = 3;
const MOST_GROWTH = 32;

/** Numbers the names of a text in order of first appearance. */
export class NameTable {
  /** The number of names. */
  size = 0;
  /** The end of the line of the name that was numbered last. */
  newline = 0;
  readonly #text: string;
  /** A name's slot is that of its hash, or the next free one; at most half of the slots are used. */
  #slots = new Int32Array(SLOT * FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The number of the name that extends from `start` to the end of the line, without blanks. A new name gets the number
   * `size` and is known from then on. `newline` is set to the end of the line. Returns -1 if the text ends first.
   */
  numberOf(start: number): number {
    const text = this.#text;
    const slots = this.#slots;
    // Two alternating hashes, so that one multiplication need not wait for the other.
    let odd = SEED;
    let even = SEED;
    let at = start;
    for (let code = text.charCodeAt(at); code !== LF; code = text.charCodeAt(++at)) {
      if (at >= text.length) return -1;
      // Blanks and a carriage return may follow the name.
      if (code <= SPACE) continue;
      const mixed = Math.imul(odd ^ code, MIX);
      odd = even;
      even = mixed;
    }
    let hash = Math.imul(odd ^ (odd >>> 15), MIX) ^ even;
    hash = Math.imul(hash ^ (hash >>> 13), MIX);
    hash ^= hash >>> 15;
    this.newline = at;
    let slot = hash & this.#mask;
    for (; slots[SLOT * slot] !== 0; slot = (slot + 1) & this.#mask) {
      if (slots[SLOT * slot + 1] !== hash) continue;
      if (this.#nameAt(slots[SLOT * slot]! - 1) === this.#nameAt(start)) return slots[SLOT * slot + 2]!;
    }
    slots[SLOT * slot] = start + 1;
    slots[SLOT * slot + 1] = hash;
    slots[SLOT * slot + 2] = this.size++;
    if (2 * this.size > this.#mask) this.#grow();
    return this.size - 1;
  }

  /** All names, by number. */
  names(): readonly string[] {
    const names = new Array<string>(this.size);
    for (let at = 0; at < this.#slots.length; at += SLOT) {
      if (this.#slots[at] !== 0) names[this.#slots[at + 2]!] = this.#nameAt(this.#slots[at]! - 1);
    }
    return names;
  }

  #nameAt(start: number): string {
    const end = lineEnd(this.#text, start, this.#text.indexOf("\n", start));
    return this.#text.substring(start, trimBlanks(this.#text, start, end));
  }

  /**
   * Grows to the size that is needed if names keep coming at the same rate, within limits, because each growth rewrites
   * everything.
   */
  #grow(): void {
    const expected = Math.min((this.size * this.#text.length) / this.newline, MOST_GROWTH * this.size);
    let count = 2 * (this.#mask + 1);
    while (count < 2 * expected) count *= 2;
    const old = this.#slots;
    const slots = new Int32Array(SLOT * count);
    const mask = count - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from] === 0) continue;
      let slot = old[from + 1]! & mask;
      while (slots[SLOT * slot] !== 0) slot = (slot + 1) & mask;
      slots[SLOT * slot] = old[from]!;
      slots[SLOT * slot + 1] = old[from + 1]!;
      slots[SLOT * slot + 2] = old[from + 2]!;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}
