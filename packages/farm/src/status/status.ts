// What workers and submitters say about themselves.

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
  /** How many such workers would finish these parcels in a tenth of a second, for scaling. */
  readonly wanted: number;
}
