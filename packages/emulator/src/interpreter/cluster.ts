// The blocks of a cluster: their barrier, and addresses in each other's shared memory (PTX ISA, Cluster of Cooperative
// Thread Arrays; barrier.cluster; mapa).
import type { Thread } from "./thread.js";

/** A block as a member of its cluster. */
export interface Member {
  readonly shared: { readonly offset: number; readonly bytes: number };
  /** Records that another block has written shared memory. */
  readonly wrote: (offset: number, bytes: number) => void;
}

/**
 * Addresses in the shared memory of a block have its rank, plus 1, above these bits. Those without are in the block's
 * own shared memory.
 */
const RANK_SHIFT = 24;

/** An address in the shared memory of the block with a rank. */
export const mappedAddress = (rank: number, offset: number): number => (rank + 1) * 2 ** RANK_SHIFT + offset;

/** The rank of the block in an address, and the rest; undefined for addresses in the own shared memory. */
export function mappedPlace(address: number): { readonly rank: number; readonly offset: number } | undefined {
  const rank = Math.floor(address / 2 ** RANK_SHIFT) - 1;
  return rank < 0 ? undefined : { rank, offset: address % 2 ** RANK_SHIFT };
}

/** How often a thread has reached the barrier, and how often it has waited there. */
interface Visits {
  arrived: number;
  waited: number;
}

export class Cluster {
  /** The number of blocks. */
  readonly size: number;
  readonly #threads: number;
  readonly #members: (Member | undefined)[];
  readonly #visits = new Map<Thread, Visits>();
  /** Phases of the barrier that are complete. */
  #phases = 0;
  /**
   * The numbers of threads that have arrived in the current phase, of threads that have exited, and of threads that
   * have done both.
   */
  #arrived = 0;
  #gone = 0;
  #leaving = 0;

  /** @param threads the number of threads of all blocks */
  constructor(size: number, threads: number) {
    this.size = size;
    this.#threads = threads;
    this.#members = new Array(size).fill(undefined);
  }

  join(rank: number, member: Member): void {
    this.#members[rank] = member;
  }

  /** Called when a block has ended and its memory is reused for other blocks. */
  leave(rank: number): void {
    this.#members[rank] = undefined;
  }

  /** The block with a rank, while it is in progress. */
  member(rank: number): Member | undefined {
    return this.#members[rank];
  }

  /** Whether an offset of linear memory is in the shared memory of a block. */
  isShared(offset: number): boolean {
    return this.#members.some(
      (member) =>
        member !== undefined &&
        offset >= member.shared.offset &&
        offset < member.shared.offset + member.shared.bytes,
    );
  }

  /** @returns what is wrong, if anything is */
  arrive(thread: Thread): string | undefined {
    const visits = this.#visitsOf(thread);
    if (visits.arrived > visits.waited)
      return "`barrier.cluster.arrive` again without `barrier.cluster.wait`";
    visits.arrived++;
    this.#arrived++;
    this.#complete();
    return undefined;
  }

  /** Whether the phase in which a thread has arrived is complete. */
  isComplete(thread: Thread): boolean {
    return this.#phases >= this.#visitsOf(thread).arrived;
  }

  /**
   * Called when a thread has waited for a complete phase, or is about to wait for one.
   * @returns what is wrong, if anything is
   */
  wait(thread: Thread): string | undefined {
    const visits = this.#visitsOf(thread);
    if (visits.arrived === visits.waited) return "`barrier.cluster.wait` without `barrier.cluster.arrive`";
    if (this.isComplete(thread)) visits.waited++;
    return undefined;
  }

  /** Called when a thread has exited: the others do not wait for it. */
  exit(thread: Thread): void {
    if ((this.#visits.get(thread)?.arrived ?? 0) > this.#phases) this.#leaving++;
    else this.#gone++;
    this.#complete();
  }

  #complete(): void {
    if (this.#arrived === 0 || this.#arrived + this.#gone < this.#threads) return;
    this.#phases++;
    this.#gone += this.#leaving;
    this.#arrived = 0;
    this.#leaving = 0;
  }

  #visitsOf(thread: Thread): Visits {
    let visits = this.#visits.get(thread);
    if (visits === undefined) {
      visits = { arrived: 0, waited: 0 };
      this.#visits.set(thread, visits);
    }
    return visits;
  }
}
