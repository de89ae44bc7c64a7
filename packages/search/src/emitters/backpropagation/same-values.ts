// Recognizes vectors that are nearly equal to earlier ones.

/** Values are equal if they agree in this many bits. */
const SAME_BITS = 0xfffffe00;
const SAME_HALF = 0x100;
const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/** Vectors that were seen, by hashes of their values in f32 without the last bits. */
export class SameValues {
  readonly #seen = new Set<number>();

  /** Returns false for a vector that was seen. */
  add(values: Float64Array): boolean {
    let low = 0;
    let high = 0;
    for (const value of values) {
      FLOAT[0] = value;
      const word = (BITS[0]! + SAME_HALF) & SAME_BITS;
      low = Math.imul(low ^ word, 0x85ebca6b);
      low ^= low >>> 15;
      high = Math.imul(high + word, 0xc2b2ae35);
      high ^= high >>> 13;
    }
    const key = (high >>> 11) * 2 ** 32 + (low >>> 0);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}
