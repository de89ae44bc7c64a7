// Jobs that wait to be compiled, by priority and then in the order in which they came.

import type { BackendJob, BackendOutcome, Source } from "@mm-ptx/cuda/backend";

/** A job of the front, which is settled once. */
export interface Entry {
  readonly job: BackendJob;
  readonly done: (outcome: BackendOutcome) => void;
  /** What is sent: what its PTX is made from, or the PTX itself. */
  source: Source;
  /** Jobs of one group can be sent in one parcel. */
  group: string;
  bytes: number;
  /** Characters of the PTX, if it is made here. */
  length: number;
  settled: boolean;
  /** Ends the compile on this machine, if it is there. */
  cancel: (() => void) | undefined;
  /** How many workers have died while they had it, or have given a wrong answer. */
  deaths: number;
  /** How many answers to it were not used, because their worker is left out. */
  refused: number;
}

/** How many jobs of other groups are passed over in the search for those of one group. */
const FARTHEST = 4096;

/** Priorities are whole numbers; among equal ones, a job that a caller waits for alone comes first. */
const rankOf = ({ job: { priority, isSingle } }: Entry): number => priority + (isSingle ? 0.5 : 0);

export class JobQueue {
  /** By `rankOf`, highest first. */
  readonly #ranks: { readonly priority: number; readonly entries: Set<Entry> }[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    const priority = rankOf(entry);
    let at = this.#ranks.findIndex((rank) => rank.priority <= priority);
    if (at === -1) at = this.#ranks.length;
    if (this.#ranks[at]?.priority !== priority) this.#ranks.splice(at, 0, { priority, entries: new Set() });
    this.#ranks[at]!.entries.add(entry);
    this.#size++;
  }

  delete(entry: Entry): boolean {
    const at = this.#ranks.findIndex(({ entries }) => entries.has(entry));
    if (at === -1) return false;
    const { entries } = this.#ranks[at]!;
    entries.delete(entry);
    if (entries.size === 0) this.#ranks.splice(at, 1);
    this.#size--;
    return true;
  }

  first(): Entry | undefined {
    return this.#ranks[0]?.entries.values().next().value;
  }

  /**
   * Removes the next job and jobs of its group and priority: at most `count` jobs, and at most `bytes` unless
   * there is only one.
   */
  take(count: number, bytes: number): Entry[] {
    const first = this.first();
    if (first === undefined) return [];
    const taken: Entry[] = [];
    let left = bytes;
    let passed = 0;
    for (const entry of this.#ranks[0]!.entries) {
      if (taken.length === count || passed === FARTHEST) break;
      // A job that has cost workers is sent alone, so that it does not affect other jobs.
      const isAlone = entry !== first && (entry.deaths > 0 || first.deaths > 0);
      if (entry.group !== first.group || isAlone || (entry !== first && entry.bytes > left)) {
        passed++;
        continue;
      }
      taken.push(entry);
      left -= entry.bytes;
    }
    for (const entry of taken) this.delete(entry);
    return taken;
  }

  /** Removes all jobs. */
  clear(): Entry[] {
    const all = this.#ranks.flatMap(({ entries }) => [...entries]);
    this.#ranks.length = 0;
    this.#size = 0;
    return all;
  }
}
