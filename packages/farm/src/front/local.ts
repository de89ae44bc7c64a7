// The part of a submitter's jobs that this machine compiles.

import { PtxCompileError } from "@mm-ptx/cuda";
import {
  type Backend,
  type BackendJob,
  type BackendOutcome,
  localBackend,
  type resolveOptions,
} from "@mm-ptx/cuda/backend";
import type { ResolvedFarm } from "../options.js";
import type { Entry } from "./queue.js";

/** Jobs for each worker process that the compiler has at a time. */
const AHEAD = 2;

type Options = ReturnType<typeof resolveOptions>;

/**
 * This machine's compiler; `undefined` if it has none and the pool is named. Unless the options name a backend, it is one that
 * workers have, so that a machine with the same compilers as a worker makes the same machine code.
 *
 * @throws PtxCompileError `UNAVAILABLE`
 */
export function openLocal(farm: ResolvedFarm, options: Options): Backend | undefined {
  try {
    if (options.backend !== "auto") return localBackend(options);
    try {
      return localBackend({ ...options, needsWorkers: true });
    } catch {
      return localBackend(options);
    }
  } catch (error) {
    if (farm.pool === undefined) throw error;
    return undefined;
  }
}

/** The error of a call that blocks, if this machine may not compile its job. */
export const blockingCall = ({ target }: BackendJob): PtxCompileError =>
  new PtxCompileError(
    "UNAVAILABLE",
    "expected a compiler of this machine for a call that blocks, found one that leaves all jobs to a farm: use `compile`",
    { options: target, what: "farm" },
  );

export class LocalWork {
  readonly backend: Backend;
  /** Jobs that are done. */
  done = 0;
  readonly #workers: number;
  readonly #settle: (entry: Entry, outcome: BackendOutcome) => void;
  readonly #freed: () => void;
  #running = 0;

  /** @param freed called when it has room for another job */
  constructor(
    backend: Backend,
    workers: number,
    settle: (entry: Entry, outcome: BackendOutcome) => void,
    freed: () => void,
  ) {
    this.backend = backend;
    this.#workers = workers;
    this.#settle = settle;
    this.#freed = freed;
  }

  get hasRoom(): boolean {
    return this.#running < AHEAD * this.#workers;
  }

  start(entry: Entry): void {
    this.#running++;
    const cancel = this.backend.start(entry.job, (outcome) => {
      this.#running--;
      this.done++;
      this.#settle(entry, outcome);
      this.#freed();
    });
    entry.cancel = () => {
      cancel();
      this.#running--;
      this.#freed();
    };
  }
}
