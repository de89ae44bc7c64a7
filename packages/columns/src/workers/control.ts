// The state that the workers of a task and the calling thread share while it runs: which parts are taken, and whether
// everyone has to stop. The parts of a task have numbers, and are taken in their order.

const NEXT = 0;
const DONE = 1;
const FAULT = 2;
const STOP = 3;
const WORDS = 4;

/** The value of `FAULT` while no part has failed. */
const NONE = 2 ** 31 - 1;
/** A worker takes a fraction of its share of the parts that are left, so that all workers finish at about the same time. */
const SHARES = 3;

/** Consecutive parts of a task. */
export interface Parts {
  readonly first: number;
  readonly end: number;
}

/** A task has at most 2^30 parts. */
export class Control {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array<SharedArrayBuffer>;

  constructor(buffer = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  /** Begins a task. */
  begin(): void {
    for (const word of [NEXT, DONE, STOP]) Atomics.store(this.#words, word, 0);
    Atomics.store(this.#words, FAULT, NONE);
  }

  /** The number of finished parts. */
  get done(): number {
    return Atomics.load(this.#words, DONE);
  }

  /** Whether workers should stop immediately. */
  get isStopped(): boolean {
    return Atomics.load(this.#words, STOP) !== 0;
  }

  /** Makes all workers stop at their next look. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  /** Records that a part failed, so that later ones need not run. */
  fail(part: number): void {
    for (let known = Atomics.load(this.#words, FAULT); known > part; ) {
      const found = Atomics.compareExchange(this.#words, FAULT, known, part);
      if (found === known) return;
      known = found;
    }
  }

  /**
   * Takes parts; `undefined` when none are left, or when one has failed. Parts before the one that failed were taken before, and whoever
   * took them finishes them.
   *
   * @param total the number of parts of the task
   * @param workers the number of workers that share them
   * @param most the most parts to take
   */
  take(total: number, workers: number, most: number): Parts | undefined {
    for (let first = Atomics.load(this.#words, NEXT); !this.isStopped; ) {
      const left = total - first;
      if (left <= 0 || Atomics.load(this.#words, FAULT) !== NONE) return undefined;
      const end = first + Math.min(most, Math.ceil(left / (workers * SHARES)));
      const found = Atomics.compareExchange(this.#words, NEXT, first, end);
      if (found === first) return { first, end };
      first = found;
    }
    return undefined;
  }

  /** Records that parts are finished. */
  finish({ first, end }: Parts): void {
    Atomics.add(this.#words, DONE, end - first);
  }
}
