// When memory that has grown for something large is given back: not as soon as something small comes, since the large
// one may come again, but when nothing large has come for a while.

/** Memory is kept up to this size, and beyond it while at least a sixteenth of it is needed. */
const ALWAYS_KEPT = 2 ** 25;
const TIMES_NEEDED = 16;
/** Uses in a row that need less until it goes. */
export const USES = 64;

export class Patience {
  private small = 0;

  /** Whether memory of so many bytes stays for a use that needs so many. */
  keeps(held: number, needed: number): boolean {
    if (held <= Math.max(ALWAYS_KEPT, TIMES_NEEDED * needed)) {
      this.small = 0;
      return true;
    }
    this.small++;
    return this.small < USES;
  }
}
