// Evaluates programs on columns of data: compiles them, races them on some rows, computes losses and fits constants.
import { ColumnWorkers, EvaluationStatus, evaluateBatch } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import type { Candidates, Scores } from "../../candidates.js";
import type { PartState, Plain } from "../../plain.js";
import { type Evaluation, type Evaluator, SCREENED } from "../evaluator.js";
import { type ColumnsEvaluatorOptions, type ReadColumnsOptions, readColumnsOptions } from "./options.js";
import { NO_CODE, Programs } from "./programs.js";
import { Race } from "./race.js";
import { type Selection, Tuner } from "./tuner.js";

/** The statuses of candidates without a score: one more than the index in `FAILURES`. */
const FAILURES = ["NOT_FINITE", "NO_CODE", SCREENED];
const enum Failure {
  notFinite = 1,
  noCode = 2,
  screened = 3,
}

class ColumnsEvaluator implements Evaluator {
  readonly description: Plain;
  readonly measures: readonly string[];
  readonly failures: readonly string[] = FAILURES;
  readonly cases: number | undefined;
  readonly #options: ReadColumnsOptions;
  readonly #rows: number;
  readonly #workers: ColumnWorkers | undefined;
  readonly #race: Race | undefined;
  readonly #tuner: Tuner;
  /** Programs that were compiled, by their candidates; two batches at most. */
  readonly #prepared = new Map<Candidates, Programs>();
  readonly #free: Programs[] = [];
  readonly #picked = new CodeBuffer();

  constructor(options: ReadColumnsOptions) {
    const { space, columns, loss, measures, tuning, racing, cases, bounds, workers } = options;
    this.#options = options;
    this.measures = measures.map(({ name }) => name);
    this.#rows = loss.target.length;
    this.cases = cases ? this.#rows : undefined;
    this.#workers =
      typeof workers === "number"
        ? workers === 1
          ? undefined
          : new ColumnWorkers({ count: workers - 1, callerHelps: true })
        : workers;
    this.#race = racing && new Race(options, racing, this.#workers);
    this.#tuner = new Tuner(options, this.#workers);
    this.description = {
      evaluator: "columns",
      loss: { kind: loss.kind, output: loss.output ?? 0, tolerance: loss.tolerance ?? null },
      data: fingerprintOf([...columns, loss.target, ...(loss.weights ? [loss.weights] : [])]),
      inputs: space.inputs,
      measures: measures.map(({ description }) => description),
      tuning: tuning.map(({ method, iterations, within }) => ({
        method,
        iterations,
        within: within ?? null,
      })),
      racing: racing === undefined ? null : { rows: this.#race!.rows, excess: racing.excess ?? null },
      bounds: bounds ?? null,
    };
  }

  get excess(): number {
    return this.#race?.excess ?? 1;
  }

  prepare(candidates: Candidates): void {
    const programs = this.#free.pop() ?? new Programs(this.#options.space, this.#options.measures);
    programs.compile(candidates);
    this.#prepared.set(candidates, programs);
  }

  async evaluate(candidates: Candidates, evaluation: Evaluation): Promise<Scores> {
    if (!this.#prepared.has(candidates)) this.prepare(candidates);
    const programs = this.#prepared.get(candidates)!;
    const { count } = candidates;
    const dimensions = this.measures.length;
    const scores: Scores = {
      status: new Uint8Array(count).fill(Failure.screened),
      objective: new Float64Array(count),
      measures: programs.measures.slice(0, count * dimensions),
      cases: this.cases === undefined ? undefined : new Float64Array(count * this.cases),
    };
    for (let index = 0; index < count; index++) {
      if (programs.codeOf[index] === NO_CODE) scores.status[index] = Failure.noCode;
    }
    const all = { candidates, programs, evaluation };
    const selection = this.#race === undefined ? everything(programs) : await this.#race.select(all);
    await this.#score(selection, programs, scores, evaluation);
    await this.#tuner.tune(all, selection, scores);
    // Only now: an evaluation that was aborted is repeated with the same programs.
    if (this.#prepared.delete(candidates)) this.#free.push(programs);
    return scores;
  }

  /** Writes the losses of the selected candidates, and their errors in single rows. */
  async #score(
    selection: Selection,
    { codes, codeOf }: Programs,
    { status, objective, cases }: Scores,
    { signal }: Evaluation,
  ): Promise<void> {
    const { columns, loss, bounds, webAssembly } = this.#options;
    const picked = pick(codes, codeOf, selection, this.#picked);
    if (picked.count === 0) return;
    const results = await evaluateBatch(picked, columns, {
      loss,
      cases: cases !== undefined,
      ...(bounds && { bounds }),
      ...(webAssembly !== undefined && { webAssembly }),
      ...(this.#workers && { workers: this.#workers }),
      ...(signal && { signal }),
    });
    const rows = this.#rows;
    for (let place = 0; place < selection.length; place++) {
      const candidate = selection[place]!;
      const isValid = results.status[place] === EvaluationStatus.ok;
      status[candidate] = isValid ? 0 : Failure.notFinite;
      objective[candidate] = isValid ? -results.loss![place]! : Number.NaN;
      cases?.set(results.cases!.subarray(place * rows, (place + 1) * rows), candidate * rows);
    }
  }

  learn(): void {
    this.#race?.learn();
  }

  state(): PartState {
    return this.#race?.state() ?? { values: {}, arrays: {} };
  }

  restore(state: PartState): void {
    this.#race?.restore(state);
  }
}

/** All candidates that have a code. */
function everything({ codes, candidateOf }: Programs): Selection {
  return candidateOf.subarray(0, codes.count);
}

/** The codes of some candidates: all codes as they are, or copies of those that are selected. */
export function pick(
  codes: CodeBuffer,
  codeOf: Int32Array,
  selection: Selection,
  into: CodeBuffer,
): CodeBuffer {
  if (selection.length === codes.count) return codes;
  into.clear();
  const { offsets, room } = codes;
  for (const candidate of selection) {
    const code = codeOf[candidate]!;
    into.appendCopy(room, offsets[code], offsets[code + 1]);
  }
  return into;
}

/** Eight hex digits of the bytes of columns: FNV-1a. */
function fingerprintOf(columns: readonly ArrayBufferView[]): string {
  let hash = 0x811c9dc5;
  for (const { buffer, byteOffset, byteLength } of columns) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    hash = Math.imul(hash ^ (byteLength & 0xff), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * Scores programs by their losses on columns of data. The objective is -loss; candidates whose output or loss is not finite have the
 * status `NOT_FINITE`, those that can't be compiled `NO_CODE`, and those that lost a race `SCREENED`.
 * @throws SearchError INVALID_ARGUMENT
 */
export function columnsEvaluator(options: ColumnsEvaluatorOptions): Evaluator {
  return new ColumnsEvaluator(readColumnsOptions(options));
}
