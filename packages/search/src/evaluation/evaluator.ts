// What says how good candidates are.
import type { Candidates, Scores } from "../candidates.js";
import type { Plain } from "../plain.js";

/** Scores candidates. */
export interface Evaluator {
  /** What determines the scores, for the description of a run. */
  readonly description: Plain;
  /** The names of the measures, one for each axis. */
  readonly measures: readonly string[];
  /** The codes of failures, such as `NOT_FINITE`: see `Scores.status`. */
  readonly failures: readonly string[];
  /** The number of cases, if candidates have errors in single cases. */
  readonly cases?: number | undefined;
  /**
   * Scores all candidates of a batch. It may overwrite constants in the words of their genomes, but not change their length. Scores are
   * valid until the next call.
   */
  evaluate(candidates: Candidates, signal?: AbortSignal): Scores | Promise<Scores>;
}
