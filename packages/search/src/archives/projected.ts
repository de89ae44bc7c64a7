// Archives whose cells are learned: measures are a behavior of many numbers, and its principal components are the axes of a grid (as in
// AURORA, Cully, "Autonomous skill discovery with quality-diversity and unsupervised descriptors", GECCO 2019).
import { Pca } from "@mm-ptx/learn";
import type { CodeBatch } from "@mm-ptx/types/code";
import { isPositive, isText, isWhole } from "@mm-ptx/types/internal";
import type { Scores } from "../candidates.js";
import { SearchError } from "../error.js";
import { limited } from "../limited.js";
import { invalid, readOptions } from "../options.js";
import { badState, numberOf } from "../parts.js";
import type { PartState } from "../plain.js";
import type { Additions, Archive } from "./archive.js";
import { checkBatch } from "./batch.js";
import { CellArchive, type Cells } from "./cell-archive.js";
import {
  CELL_ARCHIVE_CHECKS,
  type CellArchiveSettings,
  cellArchiveSettings,
  describeSettings,
  type EliteOptions,
} from "./options.js";

/** Options of `projectedArchive`. */
export interface ProjectedArchiveOptions extends EliteOptions {
  /** The number of values of a behavior, from 2 to 512: the measures `NAME 0`, `NAME 1` and so on. */
  readonly columns: number;
  /** The beginning of their names; `behavior` by default. */
  readonly name?: string;
  /** The number of principal components that are axes, from 1 to 4; 2 by default. */
  readonly components?: number;
  /** The bins of each axis; 16 by default. */
  readonly bins?: number;
  /** How far an axis goes in both directions, in deviations of the behaviors so far; 2.5 by default. */
  readonly range?: number;
  /** The projection changes after this many new behaviors, and then each time after twice as many as before; 256 by default. */
  readonly every?: number;
}

/** An archive with a grid over principal components. */
export interface ProjectedArchive extends Archive {
  readonly kind: "projected";
  readonly cells: number;
  /** Counts the projections: when it has changed, all elites have been assigned to cells again. */
  readonly version: number;
  /** The share of the variance of the behaviors that the axes explain. */
  readonly explained: number;
  /** The descriptors of an elite in the current projection. */
  descriptors(elite: number): Float32Array;
}

const MOST_CELLS = 2 ** 22;

const CHECKS = {
  ...{ qdOffset: CELL_ARCHIVE_CHECKS.qdOffset, genomeWords: CELL_ARCHIVE_CHECKS.genomeWords },
  ...{ fields: CELL_ARCHIVE_CHECKS.fields, cases: CELL_ARCHIVE_CHECKS.cases },
  columns: isWhole(2, 512),
  name: isText,
  components: isWhole(1, 4),
  bins: isWhole(2, 4096),
  range: isPositive,
  every: isWhole(2, 2 ** 20),
};

function cellsOf({ bins, components }: Pick<Axes, "bins" | "components">): number {
  let cells = 1;
  for (let axis = 0; axis < components; axis++) cells *= bins;
  return cells;
}

/**
 * Makes an archive whose axes are the principal components of the behaviors that it receives. The projection changes less and less
 * often; each time, all elites are assigned to cells again, and each cell keeps its best. Everything depends only on the additions.
 * @throws SearchError INVALID_ARGUMENT
 */
export function projectedArchive(options: ProjectedArchiveOptions): ProjectedArchive {
  const taken = readOptions<ProjectedArchiveOptions>(options, CHECKS, { required: ["columns"] });
  const { columns, name = "behavior", components = 2, bins = 16, range = 2.5, every = 256, ...rest } = taken;
  if (components > columns) throw invalid(`at most ${columns} components`, components);
  if (!Number.isFinite(range)) throw invalid("a finite `range`", range);
  const cells = cellsOf({ bins, components });
  if (cells > MOST_CELLS) throw invalid(`a grid of up to ${MOST_CELLS} cells`, cells);
  const names = Array.from({ length: columns }, (_, column) => `${name} ${column}`);
  return new Projected(
    new ProjectedCells(names, { components, bins, range, every }),
    cellArchiveSettings(rest),
  );
}

interface Axes {
  readonly components: number;
  readonly bins: number;
  readonly range: number;
  readonly every: number;
}

/** The grid over the components, with the behaviors that the next projection will learn. */
class ProjectedCells implements Cells {
  readonly count: number;
  readonly names: readonly string[];
  readonly extents: Float64Array;
  readonly axes: Axes;
  pca: Pca;
  /** The deviation of each component. */
  readonly #scales: Float64Array;
  readonly #row: Float32Array;
  readonly #projected: Float32Array;
  #pending: number[] = [];
  #every: number;

  constructor(names: readonly string[], axes: Axes) {
    this.names = names;
    this.axes = axes;
    this.count = cellsOf(axes);
    this.extents = new Float64Array(names.length).fill(1);
    this.pca = new Pca({ columns: names.length, components: axes.components });
    this.#scales = new Float64Array(axes.components).fill(1);
    this.#row = new Float32Array(names.length);
    this.#projected = new Float32Array(axes.components);
    this.#every = axes.every;
  }

  /** The descriptors of a behavior; all are 0 before the first projection. */
  descriptors(measures: Float64Array, start: number): Float32Array {
    const row = this.#row;
    for (let column = 0; column < row.length; column++) row[column] = limited(measures[start + column]!);
    if (this.pca.fitted) this.pca.projectInto(row, this.#projected);
    return this.#projected;
  }

  cellOf(measures: Float64Array, start: number): number {
    const { bins, range } = this.axes;
    const projected = this.descriptors(measures, start);
    let cell = 0;
    for (const [component, scale] of this.#scales.entries()) {
      const part = (projected[component]! / (scale * range) + 1) / 2;
      cell = cell * bins + Math.min(bins - 1, Math.max(0, Math.floor(part * bins)));
    }
    return cell;
  }

  cellsOf(status: Uint8Array, measures: Float64Array, count: number, out: Int32Array): void {
    for (let index = 0; index < count; index++)
      out[index] = status[index] === 0 ? this.cellOf(measures, index * this.names.length) : -1;
  }

  /** Takes the behaviors of a batch. Returns whether the projection has changed. */
  learn({ status, measures }: Scores, count: number): boolean {
    const width = this.names.length;
    for (let index = 0; index < count; index++) {
      if (status[index] !== 0) continue;
      for (let column = 0; column < width; column++)
        this.#pending.push(limited(measures[index * width + column]!));
    }
    const fresh = this.#pending.length / width;
    if (fresh === 0 || (this.pca.fitted && fresh < this.#every)) return false;
    const rows = Float32Array.from(this.#pending);
    if (this.pca.fitted) this.#every *= 2;
    this.#pending = [];
    this.pca.update(rows);
    const { components } = this.axes;
    const projected = new Float32Array(fresh * components);
    this.pca.projectInto(rows, projected);
    for (let component = 0; component < components; component++) {
      let squares = 0;
      for (let row = 0; row < fresh; row++) {
        const value = projected[row * components + component]!;
        squares += value * value;
      }
      this.#scales[component] = squares > 0 ? Math.sqrt(squares / fresh) : 1;
    }
    return true;
  }

  state(): PartState {
    return {
      values: { every: this.#every },
      arrays: {
        scales: this.#scales.slice(),
        pending: Float64Array.from(this.#pending),
        ...(this.pca.fitted && { pca: this.pca.save() }),
      },
    };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const { scales, pending, pca } = state.arrays;
    const width = this.names.length;
    const isWhole =
      scales instanceof Float64Array &&
      scales.length === this.axes.components &&
      scales.every((scale) => scale > 0 && Number.isFinite(scale)) &&
      pending instanceof Float64Array &&
      pending.length % width === 0;
    if (!isWhole) throw badState("the projection of an archive");
    this.pca =
      pca instanceof Uint8Array ? loaded(pca) : new Pca({ columns: width, components: this.axes.components });
    if (this.pca.columns !== width || this.pca.components !== this.axes.components)
      throw badState(`a projection of ${width} columns to ${this.axes.components} components`);
    this.#scales.set(scales);
    this.#pending = [...pending];
    this.#every = numberOf(state, "every");
  }
}

/** @throws SearchError FILE_FORMAT */
function loaded(bytes: Uint8Array): Pca {
  try {
    return Pca.load(bytes);
  } catch (cause) {
    throw new SearchError("FILE_FORMAT", (cause as Error).message, { cause });
  }
}

class Projected extends CellArchive implements ProjectedArchive {
  declare readonly kind: "projected";
  readonly #cells: ProjectedCells;

  constructor(cells: ProjectedCells, settings: CellArchiveSettings) {
    const { names, axes } = cells;
    const description = { kind: "projected", measures: names, ...axes, ...describeSettings(settings) };
    super("projected", description, cells, settings);
    this.#cells = cells;
  }

  get version(): number {
    return this.#cells.pca.version;
  }

  get explained(): number {
    return this.#cells.pca.explained;
  }

  descriptors(elite: number): Float32Array {
    return this.#cells.descriptors(this.elites.measures, elite * this.dimensions).slice();
  }

  override add(genomes: CodeBatch, scores: Scores, serial: number): Additions {
    checkBatch(genomes, scores, this.elites.shape);
    if (this.#cells.learn(scores, genomes.offsets.length - 1)) this.placeAgain();
    return super.add(genomes, scores, serial);
  }

  override state(): PartState {
    const { values, arrays } = super.state();
    const cells = this.#cells.state();
    return { values: { ...values, ...cells.values }, arrays: { ...arrays, ...cells.arrays } };
  }

  override restore(state: PartState): void {
    this.#cells.restore(state);
    super.restore(state);
  }
}
