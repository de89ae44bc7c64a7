// Random numbers that are the same on every machine: xoshiro128**, seeded through splitmix32, 32-bit integers only.
// (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.)

export class Random {
  readonly #state = new Uint32Array(4);

  /** Equal seeds give equal sequences. The low 32 bits of the seed count. */
  constructor(seed: number) {
    let mixed = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let word = mixed;
      word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      this.#state[i] = word ^ (word >>> 15);
    }
  }

  /** The next 32 bits. */
  word(): number {
    const state = this.#state;
    const [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!];
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const mixed = c ^ a;
    const turned = d ^ b;
    state[1] = b ^ mixed;
    state[0] = a ^ turned;
    state[2] = mixed ^ (b << 9);
    state[3] = rotate(turned, 11);
    return result;
  }

  /** A whole number from 0 up to, not including, `bound` (at most 2^32); all equally likely to within 2^-32. */
  below(bound: number): number {
    return Math.floor((this.word() / 2 ** 32) * bound);
  }

  /** One of some values. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
