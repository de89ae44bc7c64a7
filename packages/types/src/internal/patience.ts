// Decides when memory that has grown for something large is freed: not at the next small use, because another large one
// may follow, but after a number of small uses in a row.

/** Memory up to this size is kept; larger memory is kept while at least a sixteenth of it is needed. */
const ALWAYS_KEPT = 2 ** 25;
const TIMES_NEEDED = 16;
/** The number of uses in a row that need less before the memory is freed. */
export const USES = 64;

export class Patience {
  #small = 0;

  /** Whether memory of this size is kept for a use that needs this many bytes. */
  keeps(held: number, needed: number): boolean {
    if (held <= Math.max(ALWAYS_KEPT, TIMES_NEEDED * needed)) {
      this.#small = 0;
      return true;
    }
    this.#small++;
    return this.#small < USES;
  }
}
