// What chooses parents.
import type { Archive } from "../../archives/archive.js";
import type { Draws } from "../../draws.js";
import type { PartState, Plain } from "../../plain.js";
import type { Emission, Feedback } from "../emitter.js";

/** Chooses parents among the elites of an archive. */
export interface Selection {
  readonly kind: string;
  /** What determines the selection, for the description of a run. */
  readonly description: Plain;
  /** Prepares for a batch of about `count` candidates. The archive has elites, and does not change until the next call. */
  begin?(count: number, emission: Emission): void;
  /** The index of an elite. */
  select(archive: Archive, draws: Draws): number;
  /** Learns from what became of the candidates. */
  tell?(feedback: Feedback): void;
  /** What it has learned, if anything. */
  state?(): PartState;
  /** Continues from a state. @throws SearchError FILE_FORMAT if it is not the state of such a selection */
  restore?(state: PartState): void;
}
