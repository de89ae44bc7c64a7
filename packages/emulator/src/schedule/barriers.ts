// The barriers of a block: which threads have reached them, and when they are complete (PTX ISA, bar).

const LANES = 32;
const BARRIERS = 16;

/** A barrier as an instruction names it. */
export interface BarrierUse {
  readonly barrier: number;
  /** The number of threads that it is for; undefined for all threads of the block. */
  readonly count: number | undefined;
}

/** A barrier that is complete. */
export interface CompleteBarrier {
  readonly barrier: BarrierUse;
  /** The threads that waited at it, in order. Threads that arrived and continued are not included. */
  readonly waiting: readonly number[];
}

interface Arrivals {
  readonly threads: Set<number>;
  readonly count: number | undefined;
}

export class Barriers {
  /** For each barrier, the threads that have arrived without waiting since it was last complete. */
  readonly #arrived = new Map<number, Arrivals>();
  /** For each barrier, the threads that wait at it, collected again after each round. */
  readonly #waiting = new Map<number, { readonly use: BarrierUse; readonly threads: number[] }>();

  /** Called when a block begins. */
  clear(): void {
    this.#arrived.clear();
    this.#waiting.clear();
  }

  /**
   * Records that a thread has reached a barrier.
   * @returns what is wrong with its use of the barrier; undefined when it is valid
   */
  come(thread: number, use: BarrierUse, arrives: boolean): string | undefined {
    const { barrier, count } = use;
    const problem = barrierProblem(use);
    if (problem !== undefined) return problem;
    if (arrives) {
      const known = this.#arrived.get(barrier);
      if (known === undefined) this.#arrived.set(barrier, { threads: new Set([thread]), count });
      else known.threads.add(thread);
    } else {
      const known = this.#waiting.get(barrier);
      if (known === undefined) this.#waiting.set(barrier, { use, threads: [thread] });
      else known.threads.push(thread);
    }
    return undefined;
  }

  /**
   * Removes and returns the complete barriers, by number.
   * @param threads the number of threads of the block
   */
  complete(threads: number, hasExited: (thread: number) => boolean): readonly CompleteBarrier[] {
    if (this.#arrived.size === 0 && this.#waiting.size === 0) return [];
    const found: CompleteBarrier[] = [];
    const numbers = new Set([...this.#waiting.keys(), ...this.#arrived.keys()]);
    for (const barrier of [...numbers].sort((a, b) => a - b)) {
      const waiting = this.#waiting.get(barrier);
      const arrived = this.#arrived.get(barrier);
      const use = waiting?.use ?? { barrier, count: arrived?.count };
      const here = new Set([...(waiting?.threads ?? []), ...(arrived?.threads ?? [])]);
      if (!isComplete(threads, use.count, here, hasExited)) continue;
      this.#arrived.delete(barrier);
      found.push({ barrier: use, waiting: waiting?.threads ?? [] });
    }
    this.#waiting.clear();
    return found;
  }
}

function barrierProblem({ barrier, count }: BarrierUse): string | undefined {
  if (barrier >= BARRIERS) return `barrier ${barrier}, which is not in 0 to ${BARRIERS - 1}`;
  if (count !== undefined && (count % LANES !== 0 || count === 0)) {
    return `${count} threads at barrier ${barrier}, which is not a multiple of ${LANES}`;
  }
  return undefined;
}

/** Whether enough threads of a block have reached a barrier. */
function isComplete(
  threads: number,
  count: number | undefined,
  here: ReadonlySet<number>,
  hasExited: (thread: number) => boolean,
): boolean {
  let arrived = 0;
  for (let first = 0; first < threads; first += LANES) {
    let present = 0;
    let missing = 0;
    for (let thread = first; thread < Math.min(first + LANES, threads); thread++) {
      if (here.has(thread)) present++;
      else if (!hasExited(thread)) missing++;
    }
    if (count === undefined && missing > 0) return false;
    // A warp whose threads have all come or exited counts as a whole warp, even if it has fewer threads. A thread that
    // arrived may exit afterwards.
    arrived += missing === 0 && present > 0 ? LANES : present;
  }
  return count === undefined || arrived >= count;
}
