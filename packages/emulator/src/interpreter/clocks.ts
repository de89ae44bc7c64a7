// Which of a block's threads have seen what of each other: vector clocks. What a thread did is ordered before what another one
// does when the other one has met it since, or somebody who had.

/** What a thread has done up to a moment, for those that it meets. */
export interface Release {
  readonly thread: number;
  /** How often it had met others before, beginning with 1. */
  readonly moment: number;
  /** By thread: the last moment that it knows of. */
  readonly seen: Uint32Array;
}

export class Clocks {
  private readonly moments: Uint32Array;
  /** By thread; threads that met share one until they meet others. */
  private readonly seen: Uint32Array[];

  constructor(threads: number) {
    this.moments = new Uint32Array(threads).fill(1);
    const nothing = new Uint32Array(threads);
    this.seen = Array.from({ length: threads }, () => nothing);
  }

  moment(thread: number): number {
    return this.moments[thread]!;
  }

  /** Whether what a thread did at a moment is ordered before what another one does now. */
  isBefore(thread: number, moment: number, other: number): boolean {
    return thread === other || this.seen[other]![thread]! >= moment;
  }

  /** Ends a thread's moment. */
  release(thread: number): Release {
    return { thread, moment: this.moments[thread]!++, seen: this.seen[thread]! };
  }

  /** Orders all that was released before what threads do from now on. They have to be among those that released. */
  acquire(threads: readonly number[], releases: readonly Release[]): void {
    const joined = new Uint32Array(this.moments.length);
    for (const seen of new Set(releases.map((release) => release.seen))) {
      for (let thread = 0; thread < joined.length; thread++) {
        joined[thread] = Math.max(joined[thread]!, seen[thread]!);
      }
    }
    for (const { thread, moment } of releases) joined[thread] = Math.max(joined[thread]!, moment);
    for (const thread of threads) this.seen[thread] = joined;
  }
}
