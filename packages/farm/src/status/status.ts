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
  /** Jobs that it has and has not finished. */
  readonly busy: number;
  readonly parcels: number;
  readonly jobs: number;
  readonly failed: number;
  /** Jobs that came from its cache. */
  readonly cached: number;
  /** Parcels that it received again. */
  readonly redelivered: number;
  /** Parcels that it has refused. */
  readonly refused: number;
  /** Parcels whose submitter had gone. */
  readonly abandoned: number;
  /** The time of all its compiles in milliseconds. */
  readonly milliseconds: number;
  readonly crashes: number;
  readonly seconds: number;
}
