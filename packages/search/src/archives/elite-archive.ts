// What all archives do with their elites.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { Scores } from "../candidates.js";
import { invalid } from "../options.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome } from "../spaces/space.js";
import { AdditionBuffer } from "./additions.js";
import type { Additions, Archive, ArchiveRows } from "./archive.js";
import { checkBatch } from "./batch.js";
import { type EliteShape, Elites } from "./elites.js";
import type { EliteSettings } from "./options.js";
import { eliteState, restoreElites } from "./state.js";

/** An archive that says what is added. */
export abstract class EliteArchive implements Archive {
  readonly kind: string;
  readonly description: Plain;
  readonly dimensions: number;
  readonly names: readonly string[];
  abstract readonly cells: number | undefined;
  protected readonly elites: Elites;
  readonly #settings: EliteSettings;
  readonly #additions = new AdditionBuffer();

  constructor(
    kind: string,
    description: Plain,
    names: readonly string[],
    settings: EliteSettings,
    hasThresholds = false,
  ) {
    this.kind = kind;
    this.description = description;
    this.names = names;
    this.dimensions = names.length;
    this.#settings = settings;
    const { fields, cases } = settings;
    const shape: EliteShape = { dimensions: this.dimensions, fields, cases, hasThresholds };
    this.elites = new Elites(shape);
  }

  get count(): number {
    return this.elites.count;
  }

  get qdScore(): number {
    return this.elites.sum() - this.#settings.qdOffset * this.elites.count;
  }

  get best(): number {
    return this.elites.best;
  }

  abstract add(genomes: CodeBatch, scores: Scores, serial: number): Additions;

  genome(elite: number, into: Genome): void {
    this.elites.genome(elite, into);
  }

  objective(elite: number): number {
    return this.elites.objective[elite]!;
  }

  measure(elite: number, axis: number): number {
    return this.elites.measures[elite * this.dimensions + axis]!;
  }

  cell(elite: number): number {
    return this.elites.cell[elite]!;
  }

  serial(elite: number): number {
    return this.elites.serial[elite]!;
  }

  cases(elite: number): Float64Array | undefined {
    const { cases } = this.#settings;
    return cases === 0 ? undefined : this.elites.cases.subarray(elite * cases, (elite + 1) * cases);
  }

  at(_cell: number): number {
    return -1;
  }

  cellOf(_measures: Float64Array, _start: number): number {
    return -1;
  }

  rows(): ArchiveRows {
    return this.elites.rows();
  }

  hash(): Uint32Array {
    return this.elites.hash();
  }

  state(): PartState {
    return eliteState(this.kind, this.elites);
  }

  restore(state: PartState): void {
    restoreElites(state, this.kind, this.elites, this.cells);
  }

  clear(): void {
    this.elites.clear();
  }

  /**
   * Makes room for what becomes of a batch.
   * @param most the most elites there can be
   * @throws SearchError INVALID_ARGUMENT if the batch is wrong; then nothing is changed
   */
  protected start(genomes: CodeBatch, scores: Scores, most: number): AdditionBuffer {
    const { elites } = this;
    const longest = checkBatch(genomes, scores, elites.shape);
    const { genomeWords } = this.#settings;
    if (longest > genomeWords) throw invalid(`genomes of up to ${genomeWords} words`, longest);
    const count = genomes.offsets.length - 1;
    elites.reserve(Math.min(most, elites.count + count), longest);
    this.#additions.start(count);
    return this.#additions;
  }
}
