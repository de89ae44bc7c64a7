// What a run reports.
import type { Additions } from "../archives/archive.js";
import type { Scores } from "../candidates.js";
import type { ScreenReport } from "../screening/screening.js";
import type { Batch } from "./batch.js";

/** A batch that was scored and added to the archive. Its objects are valid until the next event. */
export interface BatchEvent {
  readonly type: "batch";
  readonly batch: Batch;
  readonly scores: Scores;
  readonly additions: Additions;
  /** How many candidates were evaluated in this batch, and in total so far. */
  readonly evaluated: number;
  readonly evaluations: number;
  /** How many failed, by the code of the failure. */
  readonly failures: Readonly<Record<string, number>>;
  /** The number of elites in the archive, the greatest objective, and what `Archive` says of both. */
  readonly elites: number;
  readonly best: number | undefined;
  readonly qdScore: number;
  /** The share of the cells that have an elite, for archives with cells. */
  readonly coverage: number | undefined;
  /** The predicted and the actual values, if the search has a `screen` and candidates were evaluated. */
  readonly screen: ScreenReport | undefined;
  /** Seconds since the run began. */
  readonly seconds: number;
}

/**
 * Why a run ended: the limit that it reached, `target` if the best objective reached it, `aborted` by the signal, or `exhausted` if no
 * emitter had anything left to try.
 */
export type EndReason = "seconds" | "evaluations" | "batches" | "target" | "aborted" | "exhausted";

/** The last event of a run. */
export interface EndEvent {
  readonly type: "end";
  readonly reason: EndReason;
}

/** What a run yields. */
export type SearchEvent = BatchEvent | EndEvent;
