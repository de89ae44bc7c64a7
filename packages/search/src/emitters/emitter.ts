// What makes candidates.
import type { Additions, Archive } from "../archives/archive.js";
import type { Candidates, Scores } from "../candidates.js";
import type { Draws } from "../draws.js";
import type { PartState, Plain } from "../plain.js";
import type { Space } from "../spaces/space.js";

/** What an emitter makes candidates of. */
export interface Emission {
  readonly space: Space;
  readonly archive: Archive;
  /** Begins the random numbers of the next candidate of the batch, which `draws` returns from then on. */
  next(): Draws;
  /** Random numbers of the whole batch, which do not depend on how many candidates there are. */
  readonly batchDraws: Draws;
}

/** What became of an emitter's candidates: those from `first` up to `end` of a batch. */
export interface Feedback {
  readonly space: Space;
  readonly archive: Archive;
  readonly candidates: Candidates;
  readonly scores: Scores;
  readonly additions: Additions;
  readonly first: number;
  readonly end: number;
  /** The serial number of the first candidate of the batch, that at index 0; the others follow. */
  readonly serial: number;
}

/** Makes candidates, from the elites of an archive or from nothing. */
export interface Emitter {
  readonly kind: string;
  /** What determines the emitter, for the description of a run. */
  readonly description: Plain;
  /**
   * Appends up to `count` candidates to `out`: each genome with `out.describe`. Fewer only if there are no more, as for `enumerate`.
   */
  emit(count: number, emission: Emission, out: Candidates): void;
  /** Learns from what became of its candidates. */
  tell?(feedback: Feedback): void;
  /** What it has learned, if anything. */
  state?(): PartState;
  /** Continues from a state. @throws SearchError FILE_FORMAT if it is not the state of such an emitter */
  restore?(state: PartState): void;
}
