// Parcels that a worker gets without the server's queue, which takes about as long as the compile of a small kernel. Nobody hands
// such a parcel to another worker if its own one dies, so the front asks whether the worker is still there.

import type { Fault } from "./faults.js";
import type { Link } from "./link.js";
import { type OpenParcel, type OpenParcels, openEntries } from "./parcels.js";

/** A worker that has had a parcel for this long is asked. */
const PATIENCE_MS = 500;

export class DirectParcels {
  readonly #link: Link;
  readonly #open: OpenParcels;

  constructor(link: Link, open: OpenParcels) {
    this.#link = link;
    this.#open = open;
  }

  /** Gives a parcel to a worker, if one may have a core for it now. @returns whether a worker has taken it */
  async give(parcel: OpenParcel, frame: Uint8Array): Promise<boolean> {
    const [entry, second] = parcel.entries;
    if (entry?.job.isSingle !== true || second !== undefined || this.#open.jobs > this.#link.slots)
      return false;
    // The queue counts how many workers die with a job.
    if (entry.deaths > 0 || entry.refused > 0) return false;
    parcel.holder = await this.#link.offer(parcel, frame);
    return parcel.holder !== undefined;
  }

  /** Finds out whether the worker of a parcel has gone with it. */
  async faultOf(parcel: OpenParcel): Promise<Fault | undefined> {
    const { holder, since } = parcel;
    if (holder === undefined || performance.now() - since < PATIENCE_MS) return undefined;
    if (!(await this.#link.hasGone(holder)) || !this.#open.has(parcel)) return undefined;
    const how = `every worker of the farm that compiled it died: ${holder}`;
    return { suspects: openEntries(parcel), deaths: 1, failure: { is: "crashed", how } };
  }
}
