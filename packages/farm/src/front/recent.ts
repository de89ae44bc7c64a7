// What workers did for a submitter in the last minute.

import { addWait, sumOfWaits, type Waits } from "../status/waits.js";

const MINUTE_MS = 60_000;
const SLOTS = 6;

interface Slot {
  /** Which sixth of a minute it is of, since the process started. */
  readonly number: number;
  readonly waits: number[];
  milliseconds: number;
}

export class Recent {
  /** The oldest one first. */
  #slots: Slot[] = [];

  /** Counts a parcel that waited for so long until a worker had it. */
  waited(ms: number): void {
    addWait(this.#now().waits, ms);
  }

  /** Counts time of a compiler. */
  worked(ms: number): void {
    this.#now().milliseconds += ms;
  }

  /** How long parcels waited, and the milliseconds that compilers worked. */
  figures(): { readonly waits: Waits; readonly milliseconds: number } {
    this.#now();
    const milliseconds = this.#slots.reduce((sum, slot) => sum + slot.milliseconds, 0);
    return { waits: sumOfWaits(this.#slots.map(({ waits }) => waits)), milliseconds };
  }

  /** The slot of this moment, after those that are too old have been dropped. */
  #now(): Slot {
    const number = Math.floor((performance.now() * SLOTS) / MINUTE_MS);
    const last = this.#slots.at(-1);
    if (last?.number === number) return last;
    const slot = { number, waits: [], milliseconds: 0 };
    this.#slots = [...this.#slots.filter((each) => each.number > number - SLOTS), slot];
    return slot;
  }
}
