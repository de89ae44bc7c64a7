// What compiles PTX, seen from the compiler object. A backend takes one text and tells what became of it; streams, signals
// and error classes are not its business.

import type { Source } from "./job.js";
import type { BackendName } from "./options.js";
import type { Target } from "./target.js";

/** Why a text was not given to the compiler. */
export type RefusalReason = "empty" | "nul" | "non-ascii" | "long-token";

/** Where a cubin came from: a compile, an earlier one that was kept, or one of an equal job at the same time. */
export type Origin = "compiled" | "cache" | "duplicate";

/** What became of one compile. */
export type BackendOutcome =
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
  | { readonly kind: "timeout"; readonly milliseconds: number };

/** How a compile failed, as far as the backend itself can tell; the log says the rest. */
export type Failure =
  | { readonly is: "refused-by-compiler" }
  | { readonly is: "unsupported-version" }
  | { readonly is: "memory"; readonly how: string }
  | { readonly is: "crashed"; readonly how: string }
  | { readonly is: "internal"; readonly how: string };

/** One compile. */
export interface BackendJob {
  readonly source: Source;
  readonly target: Target;
  /** 0: none. Counts from the start of the compile. */
  readonly timeoutMs: number;
  /** Higher ones start first. */
  readonly priority: number;
}

/** What a backend does at the moment and has done; counts only grow. */
export interface BackendFigures {
  readonly queued: number;
  readonly running: number;
  readonly compiled: number;
  readonly failed: number;
  /** Of worker processes; zero where there are none. */
  readonly workersStarted: number;
  readonly workersCrashed: number;
  /** Ended because they outgrew `memoryLimit`. */
  readonly workersOutgrown: number;
  /** Replaced after many compiles, or because they kept much memory. */
  readonly workersRecycled: number;
  /** The most bytes that one of them had in memory. */
  readonly workerPeakBytes: number;
}

export interface Backend {
  readonly name: BackendName;
  /** Of the compiler, for example `13.0.88`. */
  readonly version: string;
  /**
   * Starts a compile, or queues it when all workers are busy. `done` is called once, in a later turn of the event loop,
   * unless the returned function forgot the job first.
   */
  start(job: BackendJob, done: (outcome: BackendOutcome) => void): () => void;
  /** Compiles and blocks until it is done, while what was started before goes on. */
  run(job: BackendJob): BackendOutcome;
  figures(): BackendFigures;
  /** Forgets every job and gives everything back. Twice without harm. */
  close(): void;
}
