// What a compiler of a farm says about the farm, and to it.

import { hostname } from "node:os";
import type { SubmitterStatus } from "../status/status.js";

/** What the farm did for a compiler; totals only grow. */
export interface FarmFigures {
  readonly connected: boolean;
  /** The pool that compiles for it; `undefined` until it is known. */
  readonly pool: string | undefined;
  /** The cores of the pool's workers. */
  readonly slots: number;
  /** Parcels that are out. */
  readonly open: number;
  readonly parcels: number;
  /** Jobs that workers have done. */
  readonly remote: number;
  /** Jobs that this machine has done. */
  readonly local: number;
  /** Answers that had been given before, and were dropped. */
  readonly repeated: number;
  /** Jobs that were sent again. */
  readonly resubmitted: number;
  /** Answers that were not what the jobs ask for. */
  readonly wrong: number;
}

export function submitterStatus(name: string, queued: number, figures: FarmFigures): SubmitterStatus {
  const { pool = "", open, remote, local, repeated, resubmitted, wrong } = figures;
  return {
    kind: "submitter",
    name,
    host: hostname(),
    pool,
    queued,
    open,
    remote,
    local,
    repeated,
    resubmitted,
    wrong,
  };
}
