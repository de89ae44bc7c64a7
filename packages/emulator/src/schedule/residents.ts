// Blocks that have begun and not ended. Usually there is one. Where its threads wait for values that another block
// writes, further blocks begin alongside it, each with separate memory, and all of them take turns.
import type { Progress } from "./block.js";

/** A block with its own memory. */
export interface Resident {
  /** Runs its threads as far as they can go. */
  goOn(): Progress;
  /** Whether it is stuck until other blocks do what its threads wait for, which they have not done yet. */
  readonly isStuck?: boolean;
  /** What to throw if all others are stuck as well. */
  stuck?(): unknown;
}

/** The engine in which blocks run. */
export interface ResidentHost<Block extends Resident> {
  /** Memory for one more block alongside those that have begun; undefined when there is no more room. */
  more(): Block | undefined;
  /** Makes a block the current one, by its number in the launch. */
  enter(block: number, resident: Block): void;
}

interface Parked<Block> {
  /** Its number in the launch. */
  readonly block: number;
  readonly resident: Block;
}

export class Residents<Block extends Resident> {
  /** The block that is running or has ended last. */
  current: Block;
  readonly #host: ResidentHost<Block>;
  readonly #parked: Parked<Block>[] = [];

  /** @param first memory for the first block */
  constructor(first: Block, host: ResidentHost<Block>) {
    this.current = first;
    this.#host = host;
  }

  /** Whether no block waits for others. */
  get isEmpty(): boolean {
    return this.#parked.length === 0;
  }

  /**
   * Makes room for the next block when the current one cannot continue without others. Yields when the launch pauses.
   */
  *park(block: number): Generator<void, void> {
    this.#parked.push({ block, resident: this.current });
    const resident = this.#host.more();
    if (resident !== undefined) this.current = resident;
    else while (!(yield* this.#pass(1))) {}
    this.#host.enter(block, this.current);
  }

  /**
   * Gives each block that waits for others a turn.
   * @returns whether all have ended
   */
  *resume(): Generator<void, boolean> {
    yield* this.#pass(Infinity);
    return this.isEmpty;
  }

  /**
   * Gives the waiting blocks turns until `most` of them have ended.
   * @returns whether that many have ended
   */
  *#pass(most: number): Generator<void, boolean> {
    let ended = 0;
    for (const parked of [...this.#parked]) {
      this.current = parked.resident;
      this.#host.enter(parked.block, parked.resident);
      let progress = parked.resident.goOn();
      for (; progress === "paused"; progress = parked.resident.goOn()) yield;
      if (progress === "waiting") continue;
      this.#parked.splice(this.#parked.indexOf(parked), 1);
      if (++ended === most) return true;
    }
    const [first] = this.#parked;
    if (ended > 0 || first === undefined || !this.#parked.every(({ resident }) => resident.isStuck === true))
      return false;
    this.current = first.resident;
    this.#host.enter(first.block, first.resident);
    throw first.resident.stuck?.();
  }
}

/** The result of work that does not pause. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
