// Compiles the jobs of parcels on the cores of this machine, within limits.

import { type BackendJob, type BackendOutcome, resolveOptions } from "@mm-ptx/cuda/backend";
import { TURN, turn } from "@mm-ptx/types/internal";
import type { Unmade } from "../frames/outcomes.js";
import type { Parcel } from "../frames/parcel.js";
import type { Addressee } from "./answers.js";
import type { WorkerBlobs } from "./blobs.js";
import type { Running } from "./running.js";
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
  /** Jobs that are done or were ended. */
  #finished = 0;
  /** When a core last began or finished a job. */
  #moved = 0;
  readonly #targets = new Map<string, Target>();
  readonly #tenants: Tenants;
  readonly #blobs: WorkerBlobs;
  readonly #cores: number;
  readonly #timeoutLimitMs: number;
  readonly #room: () => void;

  /**
   * @param cores how many jobs are compiled at a time
   * @param timeoutLimitMs how long a job may compile, whatever its submitter allows; 0: no limit
   * @param room called whenever a job is done
   */
  constructor(tenants: Tenants, blobs: WorkerBlobs, cores: number, timeoutLimitMs: number, room: () => void) {
    this.#tenants = tenants;
    this.#blobs = blobs;
    this.#cores = cores;
    this.#timeoutLimitMs = timeoutLimitMs;
    this.#room = room;
  }

  /** About how long each core has work. */
  get left(): number {
    return this.busy * this.#usual;
  }

  get hasIdleCore(): boolean {
    return this.busy < this.#cores;
  }

  /** How long all cores have been at the jobs that they have; 0 if one is idle. */
  get stillMs(): number {
    return this.hasIdleCore ? 0 : performance.now() - this.#moved;
  }

  /**
   * @param running ends the compiles; the promise is then rejected with its reason
   * @throws FarmError `FRAME` for what it does not take, PtxCompileError for options, Error if a setup does not come
   */
  async compile(from: Addressee, parcel: Parcel, running: Running): Promise<(BackendOutcome | Unmade)[]> {
    const { jobs } = parcel;
    running.hasBegun = this.#beginning();
    this.busy += jobs.length;
    let left = jobs.length;
    const outcomes: (BackendOutcome | Unmade)[] = new Array(left);
    const cancels: ((() => void) | undefined)[] = new Array(left);
    let end = (): void => {};
    const ended = new Promise<void>((resolve, reject) => {
      end = resolve;
      running.whenEnded(reject);
    });
    // It may be rejected while something else is awaited.
    ended.catch(() => {});
    const done = (at: number, outcome: BackendOutcome | Unmade): void => {
      outcomes[at] = outcome;
      cancels[at] = undefined;
      this.#finish(1);
      if (--left === 0) end();
    };
    try {
      const target = this.#targetOf(parcel);
      const timeoutMs = this.#timeoutOf(parcel);
      const make = await openSources(from.submitter, parcel, (blob) => this.#blobs.get(from, blob));
      let since = performance.now();
      for (const [at, job] of jobs.entries()) {
        if (performance.now() - since > TURN) {
          await turn();
          running.throwIfEnded();
          since = performance.now();
        }
        const source = make(job);
        if (source === undefined) {
          done(at, { kind: "unmade" });
          continue;
        }
        const compiled = { source, target, timeoutMs, priority: 0 };
        cancels[at] = this.#tenants.start(from.submitter, compiled, (outcome) => {
          this.#count(outcome);
          const isOwnLimit = outcome.kind === "timeout" && timeoutMs !== parcel.timeoutMs;
          done(at, isOwnLimit ? { ...outcome, limitMs: timeoutMs } : outcome);
        });
      }
      if (left > 0) await ended;
      return outcomes;
    } finally {
      for (const cancel of cancels) cancel?.();
      if (left > 0) this.#finish(left);
    }
  }

  #count(outcome: BackendOutcome): void {
    this.jobs++;
    if (outcome.kind !== "compiled") this.failed++;
    else if (outcome.from !== "compiled") this.cached++;
    if (!("milliseconds" in outcome)) return;
    this.milliseconds += outcome.milliseconds;
    this.#usual += WEIGHT * (outcome.milliseconds - this.#usual);
  }

  #finish(jobs: number): void {
    this.busy -= jobs;
    this.#finished += jobs;
    this.#moved = performance.now();
    this.#room();
  }

  /** Whether a core has begun with a job that comes now: jobs are begun in their order. */
  #beginning(): () => boolean {
    if (this.busy < this.#cores) {
      this.#moved = performance.now();
      return () => true;
    }
    const first = this.#finished + this.busy - this.#cores + 1;
    return () => this.#finished >= first;
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
