// Parcels that a worker gets without the server's queue, which takes about as long as compiling a small
// kernel. Nobody hands such a parcel to another worker if its own dies, and its answer needs no receipt, so the front asks
// whether the worker still has it. A worker that has answered then answers again.

import type { Estimates } from "./estimates.js";
import type { Fault } from "./faults.js";
import type { Link, Reply } from "./link.js";
import { type OpenParcel, type OpenParcels, openEntries } from "./parcels.js";

/** How often a worker that has a parcel is asked. It has gone if nobody listens twice, because it may be about to connect again. */
const ASK_MS = 250;
const MOST_UNHEARD = 2;
/** Workers that have just started answer within this time when all are asked. */
const FOUND_MS = 50;
/** Jobs for each core that a worker may have, and how long the cores of a pool's only worker may have work. */
const AHEAD = 2;
const AHEAD_MS = 40;
/** How long a worker that has refused a parcel is not offered another one. */
const BUSY_MS = 20;

/** A parcel that a worker has, or has been offered. */
interface Given {
  readonly open: OpenParcel;
  readonly frame: Uint8Array;
  worker: string;
  /** When it was offered, or its worker was last asked. */
  since: number;
  isAsked: boolean;
  /** Whether the worker has said that it has it. */
  isKnown: boolean;
  /** How often nobody has listened. */
  unheard: number;
  /** The workers that had already ended when they were offered the parcel. */
  readonly missed: Set<string>;
}

interface DirectEvents {
  /** The worker of a parcel has gone with it. */
  lost(open: OpenParcel, fault: Fault): void;
  /** No worker takes it. */
  refused(open: OpenParcel, frame: Uint8Array): void;
}

export class DirectParcels {
  readonly #link: Link;
  readonly #open: OpenParcels;
  readonly #estimates: Estimates;
  readonly #events: DirectEvents;
  readonly #given = new Map<number, Given>();
  /** How many jobs each worker has. */
  readonly #counts = new Map<string, number>();
  /** Until when workers that have refused a parcel are not offered another one. */
  readonly #busyUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(link: Link, open: OpenParcels, estimates: Estimates, events: DirectEvents) {
    this.#link = link;
    this.#open = open;
    this.#estimates = estimates;
    this.#events = events;
  }

  /** Offers a parcel to a worker, if one may have a core for it. @returns whether there is one */
  give(open: OpenParcel, frame: Uint8Array): boolean {
    // The queue counts how many workers die with a job.
    if (open.entries.some(({ job, deaths, refused }) => job.isSingle !== true || deaths > 0 || refused > 0))
      return false;
    const [since, unknown] = [
      performance.now(),
      { isAsked: false, isKnown: false, unheard: 0, missed: new Set<string>() },
    ];
    return this.#offer({ open, frame, worker: "", since, ...unknown });
  }

  /** Notes that a parcel is not open any more. */
  forget(open: OpenParcel): void {
    const given = this.#given.get(open.id);
    if (given === undefined) return;
    this.#take(given);
    this.#busyUntil.delete(given.worker);
    this.#fetchBack();
  }

  /** What a worker says about a parcel. */
  replied(id: number, reply: Reply): void {
    const given = this.#given.get(id);
    if (given === undefined) return;
    if (reply === "yes") Object.assign(given, { isAsked: false, isKnown: true, unheard: 0 });
    else if (reply === "no") this.#refused(given);
    else if (!given.isKnown && !given.isAsked) this.#missed(given);
    // The worker may have died of it.
    else if (!given.isKnown) this.#queue(given);
    else if (++given.unheard === MOST_UNHEARD) this.#lost(given);
  }

  /** The parcels that are out, but for those that a worker has: a queue that takes none does not concern them. */
  waiting(): readonly OpenParcel[] {
    const { isUp, slots } = this.#link;
    return this.#open.all().filter(({ id }) => !this.#given.has(id) || !isUp || slots === 0);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#given.clear();
  }

  #offer(given: Given): boolean {
    const { entries } = given.open;
    const members = [...this.#link.members()];
    const jobs = members.length === 1 ? AHEAD_MS / this.#estimates.millisecondsOf(entries[0]!) : AHEAD;
    const now = performance.now();
    let least = Math.max(AHEAD, Math.floor(jobs));
    let chosen: { readonly id: string; readonly cores: number } | undefined;
    for (const member of members) {
      const load = (this.#counts.get(member.id) ?? 0) / member.cores;
      if (load >= least || given.missed.has(member.id) || (this.#busyUntil.get(member.id) ?? 0) > now)
        continue;
      least = load;
      chosen = member;
    }
    if (chosen === undefined) return false;
    this.#counts.set(chosen.id, (this.#counts.get(chosen.id) ?? 0) + entries.length);
    Object.assign(given, { worker: chosen.id, since: now, isAsked: false });
    this.#given.set(given.open.id, given);
    this.#link.offer(given.open, chosen.id, least + entries.length / chosen.cores > 1, given.frame);
    this.#timer ??= setInterval(() => this.#ask(), ASK_MS).unref();
    return true;
  }

  /** Whether a worker other than this one may have a core for a parcel now. */
  #hasIdle(besides: string): boolean {
    for (const { id, cores } of this.#link.members())
      if (id !== besides && (this.#counts.get(id) ?? 0) < cores) return true;
    return false;
  }

  /** Has a worker give up a parcel that waits for a core, if another one is idle now. */
  #fetchBack(): void {
    for (const { id, cores } of this.#link.members()) {
      if ((this.#counts.get(id) ?? 0) <= cores || !this.#hasIdle(id)) continue;
      const last = [...this.#given.values()].findLast(({ worker }) => worker === id);
      if (last !== undefined) this.#link.offer(last.open, id, false);
      return;
    }
  }

  /** Removes a parcel from those that workers have. */
  #take({ open, worker }: Given): void {
    this.#given.delete(open.id);
    const left = this.#counts.get(worker)! - open.entries.length;
    if (left === 0) this.#counts.delete(worker);
    else this.#counts.set(worker, left);
  }

  #queue(given: Given): void {
    this.#take(given);
    if (this.#open.has(given.open)) this.#events.refused(given.open, given.frame);
  }

  /** The worker had ended before it was offered the parcel, and another one may have started instead. */
  #missed(given: Given): void {
    given.missed.add(given.worker);
    this.#take(given);
    this.#link.gone(given.worker);
    setTimeout(() => this.#offerAgain(given), FOUND_MS).unref();
  }

  #refused(given: Given): void {
    this.#take(given);
    this.#busyUntil.set(given.worker, performance.now() + BUSY_MS);
    this.#offerAgain(given);
  }

  #offerAgain(given: Given): void {
    if (this.#open.has(given.open) && !this.#offer(given)) this.#events.refused(given.open, given.frame);
  }

  #lost(given: Given): void {
    this.#take(given);
    this.#link.gone(given.worker);
    if (!this.#open.has(given.open)) return;
    const how = `every worker of the farm that compiled it died: ${given.worker}`;
    const suspects = openEntries(given.open);
    this.#events.lost(given.open, { suspects, deaths: 1, failure: { is: "crashed", how } });
  }

  /** Asks the workers of parcels that are not answered. */
  #ask(): void {
    if (this.#given.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    if (!this.#link.isUp) return;
    const now = performance.now();
    for (const given of [...this.#given.values()]) {
      if (now - given.since < ASK_MS) continue;
      // It may not have arrived.
      if (given.isAsked && !given.isKnown) this.#queue(given);
      else {
        Object.assign(given, { since: now, isAsked: true });
        this.#link.offer(given.open, given.worker, !this.#hasIdle(given.worker));
      }
    }
  }
}
