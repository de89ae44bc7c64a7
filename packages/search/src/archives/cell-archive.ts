// Archives with one elite in each cell: grids and CVT archives, which differ in how measures lead to cells.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { Scores } from "../candidates.js";
import type { PartState, Plain } from "../plain.js";
import { AdditionStatus, type Additions } from "./archive.js";
import { EliteArchive } from "./elite-archive.js";
import type { CellArchiveSettings } from "./options.js";

/** Which cell measures belong to. */
export interface Cells {
  readonly count: number;
  readonly names: readonly string[];
  readonly extents: Float64Array;
  /** The cell of the measures from `start` on. */
  cellOf(measures: Float64Array, start: number): number;
  /** Writes the cells of the candidates with status 0, and -1 for the others. @throws SearchError INVALID_ARGUMENT */
  cellsOf(status: Uint8Array, measures: Float64Array, count: number, out: Int32Array): void;
}

/** How many candidates the memory is read for in advance. */
const AHEAD = 512;

/** An archive over cells of any kind. */
export class CellArchive extends EliteArchive {
  readonly extents: Float64Array;
  readonly cells: number;
  readonly #finder: Cells;
  readonly #threshold: CellArchiveSettings["threshold"];
  /** One more than the index of the elite of each cell, or 0. */
  readonly #index: Int32Array;
  /** What was read in advance, so that engines do not leave out the reading. */
  #touched = 0;

  constructor(kind: string, description: Plain, cells: Cells, settings: CellArchiveSettings) {
    super(kind, description, cells.names, settings, settings.threshold !== undefined);
    this.extents = cells.extents;
    this.cells = cells.count;
    this.#finder = cells;
    this.#threshold = settings.threshold;
    this.#index = new Int32Array(cells.count);
  }

  add(genomes: CodeBatch, scores: Scores, serial: number): Additions {
    const additions = this.start(genomes, scores, this.cells);
    const { elites } = this;
    const threshold = this.#threshold;
    const { words, offsets } = genomes;
    const count = offsets.length - 1;
    const { status, value, cell } = additions;
    this.#finder.cellsOf(scores.status, scores.measures, count, cell);
    const index = this.#index;
    const bars = threshold === undefined ? elites.objective : elites.threshold;
    const empty = threshold?.min ?? 0;
    const rate = threshold?.learningRate ?? 1;
    let added = 0;
    let improved = 0;
    for (let candidate = 0; candidate < count; candidate++) {
      if (candidate % AHEAD === 0)
        this.#touched += touch(index, bars, cell, candidate, Math.min(candidate + AHEAD, count));
      const place = cell[candidate]!;
      if (place < 0) {
        status[candidate] = AdditionStatus.rejected;
        value[candidate] = -Infinity;
        continue;
      }
      const objective = scores.objective[candidate]!;
      let elite = index[place]! - 1;
      const isEmpty = elite < 0;
      const bar = isEmpty ? empty : bars[elite]!;
      value[candidate] = objective - bar;
      if (objective <= bar && !(isEmpty && threshold === undefined)) {
        status[candidate] = AdditionStatus.rejected;
        continue;
      }
      if (isEmpty) {
        elite = elites.count++;
        index[place] = elite + 1;
        elites.cell[elite] = place;
        added++;
      } else {
        improved++;
      }
      status[candidate] = isEmpty ? AdditionStatus.added : AdditionStatus.improved;
      const start = offsets[candidate]!;
      elites.set(elite, words, start, offsets[candidate + 1]!, scores, candidate, serial + candidate);
      if (threshold !== undefined) elites.threshold[elite] = bar + rate * (objective - bar);
    }
    additions.added = added;
    additions.improved = improved;
    return additions;
  }

  /** Places all elites again, because cells have moved. Of several in one cell, the best stays, and of equal ones the first. */
  protected placeAgain(): void {
    const { elites } = this;
    const index = this.#index;
    const removed: number[] = [];
    index.fill(0);
    for (let elite = 0; elite < elites.count; elite++) {
      const place = this.#finder.cellOf(elites.measures, elite * this.dimensions);
      elites.cell[elite] = place;
      const other = index[place]! - 1;
      const isBetter = other < 0 || elites.objective[elite]! > elites.objective[other]!;
      if (isBetter) index[place] = elite + 1;
      if (other >= 0) removed.push(isBetter ? other : elite);
    }
    for (const elite of removed.sort((a, b) => b - a)) elites.remove(elite);
    for (let elite = 0; elite < elites.count; elite++) index[elites.cell[elite]!] = elite + 1;
    elites.refresh();
  }

  override at(cell: number): number {
    const elite = this.#index[cell];
    return elite === undefined ? -1 : elite - 1;
  }

  override cellOf(measures: Float64Array, start: number): number {
    return this.#finder.cellOf(measures, start);
  }

  override restore(state: PartState): void {
    super.restore(state);
    const { cell, count } = this.elites;
    this.#index.fill(0);
    for (let elite = 0; elite < count; elite++) this.#index[cell[elite]!] = elite + 1;
  }

  override clear(): void {
    super.clear();
    this.#index.fill(0);
  }
}

/**
 * Reads what decides about candidates. Cells are all over the memory, and whether a candidate is better than an elite cannot be predicted: a
 * processor waits for each of them, unless it has the memory at hand. Here it waits for many of them together, which takes half the time.
 */
function touch(index: Int32Array, bars: Float64Array, cell: Int32Array, start: number, end: number): number {
  let sum = 0;
  for (let candidate = start; candidate < end; candidate++) {
    sum += bars[Math.max(0, index[Math.max(0, cell[candidate]!)]! - 1)]!;
  }
  return sum;
}
