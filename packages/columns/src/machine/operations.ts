// The table of operations that a machine's planner looks up: each has a kernel, and flags about its operands and result.
import { Entry } from "./layout.js";

/** The facts that the planner knows about an operation. */
export interface OperationEntry {
  /** The index of the kernel's function. */
  readonly kernel: number;
  /** `Flag`s. */
  readonly flags: number;
  /** The number of an external kernel, or functions for constant operands. */
  readonly extra: number;
}

/** The bookkeeping of a hash table with open addressing in a machine's memory, as the planner reads it. */
export class OperationTable {
  /** The index of the table's first word. */
  readonly #start: number;
  /** The number of entries with room, a power of two. */
  readonly #size: number;
  #used = 0;

  constructor(address: number, size: number) {
    this.#start = address / 4;
    this.#size = size;
  }

  /** Empties the table. */
  clear(words: Uint32Array): void {
    words.fill(0, this.#start, this.#start + (this.#size * Entry.bytes) / 4);
    this.#used = 0;
  }

  /** Adds an operation; when the table would be more than half full, it drops all others. */
  add(words: Uint32Array, word: number, { kernel, flags, extra }: OperationEntry): void {
    if (2 * this.#used >= this.#size) this.clear(words);
    let index = Math.imul(word, Entry.multiplier) >>> 16;
    for (;;) {
      const at = this.#start + ((index & (this.#size - 1)) * Entry.bytes) / 4;
      if (words[at] === 0) {
        words[at + Entry.word / 4] = word;
        words[at + Entry.kernel / 4] = kernel;
        words[at + Entry.flags / 4] = flags;
        words[at + Entry.extra / 4] = extra;
        this.#used++;
        return;
      }
      index++;
    }
  }
}
