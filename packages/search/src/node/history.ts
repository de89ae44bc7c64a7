// How a run went, in a limited number of points: when there are too many, each two become one.
import { SearchError } from "../error.js";
import type { PartState } from "../plain.js";
import type { LoggedBatch } from "./log-lines.js";

/** How a run went, as points in order. Each point has the numbers of one batch, or of the last of several successive batches. */
export interface RunHistory {
  readonly evaluations: Float64Array;
  /** Seconds of all runs together. */
  readonly seconds: Float64Array;
  readonly qdScore: Float64Array;
  /** NaN for archives without cells. */
  readonly coverage: Float64Array;
  /** NaN as long as there is no elite. */
  readonly best: Float64Array;
  readonly elites: Float64Array;
}

const MOST_POINTS = 4096;
const COLUMNS = ["evaluations", "seconds", "qdScore", "coverage", "best", "elites"] as const;
type Columns = { readonly [Name in (typeof COLUMNS)[number]]: Float64Array };

const columnsOf = (of: (name: keyof Columns) => Float64Array): Columns =>
  Object.fromEntries(COLUMNS.map((name) => [name, of(name)])) as unknown as Columns;

/** Gathers the history of a run. */
export class HistoryRecorder {
  readonly #most: number;
  readonly #columns: Columns;
  /** The points that are complete, how many batches each stands for, and how many the next one has. */
  #points = 0;
  #stride = 1;
  #batches = 0;

  /** @param most an even number of points */
  constructor(most: number = MOST_POINTS) {
    this.#most = most;
    this.#columns = columnsOf(() => new Float64Array(most + 1));
  }

  add(batch: LoggedBatch): void {
    for (const name of COLUMNS) this.#columns[name][this.#points] = batch[name] ?? Number.NaN;
    if (++this.#batches < this.#stride) return;
    this.#batches = 0;
    if (++this.#points === this.#most) this.#halve();
  }

  /** The points up to now, as copies. */
  history(): RunHistory {
    const points = this.#points + (this.#batches > 0 ? 1 : 0);
    return columnsOf((name) => this.#columns[name].slice(0, points));
  }

  state(): PartState {
    const values = { points: this.#points, stride: this.#stride, batches: this.#batches };
    return { values, arrays: { ...this.history() } };
  }

  /** @throws SearchError FILE_FORMAT */
  restore({ values, arrays }: PartState): void {
    for (const name of COLUMNS) {
      const column = arrays[name];
      if (!(column instanceof Float64Array) || column.length > this.#most + 1)
        throw new SearchError("FILE_FORMAT", "expected the history of a run, found something else");
      this.#columns[name].set(column);
    }
    this.#points = Number(values.points);
    this.#stride = Number(values.stride);
    this.#batches = Number(values.batches);
  }

  /** Makes one point of each two. */
  #halve(): void {
    this.#points /= 2;
    this.#stride *= 2;
    for (const name of COLUMNS) {
      const column = this.#columns[name];
      for (let point = 0; point < this.#points; point++) column[point] = column[2 * point + 1]!;
    }
  }
}
