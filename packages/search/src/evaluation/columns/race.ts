// Races: candidates that were drawn in excess are ranked on a part of the rows, and the best of them are evaluated on all.
import { type Column, type ColumnWorkers, EvaluationStatus, evaluateBatch, type Loss } from "@mm-ptx/columns";
import type { Archive } from "../../archives/archive.js";
import type { Candidates } from "../../candidates.js";
import { Draws } from "../../draws.js";
import type { PartState } from "../../plain.js";
import type { Evaluation } from "../evaluator.js";
import { baselineOf, promise } from "./baseline.js";
import type { RacingOptions, ReadColumnsOptions } from "./options.js";
import type { Programs } from "./programs.js";
import type { Selection } from "./tuner.js";

const DEFAULT_ROWS = 64;
const FIRST_EXCESS = 16;
const LEAST_EXCESS = 2;
const MOST_EXCESS = 64;
/** What the draws of races use instead of the number of a candidate. */
const RACE = 0xfffffffe;

/** A batch in evaluation. */
export interface BatchInEvaluation {
  readonly candidates: Candidates;
  readonly programs: Programs;
  readonly evaluation: Evaluation;
}

export class Race {
  readonly rows: number;
  /** How many candidates are drawn for each that is evaluated. */
  excess: number;
  /** What `excess` will be when the batch counts. */
  #next: number;
  readonly #adapts: boolean;
  readonly #most: number;
  readonly #options: ReadColumnsOptions;
  readonly #workers: ColumnWorkers | undefined;
  readonly #baseline: number;
  readonly #draws = new Draws();

  constructor(
    options: ReadColumnsOptions,
    { rows = DEFAULT_ROWS, excess }: RacingOptions,
    workers?: ColumnWorkers,
  ) {
    const { target } = options.loss;
    this.rows = Math.min(rows, target.length);
    this.#adapts = excess === undefined;
    // A candidate that loses a race should cost less than an evaluation on all rows.
    this.#most = Math.max(LEAST_EXCESS, Math.min(MOST_EXCESS, target.length / this.rows));
    this.excess = excess ?? Math.min(FIRST_EXCESS, this.#most);
    this.#next = this.excess;
    this.#options = options;
    this.#workers = workers;
    this.#baseline = baselineOf(options.loss);
  }

  /** The candidates that promise the greatest improvements of the archive, in the order of their indices. */
  async select({ candidates, programs, evaluation }: BatchInEvaluation): Promise<Selection> {
    const { codes, candidateOf } = programs;
    const wanted = Math.max(1, Math.round(candidates.count / this.excess));
    if (codes.count <= wanted) return candidateOf.subarray(0, codes.count);
    const { columns, loss, bounds, webAssembly } = this.#options;
    const sample = this.#sample(loss.target.length, evaluation);
    const { status, loss: losses } = await evaluateBatch(
      codes,
      columns.map((column) => rowsOf(column, sample)),
      {
        loss: partOf(loss, sample),
        ...(bounds && { bounds }),
        ...(webAssembly !== undefined && { webAssembly }),
        ...(this.#workers && { workers: this.#workers }),
        ...(evaluation.signal && { signal: evaluation.signal }),
      },
    );
    const promises = new Float64Array(codes.count);
    for (let code = 0; code < codes.count; code++) {
      promises[code] =
        status[code] === EvaluationStatus.ok
          ? promise(
              losses![code]!,
              this.#elite(evaluation.archive, programs, candidateOf[code]!),
              this.#baseline,
            )
          : Number.NEGATIVE_INFINITY;
    }
    const order = Uint32Array.from(promises.keys());
    order.sort((a, b) => promises[b]! - promises[a]! || a - b);
    const best = order.subarray(0, wanted).sort();
    if (this.#adapts) this.#adapt(promises, order, wanted);
    return Int32Array.from(best, (code) => candidateOf[code]!);
  }

  /** The loss of the elite of the cell that a candidate would be in, or infinity. */
  #elite(archive: Archive, { measures }: Programs, candidate: number): number {
    const cell = archive.cellOf(measures, candidate * archive.dimensions);
    const elite = cell < 0 ? -1 : archive.at(cell);
    return elite < 0 ? Number.POSITIVE_INFINITY : -archive.objective(elite);
  }

  /** Rows of the whole range of rows, others in each batch. */
  #sample(total: number, { seed, batch }: Evaluation): Uint32Array {
    this.#draws.start(seed, batch, RACE);
    const { rows } = this;
    return Uint32Array.from({ length: rows }, (_, index) => {
      const first = Math.floor((index * total) / rows);
      return first + this.#draws.below(Math.floor(((index + 1) * total) / rows) - first);
    });
  }

  /** Draws more if many of the candidates promise an improvement, and fewer if the selected ones do not. */
  #adapt(promises: Float64Array, order: Uint32Array, wanted: number): void {
    const last = promises[order[wanted - 1]!]!;
    const factor = last > 0 ? 2 : 0.75;
    this.#next = Math.min(this.#most, Math.max(LEAST_EXCESS, this.excess * factor));
  }

  /** The batch counts: the next one has more candidates, or fewer. */
  learn(): void {
    this.excess = this.#next;
  }

  state(): PartState {
    return { values: { excess: this.excess }, arrays: {} };
  }

  restore({ values }: PartState): void {
    if (typeof values.excess === "number") this.excess = values.excess;
    this.#next = this.excess;
  }
}

/** Some rows of a column. */
function rowsOf<Kind extends Column>(column: Kind, rows: Uint32Array): Kind {
  const part = new (column.constructor as new (length: number) => Kind)(rows.length);
  for (let index = 0; index < rows.length; index++) part[index] = column[rows[index]!]!;
  return part;
}

function partOf(loss: Loss, rows: Uint32Array): Loss {
  const { target, weights, ...rest } = loss;
  return { ...rest, target: rowsOf(target, rows), ...(weights && { weights: rowsOf(weights, rows) }) };
}
