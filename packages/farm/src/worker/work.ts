// Compiles the jobs of parcels on the cores of this machine, within limits.

import { type BackendOutcome, resolveOptions, type Source } from "@mm-ptx/cuda/backend";
import type { PtxTemplate } from "@mm-ptx/types/core";
import { wrong } from "../frames/frame.js";
import { LONGEST_PTX, type Parcel, type ParcelJob } from "../frames/parcel.js";
import type { Addressee } from "./answers.js";
import type { WorkerBlobs } from "./blobs.js";
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

  /** @throws FarmError `FRAME` for what it does not take, PtxCompileError for options, Error if a template does not come */
  async compile(from: Addressee, parcel: Parcel): Promise<BackendOutcome[]> {
    this.busy += parcel.jobs.length;
    let left = parcel.jobs.length;
    const done = (jobs: number): void => {
      left -= jobs;
      this.busy -= jobs;
      this.#room();
    };
    try {
      const target = resolveOptions({ ...parcel.options, cache: false });
      const template = parcel.setup && (await this.#blobs.template(from, parcel.setup));
      const sources = await Promise.all(parcel.jobs.map((job) => this.#source(from, job, template)));
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
      return await Promise.all(sources.map(compile));
    } finally {
      done(left);
    }
  }

  async #source(from: Addressee, job: ParcelJob, template: PtxTemplate | undefined): Promise<Source> {
    if (job instanceof Uint8Array) return short(job);
    if ("hash" in job) {
      if (job.bytes > LONGEST_PTX) throw wrong(`PTX of at most ${LONGEST_PTX} bytes`, `${job.bytes}`);
      return this.#blobs.get(from, job);
    }
    if (template === undefined) throw wrong("a template for stubs", "none");
    if (job.length !== template.names.length) throw wrong(`${template.names.length} stubs`, `${job.length}`);
    return { template, stubs: job };
  }
}

function short(ptx: Uint8Array): Uint8Array {
  if (ptx.length > LONGEST_PTX) throw wrong(`PTX of at most ${LONGEST_PTX} bytes`, `${ptx.length}`);
  return ptx;
}
