// Which pool compiles for a submitter: that of its own compiler, the one that it names, or the newest.

import type { Backend } from "@mm-ptx/cuda/backend";
import { NEWEST, type ResolvedFarm } from "../options.js";
import { knownPool, versionOf } from "../pool/canary.js";
import type { WorkerStatus } from "../status/status.js";

type Member = Pick<WorkerStatus, "pool" | "cores" | "seconds">;

interface Pool {
  readonly name: string;
  slots: number;
  /** How many seconds its oldest worker has been running. */
  age: number;
}

export class PoolChoice {
  /** The pool that new parcels are sent to; `undefined` until it is known. */
  current: string | undefined;
  /** How many kernels this machine has compiled to find out what machine code it makes. */
  compiles = 0;
  readonly #wanted: string | undefined;
  readonly #local: Backend | undefined;
  #own: string | undefined;

  constructor({ pool }: Pick<ResolvedFarm, "pool">, local: Backend | undefined) {
    this.#wanted = pool;
    this.#local = local;
    if (pool !== undefined && pool !== NEWEST) this.current = pool;
  }

  /** Whether this machine makes the machine code of the pool; `undefined` until that is known. */
  get fits(): boolean | undefined {
    if (this.#wanted === undefined) return true;
    return this.#own === undefined || this.current === undefined ? undefined : this.#own === this.current;
  }

  /** For keys of the cache; `undefined` for the machine code of this machine. */
  get identity(): string | undefined {
    return this.#wanted === undefined ? undefined : `farm ${this.current ?? NEWEST}`;
  }

  get version(): string {
    if (this.#wanted === undefined || this.current === undefined) return this.#local?.version ?? "unknown";
    return versionOf(this.current);
  }

  /**
   * Finds out which machine code this machine makes. @throws FarmError `NO_COMPILER` if the pool depends on
   * that
   */
  async open(): Promise<void> {
    if (this.#local === undefined || this.#own !== undefined) return;
    try {
      const { pool, compiles } = await knownPool(this.#local);
      this.#own = pool;
      this.compiles += compiles;
    } catch (error) {
      // A compiler that can't be tested is not used.
      if (this.#wanted !== undefined) return;
      throw error;
    }
    if (this.#wanted === undefined) this.current = this.#own;
  }

  /** Chooses a pool by its workers. @returns whether the pool has changed */
  follow(workers: Iterable<Member>): boolean {
    if (this.#wanted !== NEWEST) return false;
    const pools = this.#sorted(workers);
    const now = pools.find(({ name }) => name === this.current);
    const next = pools.find((each, i) => {
      const older = pools.slice(i + 1).reduce((sum, { slots }) => sum + slots, 0);
      return each.slots >= older;
    });
    if (next === undefined || next === now) return false;
    // Go back to an older one only if no other pool has workers.
    if (now !== undefined && !isUpgrade(next, now)) return false;
    this.current = next.name;
    return true;
  }

  /** Chooses the machine code of this machine, because no worker is there. */
  settle(): void {
    this.current ??= this.#own;
  }

  /** Newest first. */
  #sorted(workers: Iterable<Member>): Pool[] {
    const pools = new Map<string, Pool>();
    for (const { pool: name, cores, seconds } of workers) {
      const pool = pools.get(name) ?? { name, slots: 0, age: 0 };
      pool.slots += cores;
      pool.age = Math.max(pool.age, seconds);
      pools.set(name, pool);
    }
    const rank = ({ name }: Pool): number => (hostOf(name) === process.arch ? 0 : 1);
    return [...pools.values()].sort(
      (a, b) => compareVersions(b.name, a.name) || rank(a) - rank(b) || a.age - b.age,
    );
  }
}

/** The processor in the name of a pool. */
const hostOf = (pool: string): string | undefined => pool.split("-")[1];

/** Pools with the same version for different processors are not upgrades of each other. */
function isUpgrade(to: Pool, from: Pool): boolean {
  const order = compareVersions(to.name, from.name);
  return order > 0 || (order === 0 && hostOf(to.name) === hostOf(from.name) && to.age < from.age);
}

function compareVersions(a: string, b: string): number {
  const numbers = (pool: string) => pool.split("-")[0]!.match(/\d+/g)?.map(Number) ?? [];
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = (left[i] ?? 0) - (right[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
