// What is known of a job that went through a farm.

/** How a job travelled through a farm. */
export interface FarmInfo {
  /** The worker that compiled it, as `mm-ptx-farm status` prints it. */
  readonly worker: string;
  /** The pool of that worker, which all workers with the same machine code share. */
  readonly pool: string;
  /** The time from sending the job until the answer, without that in which the worker had it, in milliseconds. */
  readonly queuedMs: number;
  /** How often the server has handed the job to a worker: more than once if one died or was cut off. */
  readonly deliveries: number;
}
