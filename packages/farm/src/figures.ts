// What a compiler tells about its farm.

/** What the farm did for a compiler; totals only grow. */
export interface FarmFigures {
  readonly connected: boolean;
  /** The pool that compiles for it; `undefined` until it is known. */
  readonly pool: string | undefined;
  /** The cores of the pool's workers. */
  readonly slots: number;
  /** Parcels that have been sent and not yet answered. */
  readonly open: number;
  readonly parcels: number;
  /** The total size of all parcels, in bytes. */
  readonly bytes: number;
  /** Jobs that workers have done. */
  readonly remote: number;
  /** Jobs that this machine has done. */
  readonly local: number;
  /** Answers that had already arrived, and were dropped. */
  readonly repeated: number;
  /** Jobs that were sent again. */
  readonly resubmitted: number;
  /** Answers that did not match their jobs. */
  readonly wrong: number;
  /** Jobs that this machine has compiled as well, to compare; see the option `verify`. */
  readonly compared: number;
  /** Workers whose answers are no longer used, because one of them differed from this machine's. */
  readonly leftOut: readonly string[];
}
