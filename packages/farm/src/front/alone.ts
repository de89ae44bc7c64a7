// For how long a submitter has had jobs and no worker for them, and why.

import type { FarmError } from "../error.js";
import type { Link } from "./link.js";

export class Alone {
  /** Why there is no connection, as far as that is known. */
  problem: FarmError | undefined;
  readonly #link: Link;
  #since = 0;
  #hasWarned = false;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Milliseconds since jobs have waited without a worker; 0 if none waits, or a worker can take them. */
  milliseconds(waiting: number): number {
    const isServed = this.#link.isUp && this.#link.slots > 0;
    if (isServed || waiting === 0) this.#since = 0;
    else this.#since ||= performance.now();
    return this.#since === 0 ? 0 : performance.now() - this.#since;
  }

  get why(): string {
    const { isUp, pool, pools } = this.#link;
    if (!isUp) return this.problem?.message ?? "expected a connection to the server of the farm, found none";
    const others = pools.length === 0 ? "no workers" : `workers of ${pools.join(", ")}`;
    return `expected workers of the pool ${pool}, found ${others}`;
  }

  /** Warns once. */
  warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`this machine compiles alone: ${this.why}`, { code: "MM_PTX_FARM_ALONE" });
  }
}
