// The state that the workers of a device and the calling thread share during a launch: the blocks to run, the
// instruction count, and whether everyone has to stop. Blocks are taken in order of their number.
import type { Limit, Meter } from "../wasm/meter.js";

const NEXT = 0;
const DONE = 1;
const EXECUTED = 2;
const FAULT = 3;
const STOP = 4;
const WORDS = 5;

/** The values of `STOP`, by index. */
const STOPS = [undefined, "ABORTED", "TIMEOUT"] as const satisfies readonly (Limit | undefined)[];
/** The value of `FAULT` while no block has failed: greater than any block number. */
const NONE = 2n ** 62n;
/**
 * A worker takes a fraction of its share of the remaining blocks, so that all workers finish at about the same time.
 */
const SHARES = 3;

/** A range of consecutive blocks. */
export interface Blocks {
  readonly first: number;
  readonly count: number;
}

export class Control {
  readonly buffer: SharedArrayBuffer;
  readonly #words: BigInt64Array<SharedArrayBuffer>;

  constructor(buffer = new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#words = new BigInt64Array(buffer);
  }

  /** Begins a launch, part of which may already be done. */
  begin(block: number, executed: number): void {
    const values = { [NEXT]: block, [DONE]: block, [EXECUTED]: executed, [STOP]: 0 };
    for (const [word, value] of Object.entries(values)) this.#set(Number(word), BigInt(value));
    this.#set(FAULT, NONE);
  }

  /** The number of finished blocks. */
  get done(): number {
    return Number(Atomics.load(this.#words, DONE));
  }

  /** Makes all workers stop at their next check. */
  stop(why: "ABORTED" | "TIMEOUT"): void {
    Atomics.compareExchange(this.#words, STOP, 0n, BigInt(STOPS.indexOf(why)));
  }

  /** Records that a block failed, so that later blocks need not run. */
  fail(block: number): void {
    const failed = BigInt(block);
    for (let known = this.#load(FAULT); known > failed; ) {
      const found = Atomics.compareExchange(this.#words, FAULT, known, failed);
      if (found === known) return;
      known = found;
    }
  }

  /**
   * Takes blocks to run; undefined when none are left.
   *
   * @param total the number of blocks of the launch
   * @param workers the number of workers that share them
   * @param most the most blocks to take
   */
  take(total: number, workers: number, most: number): Blocks | undefined {
    for (let first = this.#load(NEXT); this.#load(FAULT) === NONE; ) {
      const left = total - Number(first);
      if (left <= 0) return undefined;
      const count = Math.min(most, Math.ceil(left / (workers * SHARES)));
      const found = Atomics.compareExchange(this.#words, NEXT, first, first + BigInt(count));
      if (found === first) return { first: Number(first), count };
      first = found;
    }
    return undefined;
  }

  /** Records that blocks have finished. */
  finish({ count }: Blocks): void {
    Atomics.add(this.#words, DONE, BigInt(count));
  }

  /**
   * The limits of a launch, as a worker checks them.
   *
   * @param most the most instructions that all threads may execute
   * @param together whether a failed block stops all others, because they may wait for it; otherwise it only stops
   * later ones
   */
  meter(most: number, together: boolean): Meter {
    return {
      spend: (instructions, block) => {
        const spent = BigInt(instructions);
        if (Number(Atomics.add(this.#words, EXECUTED, spent) + spent) > most) return "BUDGET";
        const stop = STOPS[Number(this.#load(STOP))];
        // The results of blocks after a failed one are irrelevant.
        return stop ?? (this.#load(FAULT) < (together ? NONE : BigInt(block)) ? "ABORTED" : undefined);
      },
    };
  }

  #load(word: number): bigint {
    return Atomics.load(this.#words, word);
  }

  #set(word: number, value: bigint): void {
    Atomics.store(this.#words, word, value);
  }
}
