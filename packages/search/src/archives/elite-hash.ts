// The hash of all elites of an archive, of which only what changed is computed again.
import { grownBytes, grownIntegers, grownWords } from "./grown.js";

const WORDS = 4;

/**
 * The sum of a hash of each elite. Nothing is kept until the first one is asked for; from then on, it keeps what each elite contributed and
 * which elites changed.
 */
export class EliteHash {
  #isKept = false;
  #capacity = 0;
  #hashes = new Uint32Array(0);
  #changed = new Int32Array(0);
  #changes = 0;
  #hasChanged = new Uint8Array(0);
  readonly #total = new Uint32Array(WORDS);

  /** Forgets everything. */
  restart(): void {
    this.#isKept = false;
  }

  /** Makes room for this many elites. */
  reserve(capacity: number): void {
    this.#capacity = capacity;
    if (!this.#isKept) return;
    this.#hashes = grownWords(this.#hashes, WORDS * capacity);
    this.#changed = grownIntegers(this.#changed, capacity);
    this.#hasChanged = grownBytes(this.#hasChanged, capacity);
  }

  /** Says that an elite changed, or that there is no longer one of this index. */
  touch(elite: number): void {
    if (!this.#isKept || this.#hasChanged[elite] === 1) return;
    this.#hasChanged[elite] = 1;
    this.#changed[this.#changes++] = elite;
  }

  /**
   * Four words.
   * @param hashOf writes the hash of an elite
   */
  value(count: number, hashOf: (elite: number, into: Uint32Array) => void): Uint32Array {
    if (!this.#isKept) this.#begin(count);
    const own = new Uint32Array(WORDS);
    for (let change = 0; change < this.#changes; change++) {
      const elite = this.#changed[change]!;
      this.#hasChanged[elite] = 0;
      own.fill(0);
      if (elite < count) hashOf(elite, own);
      for (let word = 0; word < WORDS; word++) {
        this.#total[word] = this.#total[word]! - this.#hashes[WORDS * elite + word]! + own[word]!;
        this.#hashes[WORDS * elite + word] = own[word]!;
      }
    }
    this.#changes = 0;
    return Uint32Array.from(this.#total);
  }

  #begin(count: number): void {
    this.#isKept = true;
    this.#hashes = new Uint32Array(0);
    this.#changed = new Int32Array(0);
    this.#hasChanged = new Uint8Array(0);
    this.#changes = 0;
    this.#total.fill(0);
    this.reserve(this.#capacity);
    for (let elite = 0; elite < count; elite++) this.touch(elite);
  }
}
