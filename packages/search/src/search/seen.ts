// Remembers which genomes were made before.
import { SearchError } from "../error.js";
import type { PartState } from "../plain.js";

/** The words of an entry: half of a signature, the rest of which is partly in the entry's place. */
const WORDS = 2;

/**
 * A table of signatures of fixed size. A signature whose place is taken replaces the one there, so that a genome that was forgotten is
 * simply made again. What it answers depends only on the signatures that it got, in their order.
 */
export class SeenTable {
  readonly #entries: Uint32Array;
  readonly #mask: number;

  /** @param bits the number of places as a power of two: 2^bits of 8 bytes each */
  constructor(bits: number) {
    this.#entries = new Uint32Array(WORDS * 2 ** bits);
    this.#mask = 2 ** bits - 1;
  }

  /** Whether the signature, the four words from `at` on, is in the table; afterwards it is. */
  add(signatures: Uint32Array, at = 0): boolean {
    const entries = this.#entries;
    const place = WORDS * (signatures[at]! & this.#mask);
    // An empty place has zeros, so no signature may.
    const low = signatures[at + 1]! | 1;
    const high = signatures[at + 2]!;
    if (entries[place] === low >>> 0 && entries[place + 1] === high) return true;
    entries[place] = low;
    entries[place + 1] = high;
    return false;
  }

  /** Removes a signature, if it is still there. */
  remove(signature: Uint32Array): void {
    const entries = this.#entries;
    const place = WORDS * (signature[0]! & this.#mask);
    if (entries[place] === (signature[1]! | 1) >>> 0 && entries[place + 1] === signature[2])
      entries.fill(0, place, place + WORDS);
  }

  clear(): void {
    this.#entries.fill(0);
  }

  state(): PartState {
    return { values: {}, arrays: { entries: this.#entries.slice() } };
  }

  /** @throws SearchError FILE_FORMAT */
  restore({ arrays: { entries } }: PartState): void {
    if (!(entries instanceof Uint32Array) || entries.length !== this.#entries.length) {
      throw new SearchError(
        "FILE_FORMAT",
        `expected a table of ${this.#entries.length} words, found another one`,
      );
    }
    this.#entries.set(entries);
  }
}
