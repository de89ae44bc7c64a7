// Random numbers of one candidate: a generator that a seed, the number of a batch and that of a candidate determine.

/**
 * The random numbers of one candidate after the other. `start` makes the sequence of a candidate, which depends on nothing but its three
 * arguments, so that candidates can be made in any order and by any thread. The generator is xoshiro128** (Blackman and Vigna, "Scrambled
 * linear pseudorandom number generators", ACM TOMS 47, 2021); numbers are the same on all machines. Arguments are not checked, because
 * searches call these methods for every gene.
 */
export class Draws {
  #a = 1;
  #b = 0;
  #c = 0;
  #d = 0;

  /** Begins the sequence of a candidate. Seed and numbers are integers from 0 to 2^32 - 1. */
  start(seed: number, batch: number, candidate: number): void {
    let mixed = mix(seed ^ 0x9e3779b9);
    mixed = mix(mixed ^ batch);
    mixed = mix((mixed + 0x7f4a7c15) ^ candidate);
    this.#a = mixed = mix(mixed + 0x9e3779b9);
    this.#b = mixed = mix(mixed + 0x9e3779b9);
    this.#c = mixed = mix(mixed + 0x9e3779b9);
    // The state may be anything but all zeros.
    this.#d = mix(mixed + 0x9e3779b9) | 1;
  }

  /** The next 32 bits, as u32. */
  word(): number {
    const b = this.#b;
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const c = this.#c ^ this.#a;
    const d = this.#d ^ b;
    this.#b = b ^ c;
    this.#a ^= d;
    this.#c = c ^ (b << 9);
    this.#d = (d << 11) | (d >>> 21);
    return result;
  }

  /** The next number from 0 to 1 (exclusive): a multiple of 2^-32. */
  fraction(): number {
    return this.word() * 2.3283064365386963e-10;
  }

  /**
   * The next integer from 0 to `bound` (exclusive), where `bound` is from 1 to 2^32. Results differ in probability by less than
   * `bound` / 2^32 of it.
   */
  below(bound: number): number {
    return Math.floor(this.word() * 2.3283064365386963e-10 * bound);
  }
}

/** A permutation of the 32-bit integers; the multipliers are from the same family as those of splitmix32. */
function mix(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
