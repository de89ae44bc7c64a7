// How long a submitter has had jobs without anybody to take them, and why.

import { FarmError } from "../error.js";
import type { Link } from "./link.js";

export class Alone {
  /** Why there is no connection, as far as that is known. */
  problem: FarmError | undefined;
  /** Why the server's queue takes no parcels. */
  refusal: FarmError | undefined;
  readonly #link: Link;
  #since: number | undefined;
  #hasWarned = false;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Milliseconds since jobs have waited without a worker; 0 if none waits, or a worker can take them. */
  milliseconds(waiting: number): number {
    const isServed = this.#link.isUp && this.#link.slots > 0 && this.refusal === undefined;
    this.#since = isServed || waiting === 0 ? undefined : (this.#since ?? performance.now());
    return this.#since === undefined ? 0 : performance.now() - this.#since;
  }

  /** Whether the reason is known, and more than that no worker has answered yet. */
  get isExplained(): boolean {
    return this.problem !== undefined || this.refusal !== undefined;
  }

  get why(): FarmError {
    const { isUp, pool, pools } = this.#link;
    if (!isUp)
      return (
        this.problem ??
        new FarmError("UNREACHABLE", "expected a connection to the server of the farm, found none")
      );
    if (this.refusal !== undefined) return this.refusal;
    const others = pools.length === 0 ? "no workers" : `workers of ${pools.join(", ")}`;
    const wanted = pool === undefined ? "workers" : `workers of the pool ${pool}`;
    return new FarmError("NO_WORKERS", `expected ${wanted}, found ${others}`);
  }

  /** Warns once. */
  warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`this machine compiles alone: ${this.why.message}`, { code: "MM_PTX_FARM_ALONE" });
  }
}
