// Parcels that a worker gets without the server's queue, which takes about as long as compiling a small
// kernel. Nobody hands such a parcel to another worker if its own dies, so the front asks whether the worker
// is still there.

import type { Fault } from "./faults.js";
import type { Link } from "./link.js";
import { type OpenParcel, type OpenParcels, openEntries } from "./parcels.js";

/** How often a worker that has a parcel is asked. It has gone if nobody listens twice, because it may be about to connect again. */
const ASK_MS = 250;
const MOST_UNHEARD = 2;

export class DirectParcels {
  readonly #link: Link;
  readonly #open: OpenParcels;
  readonly #lost: (parcel: OpenParcel, fault: Fault) => void;

  /** @param lost called when the worker of a parcel has gone with it */
  constructor(link: Link, open: OpenParcels, lost: (parcel: OpenParcel, fault: Fault) => void) {
    this.#link = link;
    this.#open = open;
    this.#lost = lost;
  }

  /**
   * Offers a parcel to a worker, if one may have a core for it now. @returns whether a worker has taken it
   */
  async give(parcel: OpenParcel, frame: Uint8Array): Promise<boolean> {
    const [entry, second] = parcel.entries;
    if (entry?.job.isSingle !== true || second !== undefined || this.#open.jobs > this.#link.slots)
      return false;
    // The queue counts how many workers die with a job.
    if (entry.deaths > 0 || entry.refused > 0) return false;
    const holder = await this.#link.offer(parcel, frame);
    if (holder === undefined) return false;
    parcel.holder = holder;
    void this.#watch(parcel, holder);
    return true;
  }

  /** The parcels that are out, but for those that a worker has told that it has: a queue that takes none does not concern them. */
  waiting(): readonly OpenParcel[] {
    const { isUp, slots } = this.#link;
    return this.#open.all().filter(({ holder }) => holder === undefined || !isUp || slots === 0);
  }

  /** Asks the worker of a parcel until the parcel is answered or the worker has gone. */
  async #watch(parcel: OpenParcel, holder: string): Promise<void> {
    for (let unheard = 0; unheard < MOST_UNHEARD; ) {
      await new Promise<void>((resolve) => setTimeout(resolve, ASK_MS).unref());
      if (!this.#open.has(parcel)) return;
      unheard = (await this.#link.hasGone(holder)) ? unheard + 1 : 0;
    }
    if (!this.#open.has(parcel)) return;
    const how = `every worker of the farm that compiled it died: ${holder}`;
    this.#lost(parcel, { suspects: openEntries(parcel), deaths: 1, failure: { is: "crashed", how } });
  }
}
