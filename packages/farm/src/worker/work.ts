// Compiles the jobs of parcels on the cores of this machine, within limits.

import { type BackendOutcome, resolveOptions, type Source } from "@mm-ptx/cuda/backend";
import type { Unmade } from "../frames/outcomes.js";
import type { Parcel } from "../frames/parcel.js";
import type { Addressee } from "./answers.js";
import type { WorkerBlobs } from "./blobs.js";
import { sourcesOf } from "./sources.js";
import type { Tenants } from "./tenants.js";

export class ParcelWork {
  /** Jobs that are done. */
  jobs = 0;
  failed = 0;
  /** Jobs that came from the cache. */
  cached = 0;
  /** The time of all compiles. */
  milliseconds = 0;
  /** Jobs that are not done. */
  busy = 0;
  readonly #tenants: Tenants;
  readonly #blobs: WorkerBlobs;
  readonly #room: () => void;

  /** @param room called whenever a job is done */
  constructor(tenants: Tenants, blobs: WorkerBlobs, room: () => void) {
    this.#tenants = tenants;
    this.#blobs = blobs;
    this.#room = room;
  }

  /** @throws FarmError `FRAME` for what it does not take, PtxCompileError for options, Error if a setup does not come */
  async compile(from: Addressee, parcel: Parcel): Promise<(BackendOutcome | Unmade)[]> {
    this.busy += parcel.jobs.length;
    let left = parcel.jobs.length;
    const done = (jobs: number): void => {
      left -= jobs;
      this.busy -= jobs;
      this.#room();
    };
    try {
      const target = resolveOptions({ ...parcel.options, cache: false });
      const { timeoutMs } = parcel;
      const compile = (source: Source) =>
        new Promise<BackendOutcome>((resolve) => {
          const job = { source, target, timeoutMs, priority: 0 };
          this.#tenants.start(from.submitter, job, (outcome) => {
            this.jobs++;
            if (outcome.kind !== "compiled") this.failed++;
            else if (outcome.from !== "compiled") this.cached++;
            if ("milliseconds" in outcome) this.milliseconds += outcome.milliseconds;
            done(1);
            resolve(outcome);
          });
        });
      const outcomes: Promise<BackendOutcome | Unmade>[] = [];
      for await (const source of sourcesOf(from.submitter, parcel, (blob) => this.#blobs.get(from, blob)))
        outcomes.push(source === undefined ? Promise.resolve({ kind: "unmade" }) : compile(source));
      return await Promise.all(outcomes);
    } finally {
      done(left);
    }
  }
}
