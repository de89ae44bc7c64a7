// Archives with one elite in each cell: grids and CVT archives, which differ in how measures lead to cells.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { Scores } from "../candidates.js";
import { invalid } from "../options.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome } from "../spaces/space.js";
import { AdditionBuffer } from "./additions.js";
import { AdditionStatus, type Additions, type Archive, type ArchiveRows } from "./archive.js";
import { checkBatch } from "./batch.js";
import { Elites } from "./elites.js";
import type { CellArchiveSettings } from "./options.js";
import { eliteState, restoreElites } from "./state.js";

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
export class CellArchive implements Archive {
  readonly kind: string;
  readonly description: Plain;
  readonly dimensions: number;
  readonly names: readonly string[];
  readonly extents: Float64Array;
  readonly cells: number;
  readonly #finder: Cells;
  readonly #settings: CellArchiveSettings;
  readonly #elites: Elites;
  /** One more than the index of the elite of each cell, or 0. */
  readonly #index: Int32Array;
  readonly #additions = new AdditionBuffer();
  /** What was read in advance, so that engines do not leave out the reading. */
  #touched = 0;

  constructor(kind: string, description: Plain, cells: Cells, settings: CellArchiveSettings) {
    this.kind = kind;
    this.description = description;
    this.names = cells.names;
    this.dimensions = cells.names.length;
    this.extents = cells.extents;
    this.cells = cells.count;
    this.#finder = cells;
    this.#settings = settings;
    this.#index = new Int32Array(cells.count);
    this.#elites = new Elites({
      dimensions: this.dimensions,
      fields: settings.fields,
      cases: settings.cases,
      hasThresholds: settings.threshold !== undefined,
    });
  }

  get count(): number {
    return this.#elites.count;
  }

  get qdScore(): number {
    return this.#elites.sum() - this.#settings.qdOffset * this.#elites.count;
  }

  get best(): number {
    return this.#elites.best;
  }

  add(genomes: CodeBatch, scores: Scores, serial: number): Additions {
    const elites = this.#elites;
    const { genomeWords, threshold } = this.#settings;
    const longest = checkBatch(genomes, scores, elites.shape);
    if (longest > genomeWords) throw invalid(`genomes of up to ${genomeWords} words`, longest);
    const { words, offsets } = genomes;
    const count = offsets.length - 1;
    const additions = this.#additions;
    additions.start(count);
    const { status, value, cell } = additions;
    this.#finder.cellsOf(scores.status, scores.measures, count, cell);
    elites.reserve(Math.min(this.cells, elites.count + count), longest);
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
        added++;
      } else {
        improved++;
      }
      status[candidate] = isEmpty ? AdditionStatus.added : AdditionStatus.improved;
      const start = offsets[candidate]!;
      elites.set(elite, place, words, start, offsets[candidate + 1]!, scores, candidate, serial + candidate);
      if (threshold !== undefined) elites.threshold[elite] = bar + rate * (objective - bar);
    }
    additions.added = added;
    additions.improved = improved;
    return additions;
  }

  genome(elite: number, into: Genome): void {
    this.#elites.genome(elite, into);
  }

  objective(elite: number): number {
    return this.#elites.objective[elite]!;
  }

  measure(elite: number, axis: number): number {
    return this.#elites.measures[elite * this.dimensions + axis]!;
  }

  cell(elite: number): number {
    return this.#elites.cell[elite]!;
  }

  serial(elite: number): number {
    return this.#elites.serial[elite]!;
  }

  cases(elite: number): Float64Array | undefined {
    const { cases } = this.#settings;
    return cases === 0 ? undefined : this.#elites.cases.subarray(elite * cases, (elite + 1) * cases);
  }

  at(cell: number): number {
    const elite = this.#index[cell];
    return elite === undefined ? -1 : elite - 1;
  }

  cellOf(measures: Float64Array, start: number): number {
    return this.#finder.cellOf(measures, start);
  }

  rows(): ArchiveRows {
    return this.#elites.rows();
  }

  hash(): Uint32Array {
    return this.#elites.hash();
  }

  state(): PartState {
    return eliteState(this.kind, this.#elites);
  }

  restore(state: PartState): void {
    const cells = restoreElites(state, this.kind, this.#elites, this.cells);
    this.#index.fill(0);
    for (let elite = 0; elite < cells.length; elite++) this.#index[cells[elite]!] = elite + 1;
  }

  clear(): void {
    this.#elites.clear();
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
