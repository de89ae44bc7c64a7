// How long jobs of a group take, from what earlier ones took, so that parcels have about the same time.

import type { Entry } from "./queue.js";

/** The time in which one core should do a parcel. */
const PARCEL_MS = 100;
/** Of a new group: what a small kernel takes, and what each kilobyte adds. */
const GUESS_MS = 3;
const GUESS_MS_PER_KB = 1;
const WEIGHT = 0.2;
const GROUPS = 1000;

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

  /** How many such jobs are a parcel. */
  parcelSize({ group, bytes }: Entry): number {
    const ms = this.#ms.get(group) ?? GUESS_MS + (GUESS_MS_PER_KB * bytes) / 1024;
    return sizeOf(ms);
  }

  /** How many jobs a parcel usually has. */
  get usualSize(): number {
    return sizeOf(this.#usual);
  }
}

const LARGEST = 256;
/** What travels with a job takes time, too, even if the job itself comes from a cache. */
const LEAST_MS = 0.2;
const sizeOf = (ms: number): number =>
  Math.min(LARGEST, Math.max(1, Math.round(PARCEL_MS / Math.max(ms, LEAST_MS))));
