// How a run went, in a limited number of points: when there are too many, each two become one.
import { SearchError } from "../error.js";
import type { PartState } from "../plain.js";
import type { LoggedBatch } from "./log-lines.js";

/** How a run went. Each array has an element for each point, which stands for one batch or several in a row: the last of them. */
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
  /** The names of the variation operators. */
  readonly operators: readonly string[];
  /** `additions[point * operators.length + operator]`: how many new elites an operator made. */
  readonly additions: Float64Array;
}

const MOST_POINTS = 4096;
const COLUMNS = ["evaluations", "seconds", "qdScore", "coverage", "best", "elites"] as const;
type Column = (typeof COLUMNS)[number];

/** Gathers the history of a run. */
export class HistoryRecorder {
  readonly #operators: readonly string[];
  readonly #most: number;
  readonly #columns: Readonly<Record<Column, Float64Array>>;
  #additions: Float64Array;
  /** The points that are complete, how many batches each stands for, and how many the next one has. */
  #points = 0;
  #stride = 1;
  #batches = 0;

  /** @param most an even number of points */
  constructor(operators: readonly string[], most: number = MOST_POINTS) {
    this.#operators = operators;
    this.#most = most;
    this.#columns = Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(most + 1)])) as Record<
      Column,
      Float64Array
    >;
    this.#additions = new Float64Array((most + 1) * operators.length);
  }

  /** Counts a new elite of the next batch. */
  addElite(operator: string | undefined): void {
    const index = operator === undefined ? -1 : this.#operators.indexOf(operator);
    if (index >= 0) this.#additions[this.#points * this.#operators.length + index]!++;
  }

  addBatch({ evaluations, seconds, qdScore, coverage, best, elites }: LoggedBatch): void {
    const at = this.#points;
    const numbers = { evaluations, seconds, qdScore, elites };
    for (const name of COLUMNS)
      this.#columns[name][at] = { ...numbers, coverage: coverage ?? Number.NaN, best: best ?? Number.NaN }[
        name
      ];
    if (++this.#batches < this.#stride) return;
    this.#batches = 0;
    if (++this.#points === this.#most) this.#halve();
  }

  /** The points up to now, as copies. */
  history(): RunHistory {
    const points = this.#points + (this.#batches > 0 ? 1 : 0);
    const columns = Object.fromEntries(COLUMNS.map((name) => [name, this.#columns[name].slice(0, points)]));
    return {
      ...(columns as Record<Column, Float64Array>),
      operators: this.#operators,
      additions: this.#additions.slice(0, points * this.#operators.length),
    };
  }

  state(): PartState {
    const { operators, ...arrays } = this.history();
    return {
      values: { operators, points: this.#points, stride: this.#stride, batches: this.#batches },
      arrays,
    };
  }

  /** @throws SearchError FILE_FORMAT */
  restore({ values, arrays }: PartState): void {
    const isSame = JSON.stringify(values.operators) === JSON.stringify(this.#operators);
    const fits = (array: unknown, room: number): array is Float64Array =>
      array instanceof Float64Array && array.length <= room;
    const { additions } = arrays;
    if (
      !isSame ||
      !fits(additions, this.#additions.length) ||
      !COLUMNS.every((name) => fits(arrays[name], this.#most + 1))
    )
      throw new SearchError("FILE_FORMAT", "expected the history of a run, found something else");
    for (const name of COLUMNS) this.#columns[name].set(arrays[name] as Float64Array);
    this.#additions.fill(0);
    this.#additions.set(additions);
    this.#points = Number(values.points);
    this.#stride = Number(values.stride);
    this.#batches = Number(values.batches);
  }

  /** Makes one point of each two. */
  #halve(): void {
    const width = this.#operators.length;
    this.#points /= 2;
    this.#stride *= 2;
    const additions = new Float64Array(this.#additions.length);
    for (let point = 0; point < this.#points; point++) {
      for (const name of COLUMNS) this.#columns[name][point] = this.#columns[name][2 * point + 1]!;
      for (let operator = 0; operator < width; operator++)
        additions[point * width + operator] =
          this.#additions[2 * point * width + operator]! +
          this.#additions[(2 * point + 1) * width + operator]!;
    }
    this.#additions = additions;
  }
}
