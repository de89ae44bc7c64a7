// The words that the workers of a device and its caller share during a launch: which blocks are to be run, how many
// instructions were executed, and whether anybody has to stop. Blocks are taken in order of their number.
import type { Limit, Meter } from "../wasm/meter.js";

const NEXT = 0;
const DONE = 1;
const EXECUTED = 2;
const FAULT = 3;
const STOP = 4;
const WORDS = 5;

/** What `STOP` holds, as an index. */
const STOPS = [undefined, "ABORTED", "TIMEOUT"] as const satisfies readonly (Limit | undefined)[];
/** What `FAULT` holds when no block failed: more than any block's number. */
const NONE = 2n ** 62n;
/** Shares of what is left that each worker takes at least: so they end at about the same time. */
const SHARES = 3;

/** Blocks that follow one another. */
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

  /** Begins a launch, of which a part may be done. */
  begin(block: number, executed: number): void {
    const values = { [NEXT]: block, [DONE]: block, [EXECUTED]: executed, [STOP]: 0 };
    for (const [word, value] of Object.entries(values)) this.#set(Number(word), BigInt(value));
    this.#set(FAULT, NONE);
  }

  /** Blocks that are done. */
  get done(): number {
    return Number(Atomics.load(this.#words, DONE));
  }

  /** Lets all workers stop where they next look. */
  stop(why: "ABORTED" | "TIMEOUT"): void {
    Atomics.compareExchange(this.#words, STOP, 0n, BigInt(STOPS.indexOf(why)));
  }

  /** Says that a block failed: those behind it need not run any more. */
  fail(block: number): void {
    const failed = BigInt(block);
    for (let known = this.#load(FAULT); known > failed; ) {
      const found = Atomics.compareExchange(this.#words, FAULT, known, failed);
      if (found === known) return;
      known = found;
    }
  }

  /**
   * Takes blocks to run; undefined when there are none left.
   *
   * @param total blocks of the launch
   * @param workers that share them
   * @param most blocks to take
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

  /** Says that blocks are done. */
  finish({ count }: Blocks): void {
    Atomics.add(this.#words, DONE, BigInt(count));
  }

  /**
   * The limits of a launch, as a worker sees them.
   *
   * @param most instructions that all threads may execute
   * @param together whether a block that failed ends all others, as some may wait for it; else those behind it
   */
  meter(most: number, together: boolean): Meter {
    return {
      spend: (instructions, block) => {
        const spent = BigInt(instructions);
        if (Number(Atomics.add(this.#words, EXECUTED, spent) + spent) > most) return "BUDGET";
        const stop = STOPS[Number(this.#load(STOP))];
        // What a block behind one that failed does matters to nobody.
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
