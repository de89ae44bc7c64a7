// The barriers of a block: who waits, who has arrived, and when one is complete.
import { isBarrierComplete } from "../run/barrier.js";
import type { BarrierWait, Thread } from "./thread.js";

interface Arrivals {
  readonly threads: Set<Thread>;
  count: number | undefined;
}

/** A barrier that let its threads go. */
export interface ReleasedBarrier {
  readonly barrier: number;
  readonly threads: readonly Thread[];
  /** As many as it was for; undefined for all of the block. */
  readonly count: number | undefined;
}

export class Barriers {
  /** Threads that have arrived without waiting, by number of the barrier. */
  private readonly arrivals = new Map<number, Arrivals>();

  /** `bar.arrive`. */
  arrive(barrier: number, thread: Thread, count: number | undefined): void {
    const known = this.arrivals.get(barrier);
    if (known === undefined) this.arrivals.set(barrier, { threads: new Set([thread]), count });
    else known.threads.add(thread);
  }

  /** A new block begins. */
  clear(): void {
    this.arrivals.clear();
  }

  /**
   * Lets go the threads of barriers that are complete, in order of their number.
   * @returns the threads of each
   */
  release(warps: readonly (readonly Thread[])[]): readonly ReleasedBarrier[] {
    const threads = warps.flat();
    const waiting = new Map<number, Thread[]>();
    for (const thread of threads) {
      if (thread.wait?.kind !== "barrier") continue;
      const { barrier } = thread.wait;
      const known = waiting.get(barrier);
      if (known === undefined) waiting.set(barrier, [thread]);
      else known.push(thread);
    }
    const released: ReleasedBarrier[] = [];
    for (const barrier of [...new Set([...waiting.keys(), ...this.arrivals.keys()])].sort((a, b) => a - b)) {
      const here = waiting.get(barrier) ?? [];
      if (!this.isComplete(barrier, here, warps)) continue;
      this.arrivals.delete(barrier);
      released.push({ barrier, threads: here, count: (here[0]?.wait as BarrierWait | undefined)?.count });
      letGo(here);
    }
    return released;
  }

  private isComplete(
    barrier: number,
    waiting: readonly Thread[],
    warps: readonly (readonly Thread[])[],
  ): boolean {
    const arrivals = this.arrivals.get(barrier);
    const wait = waiting[0]?.wait as BarrierWait | undefined;
    const count = wait === undefined ? arrivals?.count : wait.count;
    const here = new Set([...waiting, ...(arrivals?.threads ?? [])]);
    const threads = warps.flat();
    return isBarrierComplete(
      threads.length,
      count,
      (thread) => here.has(threads[thread]!),
      (thread) => threads[thread]!.exited,
    );
  }
}

function letGo(threads: readonly Thread[]): void {
  const waits = threads.map(({ wait }) => wait as BarrierWait);
  const values = waits.flatMap(({ reduction }) => (reduction === undefined ? [] : [reduction.value]));
  for (const { reduction } of waits) reduction?.take(values);
  for (const thread of threads) thread.wait = undefined;
}
