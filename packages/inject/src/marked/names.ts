// The names of a text, found by where they stand in it. A Map would want a string for each, and takes three times as long:
// of 16,000 sites with names of their own that would be most of the time.

/** Another one in each process, so that no text can be made whose names all meet in one slot. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;
const MIX = 0x5bd1e995;

/** Numbers the names of a text in order of first appearance. */
export class NameTable {
  /** Where each name stood first. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly #text: string;
  readonly #hashes: number[] = [];
  /** Number of a name plus one, at its hash or after; a power of two, never more than half full. */
  #slots = new Int32Array(64);

  constructor(text: string) {
    this.#text = text;
  }

  /** How many names there are. */
  get size(): number {
    return this.#hashes.length;
  }

  /** The number of the name that stands from `start` to `end`: `size` when it is new, and it is known from then on. */
  numberOf(start: number, end: number): number {
    const text = this.#text;
    const slots = this.#slots;
    let hash = SEED;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), MIX);
      hash ^= hash >>> 15;
    }
    let slot = hash & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const known = slots[slot]! - 1;
      if (this.#hashes[known] === hash && this.at(known) === text.substring(start, end)) return known;
    }
    slots[slot] = this.#hashes.push(hash);
    this.starts.push(start);
    this.ends.push(end);
    if (2 * this.size > slots.length) this.#grow();
    return this.size - 1;
  }

  at(name: number): string {
    return this.#text.substring(this.starts[name]!, this.ends[name]!);
  }

  #grow(): void {
    const slots = new Int32Array(4 * this.#slots.length);
    this.#hashes.forEach((hash, name) => {
      let slot = hash & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = name + 1;
    });
    this.#slots = slots;
  }
}
