// The parcels that have been sent and not yet answered, with their jobs.

import type { Entry } from "./queue.js";

/** A parcel that no worker has answered completely. */
export interface OpenParcel {
  readonly id: number;
  /** The pool that it was sent to. */
  readonly pool: string;
  readonly entries: readonly Entry[];
  /** The blobs that its worker may ask for. */
  readonly hashes: readonly string[];
  /** When it was sent. */
  readonly since: number;
  /** How long its jobs were expected to take on one core. */
  readonly milliseconds: number;
  /** The job that a worker is compiling, if it compiles them one by one. */
  at: number | undefined;
  /** How often workers have started each job, by index. */
  readonly begun: Map<number, number>;
  /** Jobs that are not in it any more, because no worker can make their PTX. */
  readonly returned: Set<Entry>;
  /** The workers that have reported which job they are compiling. */
  readonly workers: Set<string>;
  /** Parts of incomplete answers, by answer. */
  readonly partial: Map<string, (Uint8Array | undefined)[]>;
}

/** A parcel that is being sent. */
export const openParcel = (
  id: number,
  pool: string,
  entries: readonly Entry[],
  hashes: readonly string[],
  milliseconds: number,
): OpenParcel => ({
  id,
  pool,
  entries,
  hashes,
  since: performance.now(),
  milliseconds,
  at: undefined,
  begun: new Map(),
  returned: new Set(),
  workers: new Set(),
  partial: new Map(),
});

/** The server keeps no parcel for longer than an hour. */
const FORGOTTEN_MS = 65 * 60_000;

/** The parcels that are out, by number, and how much work they are. */
export class OpenParcels {
  readonly #parcels = new Map<number, OpenParcel>();
  jobs = 0;
  milliseconds = 0;

  get size(): number {
    return this.#parcels.size;
  }

  get(id: number): OpenParcel | undefined {
    return this.#parcels.get(id);
  }

  has({ id }: OpenParcel): boolean {
    return this.#parcels.has(id);
  }

  /** How long ago the first of them was sent; 0 without any. */
  get oldestMs(): number {
    const [first] = this.#parcels.values();
    return first === undefined ? 0 : performance.now() - first.since;
  }

  /** The number of jobs that no worker has answered. */
  get unanswered(): number {
    return this.all().reduce((sum, parcel) => sum + openEntries(parcel).length, 0);
  }

  /**
   * Parcels that no worker will answer: the server has forgotten them, or they are in the queue of a pool without workers,
   * which stays as it is.
   *
   * @param served the pools with workers, if they are known
   * @param current the pool that new parcels are sent to
   */
  lost(served: readonly string[], current: string | undefined): readonly OpenParcel[] {
    const isServed = ({ pool }: OpenParcel) =>
      pool === current || served.length === 0 || served.includes(pool);
    return this.all().filter(
      (parcel) => !isServed(parcel) || performance.now() - parcel.since > FORGOTTEN_MS,
    );
  }

  add(parcel: OpenParcel): void {
    this.#parcels.set(parcel.id, parcel);
    this.jobs += parcel.entries.length;
    this.milliseconds += parcel.milliseconds;
  }

  delete(parcel: OpenParcel): boolean {
    if (!this.#parcels.delete(parcel.id)) return false;
    this.jobs -= parcel.entries.length;
    this.milliseconds -= parcel.milliseconds;
    return true;
  }

  /** A copy, so that parcels can be deleted meanwhile. */
  all(): readonly OpenParcel[] {
    return [...this.#parcels.values()];
  }
}

/** The jobs that no worker has answered. */
export const openEntries = ({ entries, returned }: OpenParcel): Entry[] =>
  entries.filter((entry) => !entry.settled && !returned.has(entry));

/** Notes which job a worker begins with: `at <index> <worker>`. */
export function noteTelling(parcel: OpenParcel, telling: string): void {
  const [, at, worker] = /^at (\d{1,6}) ([\w-]{1,64})$/.exec(telling) ?? [];
  if (worker === undefined) return;
  parcel.at = Number(at);
  parcel.begun.set(parcel.at, (parcel.begun.get(parcel.at) ?? 0) + 1);
  parcel.workers.add(worker);
}

/** The most parts of one answer. */
const MOST_PARTS = 512;
/** The most incomplete answers to one parcel: as many as the server hands it out. */
const MOST_PARTIAL = 4;

/**
 * Adds a part of an answer.
 *
 * @param part what the header says: `<answer>/<part>/<parts>`, or nothing, if it is the whole answer
 * @returns the whole answer, when all parts have arrived
 */
export function joinPart(parcel: OpenParcel, part: string, bytes: Uint8Array): Uint8Array | undefined {
  const [, answer, index, count] = /^([\w-]{1,32})\/(\d{1,3})\/(\d{1,3})$/.exec(part) ?? [];
  const [i, n] = [Number(index), Number(count)];
  if (answer === undefined || i >= n || n > MOST_PARTS) return bytes;
  let parts = parcel.partial.get(answer);
  if (parts === undefined) {
    const [oldest] = parcel.partial.keys();
    if (oldest !== undefined && parcel.partial.size === MOST_PARTIAL) parcel.partial.delete(oldest);
    parts = new Array(n).fill(undefined);
    parcel.partial.set(answer, parts);
  }
  // A copy, because the connection owns the memory.
  parts[i] = Buffer.from(bytes);
  if (parts.some((each) => each === undefined)) return undefined;
  parcel.partial.delete(answer);
  return Buffer.concat(parts as Uint8Array[]);
}
