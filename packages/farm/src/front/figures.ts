// What a farm's compiler reports about the farm, and to it.

import { hostname } from "node:os";
import type { BackendStats } from "@mm-ptx/cuda/backend";
import type { FarmFigures } from "../figures.js";
import type { SubmitterStatus } from "../status/status.js";
import type { Link } from "./link.js";
import type { Recent } from "./recent.js";
import type { Verifier } from "./verify.js";

/** What a front counts; totals only grow. */
export const newCounts = () => ({
  parcels: 0,
  bytes: 0,
  remote: 0,
  repeated: 0,
  resubmitted: 0,
  wrong: 0,
  /** Jobs of workers that did not compile. */
  failed: 0,
});

export function figuresOf(
  { failed: _, ...counts }: ReturnType<typeof newCounts>,
  state: Pick<FarmFigures, "open" | "local">,
  { isUp: connected, pool, slots }: Pick<Link, "isUp" | "pool" | "slots">,
  { compared = 0, leftOut = [] }: Partial<Pick<Verifier, "compared" | "leftOut">> = {},
): FarmFigures {
  return { connected, pool, slots, ...state, ...counts, compared, leftOut };
}

export function submitterStatus(
  name: string,
  queued: number,
  figures: FarmFigures,
  recent: Recent,
  oldestMs: number,
): SubmitterStatus {
  const { pool = "", open, remote, local, repeated, resubmitted, wrong, compared, leftOut } = figures;
  const { waits, milliseconds } = recent.figures();
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
    compared,
    leftOut,
    waits,
    milliseconds: Math.round(milliseconds),
    oldestMs: Math.round(oldestMs),
  };
}

/** Jobs of the farm. */
interface Remote {
  readonly queued: number;
  readonly running: number;
  readonly remote: number;
  readonly failed: number;
}

/**
 * The statistics of a compiler whose jobs are done by this machine and a farm.
 *
 * @param others compiles of this machine that were not jobs, and how many of them failed
 */
export const joinedStats = (
  local: BackendStats | undefined,
  others: readonly [compiled: number, failed: number],
  { queued, running, remote, failed }: Remote,
): BackendStats => ({
  queued: queued + (local?.queued ?? 0),
  running: running + (local?.running ?? 0),
  compiled: remote - failed + (local === undefined ? 0 : local.compiled - others[0]),
  failed: failed + (local === undefined ? 0 : local.failed - others[1]),
  workersStarted: local?.workersStarted ?? 0,
  workersCrashed: local?.workersCrashed ?? 0,
  workersOutgrown: local?.workersOutgrown ?? 0,
  workersRecycled: local?.workersRecycled ?? 0,
  workerPeakBytes: local?.workerPeakBytes ?? 0,
});
