// What workers and submitters say about themselves, and the check of what has arrived.

import { isCount, isObject } from "../frames/frame.js";
import { isToken } from "../names.js";
import { areWaits, type Waits } from "./waits.js";

/** The state of a worker; totals only grow. */
export interface WorkerStatus {
  readonly kind: "worker";
  readonly id: string;
  readonly host: string;
  readonly pool: string;
  readonly version: string;
  readonly cores: number;
  /** Whether its compile processes have given up files, the network and other processes. */
  readonly confined: boolean;
  /** Whether it takes no more parcels. */
  readonly draining: boolean;
  /** Jobs that it has taken and not finished. */
  readonly busy: number;
  readonly parcels: number;
  readonly jobs: number;
  readonly failed: number;
  /** Jobs that came from its cache. */
  readonly cached: number;
  /** Parcels that it received again. */
  readonly redelivered: number;
  /** Parcels that it has rejected. */
  readonly refused: number;
  /** Parcels whose submitter had gone. */
  readonly abandoned: number;
  /** The time of all its compiles in milliseconds. */
  readonly milliseconds: number;
  readonly crashes: number;
  readonly seconds: number;
}

/** The state of a submitter; totals only grow. */
export interface SubmitterStatus {
  readonly kind: "submitter";
  readonly name: string;
  readonly host: string;
  readonly pool: string;
  /** Jobs that are not in a parcel yet. */
  readonly queued: number;
  /** Parcels that have been sent and not yet answered. */
  readonly open: number;
  readonly remote: number;
  readonly local: number;
  readonly repeated: number;
  readonly resubmitted: number;
  readonly wrong: number;
  /** Jobs that it has compiled as well, to compare. */
  readonly compared: number;
  /** Workers whose answers it does not use. */
  readonly leftOut: readonly string[];
  /** How long its parcels of the last minute waited until a worker had them. */
  readonly waits: Waits;
  /** How long workers compiled for it in the last minute. */
  readonly milliseconds: number;
  /** How long ago it has sent the parcel that has been unanswered for the longest time; 0 without one. */
  readonly oldestMs: number;
}

/** The queue of a pool. */
export interface PoolStatus {
  readonly pool: string;
  readonly workers: number;
  readonly cores: number;
  /** Jobs that its workers have not finished. */
  readonly busy: number;
  /** Parcels that no worker has taken yet. */
  readonly waiting: number;
  /** Parcels that a worker has. */
  readonly taken: number;
  /** How many such workers would finish these parcels in 150 milliseconds, for scaling. */
  readonly wanted: number;
  /** The time within which half of the parcels of the last minute were taken; absent if there were none. */
  readonly waitP50Ms?: number | undefined;
  /** That within which 95 % of them were. */
  readonly waitP95Ms?: number | undefined;
  /** How long ago the parcel was sent that has been unanswered for the longest time. */
  readonly oldestMs: number;
}

/** A line for tables. */
const isLine = (value: unknown): boolean => typeof value === "string" && /^\P{Cc}{0,255}$/u.test(value);
/** Others choose a pool with their first job. */
const isPool = (value: unknown): boolean => value === "" || isToken(value);
const isTruth = (value: unknown): boolean => typeof value === "boolean";
const MOST_CORES = 1024;

type Fields<Status> = Readonly<Record<keyof Status, (value: unknown) => boolean>>;

const WORKER: Fields<WorkerStatus> = {
  kind: (value) => value === "worker",
  id: isToken,
  host: isLine,
  pool: isToken,
  version: isLine,
  cores: (value) => isCount(value) && value <= MOST_CORES,
  confined: isTruth,
  draining: isTruth,
  busy: isCount,
  parcels: isCount,
  jobs: isCount,
  failed: isCount,
  cached: isCount,
  redelivered: isCount,
  refused: isCount,
  abandoned: isCount,
  milliseconds: isCount,
  crashes: isCount,
  seconds: isCount,
};

const SUBMITTER: Fields<SubmitterStatus> = {
  kind: (value) => value === "submitter",
  name: isToken,
  host: isLine,
  pool: isPool,
  queued: isCount,
  open: isCount,
  remote: isCount,
  local: isCount,
  repeated: isCount,
  resubmitted: isCount,
  wrong: isCount,
  compared: isCount,
  leftOut: (value) => Array.isArray(value) && value.every(isToken),
  waits: areWaits,
  milliseconds: isCount,
  oldestMs: isCount,
};

const has = (value: unknown, fields: Fields<object>): boolean =>
  isObject(value) &&
  Object.entries<(value: unknown) => boolean>(fields).every(([name, is]) => is(value[name]));

export const isWorkerStatus = (value: unknown): value is WorkerStatus => has(value, WORKER);
export const isSubmitterStatus = (value: unknown): value is SubmitterStatus => has(value, SUBMITTER);
