// How long a submitter has had jobs without anybody to take them, and why.

import { FarmError } from "../error.js";
import type { ResolvedFarm } from "../options.js";
import type { Link } from "./link.js";

/** How long parcels wait for a worker before this machine compiles them. */
export const RESCUE_MS = 3_000;
/** Longer than it takes to find this machine's pool, to connect, and to receive what workers say. */
export const SOON_MS = 2_000;
/** Workers answer within this time, even to a process that is busy. */
const ANSWER_MS = 900;
/** A timer for that time may be early. */
const WARNED_MS = 0.9 * SOON_MS;

export class Alone {
  /** Why there is no connection, as far as that is known. */
  problem: FarmError | undefined;
  /** Why the server's queue takes no parcels. */
  refusal: FarmError | undefined;
  readonly #link: Link;
  readonly #farm: ResolvedFarm;
  #since: number | undefined;
  #upSince: number | undefined;
  readonly #warned = new Set<string>();

  constructor(link: Link, farm: ResolvedFarm) {
    this.#link = link;
    this.#farm = farm;
  }

  /** Milliseconds since jobs have waited without a worker; `undefined` if none waits, or a worker can take them. */
  milliseconds(waiting: number): number | undefined {
    if (this.#link.isUp) this.problem = undefined;
    this.#upSince = this.#link.isUp ? (this.#upSince ?? performance.now()) : undefined;
    const isServed = this.#link.isUp && this.#link.slots > 0 && this.refusal === undefined;
    this.#since = isServed || waiting === 0 ? undefined : (this.#since ?? performance.now());
    return this.#since && performance.now() - this.#since;
  }

  /** Whether jobs that only workers may compile have waited for long enough, or a wait changes nothing. */
  isOver(milliseconds: number): boolean {
    if (this.problem !== undefined && this.problem.code !== "UNREACHABLE") return true;
    if (milliseconds < this.#farm.patienceMs) return false;
    // Jobs may have waited for this machine's own compiler to be tested.
    return !this.#link.isUp || this.refusal !== undefined || this.#isAsked;
  }

  /** Whether workers have had time to answer. */
  get #isAsked(): boolean {
    return this.#upSince !== undefined && performance.now() - this.#upSince >= ANSWER_MS;
  }

  get why(): FarmError {
    const { isUp, pool, pools } = this.#link;
    if (!isUp)
      return (
        this.problem ??
        new FarmError("UNREACHABLE", `expected a server at ${this.#farm.servers.join(", ")}, found none yet`)
      );
    if (this.refusal !== undefined) return this.refusal;
    const others = pools.length === 0 ? "none that answered" : `workers of ${pools.join(", ")}`;
    const wanted = pool === undefined ? "workers" : `workers of the pool ${pool}`;
    return new FarmError("NO_WORKERS", `expected ${wanted}, found ${others}`);
  }

  /**
   * Warns once that no worker takes jobs.
   *
   * @param milliseconds how long they have waited
   * @param helps whether this machine compiles them, or soon will
   */
  warn(milliseconds: number, helps: boolean): void {
    const isExplained = this.problem !== undefined || this.refusal !== undefined;
    // An attempt to connect ends with a problem or with a connection, on which workers answer.
    const isSoon = helps ? milliseconds < RESCUE_MS : milliseconds < WARNED_MS || !this.#isAsked;
    if (!isExplained && isSoon) return;
    const { message } = this.why;
    if (helps) this.#warn("MM_PTX_FARM_ALONE", `this machine compiles alone: ${message}`);
    else {
      const seconds = Math.round(this.#farm.patienceMs / 1000);
      this.#warn("MM_PTX_FARM_WAITING", `jobs wait up to ${seconds} s for the farm: ${message}`);
    }
  }

  #warn(code: string, text: string): void {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    process.emitWarning(text, { code });
  }
}
