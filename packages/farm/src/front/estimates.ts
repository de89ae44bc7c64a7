// Estimates how long jobs of a group take, from how long earlier ones took, and how many of them are given to
// a worker at a time.

import type { Entry } from "./queue.js";

/** The time in which the cores of one worker should do a parcel. */
const PARCEL_MS = 150;
/** At the end of a list, a parcel of less work costs more than it saves. */
const LEAST_PARCEL_MS = 10;
/** How long the work in the server's queue and at workers keeps the pool's cores busy. */
const AHEAD_MS = 450;
/** For a new group: the time of a small kernel, and what each kilobyte adds. */
const GUESS_MS = 3;
const GUESS_MS_PER_KB = 1;
const WEIGHT = 0.2;
const GROUPS = 1000;
const LARGEST = 256;
/** Jobs for each core in a parcel of a new group. */
const FIRST = 8;
/** Sending a job takes time, too, even if its result comes from a cache. */
const LEAST_MS = 0.2;

/** The workers of a pool. */
export interface Width {
  readonly workers: number;
  /** Their cores. */
  readonly slots: number;
}

/** Work that workers have. */
export interface Load {
  readonly jobs: number;
  readonly milliseconds: number;
}

export class Estimates {
  readonly #ms = new Map<string, number>();
  /** Of all groups, for the number of jobs in flight. */
  #usual = GUESS_MS;

  /** Records what a job took in the compiler: nothing, if it came from a cache. */
  add(group: string, ms: number): void {
    const known = this.#ms.get(group);
    if (known === undefined && this.#ms.size >= GROUPS) this.#ms.clear();
    this.#ms.set(group, known === undefined ? ms : known + WEIGHT * (ms - known));
    this.#usual += WEIGHT * (ms - this.#usual);
  }

  /** How long such a job takes on one core. */
  millisecondsOf({ group, bytes }: Entry): number {
    return Math.max(LEAST_MS, this.#ms.get(group) ?? GUESS_MS + (GUESS_MS_PER_KB * bytes) / 1024);
  }

  /**
   * How many such jobs make a parcel. Towards the end of the work, parcels are smaller, so that all workers
   * finish at about the same time.
   *
   * @param waiting the jobs that wait
   */
  parcelSize(entry: Entry, waiting: number, { workers, slots }: Width): number {
    const cores = slots / workers;
    const ms = this.millisecondsOf(entry);
    const most = this.#ms.has(entry.group) ? (PARCEL_MS * cores) / ms : FIRST * cores;
    const least = Math.min((LEAST_PARCEL_MS * cores) / ms, waiting / workers);
    const share = Math.max(waiting / (2 * workers), least);
    return Math.max(1, Math.min(LARGEST, Math.ceil(Math.min(most, share))));
  }

  /**
   * Whether workers have enough to do until they have answered.
   *
   * @param isSingle for a job that a caller waits for, which does not wait until others are answered
   */
  isEnough({ jobs, milliseconds }: Load, { slots }: Width, isSingle = false): boolean {
    const share = isSingle ? 2 : 1;
    return milliseconds >= share * AHEAD_MS * slots && jobs >= share * 2 * slots;
  }

  /** How many jobs the queue and the workers of a pool may have, so that there is always a next parcel. */
  jobsFor({ slots }: Width): number {
    return Math.ceil((2 * AHEAD_MS * slots) / Math.max(LEAST_MS, this.#usual)) + 4 * slots;
  }
}
