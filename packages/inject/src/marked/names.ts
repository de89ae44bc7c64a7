// The names of a text, found by where they stand in it. A Map would want a string for each, and takes three times as long:
// of 16,000 sites with names of their own that would be most of the time.
import { NumberList } from "./number-list.js";
import { lineEnd, trimBlanks } from "./text.js";

/** Another one in each process, so that no text can be made whose names all meet in one slot. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;
const MIX = 0x5bd1e995;

const LF = 10;
const SPACE = 32;

const FIRST_SLOTS = 64;
const MOST_GROWTH = 32;

/** Numbers the names of a text in order of first appearance. */
export class NameTable {
  /** Where the line of the name last numbered ends. */
  newline = 0;
  readonly #text: string;
  /**
   * Numbers of names plus one, 0 in a free slot; at most half of them are taken. A name's slot is that of its hash, or the
   * next free one. One word each, because the system takes longer to give fresh memory than a name to be found in it.
   */
  #slots = new Int32Array(FIRST_SLOTS);
  /** By the number of a name: where it begins, and its hash. */
  readonly #starts = new NumberList();
  readonly #hashes = new NumberList();
  #mask = FIRST_SLOTS - 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** How many names there are. */
  get size(): number {
    return this.#starts.length;
  }

  /**
   * The number of the name that goes from `start` to the end of the line, blanks left out: `size` when it is new, and it is
   * known from then on. The line's end is `newline` then; -1 is given when the text ends first.
   */
  numberOf(start: number): number {
    const text = this.#text;
    const slots = this.#slots;
    // Two hashes by turns: a multiplication does not wait for the one before.
    let odd = SEED;
    let even = SEED;
    let at = start;
    for (let code = text.charCodeAt(at); code !== LF; code = text.charCodeAt(++at)) {
      if (at >= text.length) return -1;
      // Blanks and a carriage return may stand behind the name.
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
    for (; slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const number = slots[slot]! - 1;
      if (this.#hashes.values[number] !== hash) continue;
      if (this.#nameAt(this.#starts.values[number]!) === this.#nameAt(start)) return number;
    }
    this.#starts.push(start);
    this.#hashes.push(hash);
    slots[slot] = this.size;
    if (2 * this.size > this.#mask) this.#grow();
    return this.size - 1;
  }

  /** All names by their number. */
  names(): readonly string[] {
    return Array.from({ length: this.size }, (_, number) => this.#nameAt(this.#starts.values[number]!));
  }

  #nameAt(start: number): string {
    const end = lineEnd(this.#text, start, this.#text.indexOf("\n", start));
    return this.#text.substring(start, trimBlanks(this.#text, start, end));
  }

  /** To the size that it needs if names go on as they have come, within limits: each growth writes all of it anew. */
  #grow(): void {
    const expected = Math.min((this.size * this.#text.length) / this.newline, MOST_GROWTH * this.size);
    let count = 2 * (this.#mask + 1);
    while (count < 2 * expected) count *= 2;
    const slots = new Int32Array(count);
    const mask = count - 1;
    const hashes = this.#hashes.values;
    for (let number = 0; number < this.size; number++) {
      let slot = hashes[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}
