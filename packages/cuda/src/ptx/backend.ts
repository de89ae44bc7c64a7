// The interface between the compiler object and the PTX compilers. A backend takes one text and reports the outcome;
// the compiler object handles streams, signals and error classes. `@mm-ptx/cuda/backend` exports it, for backends elsewhere.

import type { PtxCompileError } from "../error.js";
import type { Target } from "./code-options.js";
import type { FarmInfo } from "./farm-info.js";
import type { BackendName, ResolvedOptions } from "./options.js";
import type { Source } from "./source.js";

/** Why a text was not passed to the compiler. */
export type RefusalReason = "empty" | "nul" | "non-ascii" | "long-token";

/** The origin of a cubin: a new compile, an earlier one from the cache, or an equal job in flight. */
export type Origin = "compiled" | "cache" | "duplicate";

/** The outcome of a compile. */
export type BackendOutcome = {
  /** Only of a farm's worker. */
  readonly farm?: FarmInfo;
} & (
  | {
      readonly kind: "compiled";
      readonly cubin: Uint8Array;
      readonly log: string;
      readonly milliseconds: number;
      readonly from: Origin;
    }
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly log: string;
      readonly milliseconds: number;
    }
  | { readonly kind: "refused"; readonly reason: RefusalReason; readonly offset: number }
  | {
      readonly kind: "timeout";
      readonly milliseconds: number;
      /** Whether the time went into starting the compiler's process. */
      readonly starting?: boolean;
      /** The limit, if it is not the job's own but that of a farm's worker. */
      readonly limitMs?: number;
    }
);

/** How a compile failed, as far as the backend knows; the log has the rest. */
export type Failure =
  | { readonly is: "refused-by-compiler" }
  | { readonly is: "unsupported-version" }
  | { readonly is: "memory"; readonly how: string }
  | {
      readonly is: "crashed";
      readonly how: string;
      /** The signal by which the confinement ended it. */
      readonly confined?: string;
    }
  | { readonly is: "internal"; readonly how: string }
  /** The PTX can't be made from its recipe. */
  | { readonly is: "unmade"; readonly error: PtxCompileError }
  /** No compiler can be reached, though there was one when the backend was opened. */
  | { readonly is: "unavailable"; readonly how: string; readonly cause?: Error };

/** A compile. */
export interface BackendJob {
  readonly source: Source;
  readonly target: Target;
  /** Counted from the start of the compile; 0: no limit. */
  readonly timeoutMs: number;
  /** Higher priorities start first. */
  readonly priority: number;
  /** Whether a caller waits for this job alone, so that it comes before others of its priority. Default: `false`. */
  readonly isSingle?: boolean;
}

/** A backend's current state and totals; totals only grow. */
export interface BackendStats {
  readonly queued: number;
  readonly running: number;
  readonly compiled: number;
  readonly failed: number;
  /** The number of worker processes; zero for backends without them. */
  readonly workersStarted: number;
  readonly workersCrashed: number;
  /** Workers that were ended because they exceeded `memoryLimitBytes`. */
  readonly workersOutgrown: number;
  /** Workers that were replaced after many compiles, or because they kept much memory. */
  readonly workersRecycled: number;
  /** The peak memory of a worker in bytes. */
  readonly workerPeakBytes: number;
}

/** What compiles PTX for a `PtxCompiler`. */
export interface Backend {
  readonly name: BackendName;
  /** The compiler's version, for example `13.0.88`. */
  readonly version: string;
  /**
   * What distinguishes its machine code from that of all others, for the keys of the cache. Default: this machine's
   * architecture and `version`.
   */
  readonly identity?: string | undefined;
  /** Whether jobs whose PTX has a recipe arrive with it. Default: their PTX is made before. */
  readonly takesRecipes?: boolean | undefined;
  /** The number of jobs that a stream keeps in flight, read for each job. Default: 16 for each of the compiler's workers. */
  readonly window?: number | undefined;
  /**
   * Starts a compile, or queues it if all workers are busy. `done` is called once, in a later turn of the event loop,
   * unless the returned function cancels the job first.
   */
  start(job: BackendJob, done: (outcome: BackendOutcome) => void): () => void;
  /** Compiles and blocks until it is done, while earlier jobs continue. @throws PtxCompileError `UNAVAILABLE` if it can't */
  run(job: BackendJob): BackendOutcome;
  /** The jobs and workers so far. */
  stats(): BackendStats;
  /** Cancels every job and frees all resources. You can call it more than once. */
  close(): void;
}

/** Makes the backend of a compiler from its checked options. @throws PtxCompileError `UNAVAILABLE` */
export type OpenBackend = (options: ResolvedOptions) => Backend;
