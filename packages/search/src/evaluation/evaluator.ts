// Evaluators, which score candidates.
import type { Check } from "@mm-ptx/types/internal";
import type { Additions, Archive } from "../archives/archive.js";
import type { Candidates, Scores } from "../candidates.js";
import { hasMethods } from "../options.js";
import type { PartState, Plain } from "../plain.js";

/**
 * What evaluators measured, such as times: data of a run, which keeps them, and returns them when a batch is repeated. An evaluator has a
 * name among those of the search, and keeps one array for each batch at most.
 */
export interface Measurements {
  /** What the evaluator kept when this batch was evaluated before; undefined for a batch that is new. */
  find(evaluator: string, batch: number): Float64Array | undefined;
  /** Keeps what was measured in a batch. */
  keep(evaluator: string, batch: number, values: Float64Array): void;
}

/** What an evaluator may use besides the candidates. */
export interface Evaluation {
  /** The archive that the candidates will be added to. It does not change during an evaluation. */
  readonly archive: Archive;
  /** The seed of the search and the number of the batch, for random decisions. */
  readonly seed: number;
  readonly batch: number;
  /** Is aborted when nobody waits for the scores any more. */
  readonly signal?: AbortSignal | undefined;
  /** Where evaluators whose scores are measured keep them; undefined for searches that are not recorded. */
  readonly measurements?: Measurements | undefined;
}

/** A batch whose scores have entered the archive that its candidates were made from. */
export interface EvaluatedBatch {
  readonly candidates: Candidates;
  readonly scores: Scores;
  readonly additions: Additions;
}

/** Scores candidates. Evaluations of a search never overlap. */
export interface Evaluator {
  /** What determines the scores, for the description of a run. */
  readonly description: Plain;
  /** The names of the measures, one for each axis. */
  readonly measures: readonly string[];
  /** The codes of failures, such as `NOT_FINITE`: see `Scores.status`. */
  readonly failures: readonly string[];
  /** The number of cases, if candidates have errors in single cases. */
  readonly cases?: number | undefined;
  /** How many times as many candidates it wants as should be evaluated; the default is 1. */
  readonly excess?: number | undefined;
  /**
   * Does what needs neither the archive nor other threads, before `evaluate` is called with the same candidates. The candidates before may
   * still be in evaluation.
   */
  prepare?(candidates: Candidates): void;
  /**
   * Scores all candidates of a batch. It may overwrite constants in the words of their genomes, but not change their length. Scores are
   * valid until the next call.
   */
  evaluate(candidates: Candidates, evaluation: Evaluation): Scores | Promise<Scores>;
  /**
   * Learns from the last evaluation. It is called when the scores enter the archive, before the next batch is evaluated: an evaluation that
   * was aborted is repeated, and what it did must not change the scores. An evaluator in `tiers` gets the scores of all tiers.
   */
  learn?(batch: EvaluatedBatch): void;
  /** What the evaluator has learned, if it learns. */
  state?(): PartState;
  /** Continues from a state. @throws SearchError FILE_FORMAT if it is not the state of such an evaluator */
  restore?(state: PartState): void;
}

/** The failure of candidates that were not fully evaluated, because they did badly on a part of the rows or in an earlier tier. */
export const SCREENED = "SCREENED";

export const isEvaluator: Check = hasMethods("an evaluator such as `columnsEvaluator(options)`", "evaluate");
