// Sets of classes by their errors in each case, as bits, for selections in which many classes remain for many cases.
import type { CaseMatrix } from "./case-matrix.js";

/** Numbers of which the bounds of buckets are taken. */
const SAMPLES = 256;
const BUCKETS = 64;

/** For each case: buckets of classes whose errors are between two bounds, and the union of each bucket with those below it. */
export class CaseBuckets {
  /** The number of words of a set. */
  words = 0;
  #matrix: CaseMatrix | undefined;
  /** Whether the buckets of a case are made. */
  #isMade = new Uint8Array(0);
  /** `#bounds[case * BUCKETS + bucket]`: the greatest error that belongs to the bucket. */
  #bounds = new Float64Array(0);
  /** `#sets[(case * BUCKETS + bucket) * words]`: the first word of the classes in this bucket and those below it. */
  #sets = new Uint32Array(0);
  readonly #sample = new Float64Array(SAMPLES);

  /** Begins with other errors. */
  begin(matrix: CaseMatrix): void {
    this.#matrix = matrix;
    this.words = (matrix.count + 31) >>> 5;
    this.#isMade.fill(0);
  }

  /** Removes from a set what is not as good as the best of it in a case. Returns whether anything was removed. */
  filter(number: number, set: Uint32Array): boolean {
    const matrix = this.#matrix!;
    if (this.#isMade[number] !== 1) this.#make(matrix, number);
    const { words } = this;
    const sets = this.#sets;
    const first = number * BUCKETS;
    let bucket = first;
    while (!intersects(set, sets, bucket * words, words)) bucket++;
    const most = this.#least(matrix, number, set, bucket) + matrix.epsilons[number]!;
    // All of the buckets up to `whole` remain, none of those above the next one.
    while (bucket < first + BUCKETS && this.#bounds[bucket]! <= most) bucket++;
    if (bucket === first + BUCKETS) return false;
    const column = number * matrix.count;
    const below = bucket === first ? -1 : (bucket - 1) * words;
    const start = bucket * words;
    let removed = 0;
    for (let word = 0; word < words; word++) {
      const before = set[word]!;
      if (before === 0) continue;
      const whole = below < 0 ? 0 : sets[below + word]!;
      let kept = before & whole;
      let rest = before & sets[start + word]! & ~whole;
      while (rest !== 0) {
        const bit = rest & -rest;
        const each = 32 * word + 31 - Math.clz32(bit);
        if (matrix.errors[column + each]! <= most) kept |= bit;
        rest ^= bit;
      }
      removed |= before ^ kept;
      set[word] = kept;
    }
    return removed !== 0;
  }

  /** The least error of the classes of a set, whose first ones are in this bucket. */
  #least(matrix: CaseMatrix, number: number, set: Uint32Array, bucket: number): number {
    const { words } = this;
    const sets = this.#sets;
    const column = number * matrix.count;
    let least = Number.MAX_VALUE;
    for (let word = 0; word < words; word++) {
      // Nothing of the set is in the buckets below.
      let rest = set[word]! & sets[bucket * words + word]!;
      while (rest !== 0) {
        const bit = rest & -rest;
        least = Math.min(least, matrix.errors[column + 32 * word + 31 - Math.clz32(bit)]!);
        rest ^= bit;
      }
    }
    return least;
  }

  #make(matrix: CaseMatrix, number: number): void {
    this.#reserve(matrix.cases);
    const { words } = this;
    const { count, errors } = matrix;
    const sample = this.#sample;
    const bounds = this.#bounds;
    const sets = this.#sets;
    const column = number * count;
    for (let index = 0; index < SAMPLES; index++)
      sample[index] = errors[column + Math.floor((index * count) / SAMPLES)]!;
    sample.sort();
    const first = number * BUCKETS;
    for (let bucket = 0; bucket < BUCKETS - 1; bucket++)
      bounds[first + bucket] = sample[(bucket * SAMPLES) / BUCKETS]!;
    bounds[first + BUCKETS - 1] = Number.POSITIVE_INFINITY;
    sets.fill(0, first * words, (first + BUCKETS) * words);
    for (let each = 0; each < count; each++) {
      const error = errors[column + each]!;
      let bucket = first;
      for (let step = BUCKETS >> 1; step > 0; step >>= 1)
        if (bounds[bucket + step - 1]! < error) bucket += step;
      sets[bucket * words + (each >>> 5)]! |= 1 << (each & 31);
    }
    for (let word = (first + 1) * words; word < (first + BUCKETS) * words; word++)
      sets[word]! |= sets[word - words]!;
    this.#isMade[number] = 1;
  }

  #reserve(cases: number): void {
    if (this.#isMade.length < cases) {
      this.#isMade = new Uint8Array(cases);
      this.#bounds = new Float64Array(cases * BUCKETS);
    }
    const size = cases * BUCKETS * this.words;
    if (this.#sets.length < size) {
      this.#sets = new Uint32Array(size);
      this.#isMade.fill(0);
    }
  }
}

function intersects(set: Uint32Array, sets: Uint32Array, start: number, words: number): boolean {
  for (let word = 0; word < words; word++) if ((set[word]! & sets[start + word]!) !== 0) return true;
  return false;
}
