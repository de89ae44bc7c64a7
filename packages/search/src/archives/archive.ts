// What all archives have in common: elites by dense indices, batches in, flat rows out.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { Scores } from "../candidates.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome } from "../spaces/space.js";

/** What happened to each candidate of a batch: the values of `Additions.status`. */
export const AdditionStatus = {
  /** It failed, is no better than the elite of its cell, or is too close to others. */
  rejected: 0,
  /** It replaced an elite that was worse, or one whose cell has a threshold that it exceeds. */
  improved: 1,
  /** It filled an empty cell. */
  added: 2,
} as const;

/** What happened to the candidates of a batch. The arrays are reused by the next `add`. */
export interface Additions {
  /** See `AdditionStatus`. */
  readonly status: Uint8Array;
  /**
   * The improvement: the objective minus that of the previous elite, or minus the threshold of the cell if the archive has thresholds; in an
   * empty cell without a threshold, the objective itself. -Infinity for candidates that failed.
   */
  readonly value: Float64Array;
  /** The cell of each candidate; -1 where it failed, and for archives without cells. */
  readonly cell: Int32Array;
  /** How many were added and improved. */
  readonly added: number;
  readonly improved: number;
}

/** Elites as columns, in the order of their indices. */
export interface ArchiveRows {
  readonly count: number;
  readonly cell: Int32Array;
  readonly objective: Float64Array;
  /** `measures[elite * dimensions + axis]`. */
  readonly measures: Float64Array;
  /** The serial number of the candidate that is the elite. */
  readonly serial: Float64Array;
  readonly genomes: CodeBatch;
  readonly fields: Readonly<Record<string, Float64Array>>;
}

/**
 * Keeps the best candidates of each kind. Elites have indices from 0 to `count` - 1; which elite has which index depends only on the
 * additions. After an `add`, an index may refer to another elite.
 */
export interface Archive {
  readonly kind: string;
  /** What determines the archive, for the description of a run. */
  readonly description: Plain;
  /** The number of measures. */
  readonly dimensions: number;
  /** The names of the measures. */
  readonly names: readonly string[];
  /** The difference between the greatest and the least value of each measure, for archives that know it. */
  readonly extents?: Float64Array;
  /** The number of cells, or undefined for archives without cells. */
  readonly cells: number | undefined;
  /** The number of elites. */
  readonly count: number;
  /** The sum over all elites of the objective minus `qdOffset`; see `GridArchiveOptions`. */
  readonly qdScore: number;
  /** The index of the elite with the greatest objective, the first of equal ones; -1 without elites. */
  readonly best: number;
  /**
   * Adds the candidates with status 0, one after the other, in order.
   * @param serial the serial number of the first candidate; the others follow
   * @throws SearchError INVALID_ARGUMENT if the scores do not fit the batch or are not finite; nothing is added then
   */
  add(genomes: CodeBatch, scores: Scores, serial: number): Additions;
  /** Makes `into` a view of an elite's genome, which is valid until the next `add`. */
  genome(elite: number, into: Genome): void;
  /** The objective of an elite. */
  objective(elite: number): number;
  /** A measure of an elite. */
  measure(elite: number, axis: number): number;
  /** The cell of an elite; -1 for archives without cells. */
  cell(elite: number): number;
  /** The serial number of the candidate that is the elite. */
  serial(elite: number): number;
  /** The errors of an elite in all cases, as a view, if candidates had them. */
  cases(elite: number): Float64Array | undefined;
  /** The index of the elite of a cell, or -1. */
  at(cell: number): number;
  /** The cell of measures, whether there is an elite in it or not; -1 for archives without cells. */
  cellOf(measures: Float64Array, start: number): number;
  /** All elites as columns, copied. */
  rows(): ArchiveRows;
  /** A hash of four words, which is equal if all elites are equal, with their numbers, genomes and indices. */
  hash(): Uint32Array;
  /** The state from which `restore` makes an equal archive. */
  state(): PartState;
  /** @throws SearchError FILE_FORMAT if it is not the state of such an archive */
  restore(state: PartState): void;
  /** Removes all elites. */
  clear(): void;
}
