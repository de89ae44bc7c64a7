// Vector clocks of the threads of a block. An action of a thread is ordered before an action of another thread if the
// two have synchronized in between, directly or through other threads.

/** The actions of a thread up to a moment, for the threads that synchronize with it. */
export interface Release {
  readonly thread: number;
  /** The thread's own clock, which starts at 1 and advances with each synchronization. */
  readonly moment: number;
  /** For each thread, the last moment that is known here. */
  readonly seen: Uint32Array;
}

export class Clocks {
  readonly #moments: Uint32Array;
  /** Known moments by thread; threads that synchronized share an array until they synchronize again. */
  readonly #seen: Uint32Array[];

  constructor(threads: number) {
    this.#moments = new Uint32Array(threads).fill(1);
    const nothing = new Uint32Array(threads);
    this.#seen = Array.from({ length: threads }, () => nothing);
  }

  moment(thread: number): number {
    return this.#moments[thread]!;
  }

  /** Whether an action of `thread` at `moment` is ordered before the current action of `other`. */
  isBefore(thread: number, moment: number, other: number): boolean {
    return thread === other || this.#seen[other]![thread]! >= moment;
  }

  /** Ends the thread's current moment. */
  release(thread: number): Release {
    return { thread, moment: this.#moments[thread]!++, seen: this.#seen[thread]! };
  }

  /** Orders all released actions before the following actions of `threads`, which must be among those that released. */
  acquire(threads: readonly number[], releases: readonly Release[]): void {
    const joined = this.join(releases);
    for (const thread of threads) this.#seen[thread] = joined;
  }

  /**
   * Orders the actions of releases before the following actions of a thread.
   *
   * @param joined what `join` returned for the releases
   * @param own the thread's own one among them, if there is one
   */
  acquireJoined(thread: number, joined: Uint32Array, own: Release | undefined): void {
    this.#moments[thread]!++;
    const seen = this.#seen[thread]!;
    this.#seen[thread] = own?.seen === seen ? joined : joined.map((moment, i) => Math.max(moment, seen[i]!));
  }

  /** For each thread, the last of its moments that releases order before what acquires them. */
  join(releases: Iterable<Release>): Uint32Array {
    const all = [...releases];
    const joined = new Uint32Array(this.#moments.length);
    for (const seen of new Set(all.map((release) => release.seen))) {
      for (let thread = 0; thread < joined.length; thread++) {
        joined[thread] = Math.max(joined[thread]!, seen[thread]!);
      }
    }
    for (const { thread, moment } of all) joined[thread] = Math.max(joined[thread]!, moment);
    return joined;
  }
}
