// Compiles the jobs of parcels on the cores of this machine, within limits.

import { type BackendJob, type BackendOutcome, resolveOptions, type Source } from "@mm-ptx/cuda/backend";
import { TURN, turn } from "@mm-ptx/types/internal";
import type { Unmade } from "../frames/outcomes.js";
import type { Parcel } from "../frames/parcel.js";
import type { Addressee } from "./answers.js";
import type { WorkerBlobs } from "./blobs.js";
import { openSources } from "./sources.js";
import type { Tenants } from "./tenants.js";

type Target = BackendJob["target"];

const GUESS_MS = 3;
const WEIGHT = 0.2;
const TARGETS = 100;

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
  /** How long a job takes on one core. */
  #usual = GUESS_MS;
  readonly #targets = new Map<string, Target>();
  readonly #tenants: Tenants;
  readonly #blobs: WorkerBlobs;
  readonly #room: () => void;

  /** @param room called whenever a job is done */
  constructor(tenants: Tenants, blobs: WorkerBlobs, room: () => void) {
    this.#tenants = tenants;
    this.#blobs = blobs;
    this.#room = room;
  }

  /** About how long each core has work. */
  get left(): number {
    return this.busy * this.#usual;
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
      const target = this.#targetOf(parcel);
      const { timeoutMs } = parcel;
      const compile = (source: Source) =>
        new Promise<BackendOutcome>((resolve) => {
          const job = { source, target, timeoutMs, priority: 0 };
          this.#tenants.start(from.submitter, job, (outcome) => {
            this.jobs++;
            if (outcome.kind !== "compiled") this.failed++;
            else if (outcome.from !== "compiled") this.cached++;
            if ("milliseconds" in outcome) {
              this.milliseconds += outcome.milliseconds;
              this.#usual += WEIGHT * (outcome.milliseconds - this.#usual);
            }
            done(1);
            resolve(outcome);
          });
        });
      const outcomes: Promise<BackendOutcome | Unmade>[] = [];
      const make = await openSources(from.submitter, parcel, (blob) => this.#blobs.get(from, blob));
      let since = performance.now();
      for (const job of parcel.jobs) {
        if (performance.now() - since > TURN) {
          await turn();
          since = performance.now();
        }
        const source = make(job);
        outcomes.push(source === undefined ? Promise.resolve({ kind: "unmade" }) : compile(source));
      }
      return await Promise.all(outcomes);
    } finally {
      done(left);
    }
  }

  /** @throws PtxCompileError `INVALID_ARGUMENT` */
  #targetOf({ options }: Parcel): Target {
    const key = JSON.stringify(options);
    let target = this.#targets.get(key);
    if (target === undefined) {
      target = resolveOptions({ ...options, cache: false });
      if (this.#targets.size === TARGETS) this.#targets.clear();
      this.#targets.set(key, target);
    }
    return target;
  }
}
