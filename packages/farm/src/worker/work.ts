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
  readonly #timeoutLimitMs: number;
  readonly #room: () => void;

  /**
   * @param timeoutLimitMs how long a job may compile, whatever its submitter allows; 0: no limit
   * @param room called whenever a job is done
   */
  constructor(tenants: Tenants, blobs: WorkerBlobs, timeoutLimitMs: number, room: () => void) {
    this.#tenants = tenants;
    this.#blobs = blobs;
    this.#timeoutLimitMs = timeoutLimitMs;
    this.#room = room;
  }

  /** About how long each core has work. */
  get left(): number {
    return this.busy * this.#usual;
  }

  /**
   * @param signal ends the compiles; the promise is then rejected with its reason
   * @throws FarmError `FRAME` for what it does not take, PtxCompileError for options, Error if a setup does not come
   */
  async compile(from: Addressee, parcel: Parcel, signal: AbortSignal): Promise<(BackendOutcome | Unmade)[]> {
    this.busy += parcel.jobs.length;
    let left = parcel.jobs.length;
    const cancels = new Set<() => void>();
    const done = (jobs: number): void => {
      left -= jobs;
      this.busy -= jobs;
      this.#room();
    };
    try {
      const target = this.#targetOf(parcel);
      const timeoutMs = this.#timeoutOf(parcel);
      const compile = (source: Source) =>
        new Promise<BackendOutcome>((resolve) => {
          const job = { source, target, timeoutMs, priority: 0 };
          const cancel = this.#tenants.start(from.submitter, job, (outcome) => {
            cancels.delete(cancel);
            this.jobs++;
            if (outcome.kind !== "compiled") this.failed++;
            else if (outcome.from !== "compiled") this.cached++;
            if ("milliseconds" in outcome) {
              this.milliseconds += outcome.milliseconds;
              this.#usual += WEIGHT * (outcome.milliseconds - this.#usual);
            }
            done(1);
            const isOwnLimit = outcome.kind === "timeout" && timeoutMs !== parcel.timeoutMs;
            resolve(isOwnLimit ? { ...outcome, limitMs: timeoutMs } : outcome);
          });
          cancels.add(cancel);
        });
      const outcomes: Promise<BackendOutcome | Unmade>[] = [];
      const make = await openSources(from.submitter, parcel, (blob) => this.#blobs.get(from, blob));
      let since = performance.now();
      for (const job of parcel.jobs) {
        if (performance.now() - since > TURN) {
          await turn();
          signal.throwIfAborted();
          since = performance.now();
        }
        const source = make(job);
        outcomes.push(source === undefined ? Promise.resolve({ kind: "unmade" }) : compile(source));
      }
      return await Promise.race([Promise.all(outcomes), abortOf(signal)]);
    } finally {
      for (const cancel of cancels) cancel();
      done(left);
    }
  }

  /** The limit of each job: the submitter's, but at most this worker's. */
  #timeoutOf({ timeoutMs }: Parcel): number {
    const most = this.#timeoutLimitMs;
    if (most === 0 || timeoutMs === 0) return most || timeoutMs;
    return Math.min(most, timeoutMs);
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

/** Rejects when the signal is aborted, or if it has been. */
async function abortOf(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
