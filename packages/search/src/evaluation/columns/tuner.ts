// Fits the constants of the candidates that are worth it, and writes them back into the genomes.
import {
  type ColumnWorkers,
  evaluateBatch,
  FitStatuses,
  fitConstants,
  replaceConstants,
} from "@mm-ptx/columns";
import { CodeBuffer, codeType, constantOperation } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import type { Scores } from "../../candidates.js";
import type { Genome } from "../../spaces/space.js";
import { OperandCounts } from "../operand-counts.js";
import type { ReadColumnsOptions, TuningStep } from "./options.js";
import type { BatchInEvaluation } from "./race.js";

/** Indices of candidates, in ascending order. */
export type Selection = Int32Array;

const F32_CONSTANT = constantOperation(codeType("f32"));
/** Fitting changes constants of type f32 only. */
const FIXED_CONSTANT = constantOperation(codeType("b32"));

export class Tuner {
  readonly #options: ReadColumnsOptions;
  readonly #workers: ColumnWorkers | undefined;
  readonly #codes = new CodeBuffer();
  readonly #places: number[] = [];
  readonly #genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  readonly #operands = new OperandCounts();

  constructor(options: ReadColumnsOptions, workers?: ColumnWorkers) {
    this.#options = options;
    this.#workers = workers;
  }

  /** Fits constants of selected candidates, step by step, and updates their genomes and scores. */
  async tune(batch: BatchInEvaluation, selection: Selection, scores: Scores): Promise<void> {
    for (const step of this.#options.tuning) await this.#step(batch, selection, scores, step);
  }

  async #step(
    batch: BatchInEvaluation,
    selection: Selection,
    scores: Scores,
    { method, iterations, within = Number.POSITIVE_INFINITY }: TuningStep,
  ): Promise<void> {
    const { candidates, evaluation } = batch;
    const { columns, loss, webAssembly } = this.#options;
    const tuned: number[] = [];
    const codes = this.#codes;
    codes.clear();
    const { genomes } = candidates;
    const { offsets } = genomes;
    const genome = this.#genome;
    for (const candidate of selection) {
      if (scores.status[candidate] !== 0 || !this.#isWorthIt(batch, scores, candidate, within)) continue;
      genome.words = genomes.room;
      genome.start = offsets[candidate]!;
      genome.end = offsets[candidate + 1]!;
      const count = this.#options.space.constantPlaces(genome, this.#places);
      if (!this.#hasVariable(count)) continue;
      this.#append(batch, candidate, count);
      tuned.push(candidate);
    }
    if (tuned.length === 0) return;
    const options = {
      ...(webAssembly !== undefined && { webAssembly }),
      ...(this.#workers && { workers: this.#workers }),
      ...(evaluation.signal && { signal: evaluation.signal }),
    };
    const fit = await fitConstants(codes, columns, {
      ...{
        loss,
        method,
        iterations,
        seed: (evaluation.seed ^ Math.imul(evaluation.batch, 0x9e3779b1)) >>> 0,
      },
      ...options,
    });
    const { bounds } = this.#options;
    const again =
      bounds === undefined && scores.cases === undefined
        ? undefined
        : await evaluateBatch(replaceConstants(codes, fit), columns, {
            ...{ loss, cases: scores.cases !== undefined },
            ...(bounds && { bounds }),
            ...options,
          });
    const rows = loss.target.length;
    for (const [place, candidate] of tuned.entries()) {
      if (fit.status[place] !== FitStatuses.ok) continue;
      const objective = -(again?.loss ?? fit.loss)[place]!;
      if (!(objective > scores.objective[candidate]!)) continue;
      scores.objective[candidate] = objective;
      scores.cases?.set(again!.cases!.subarray(place * rows, (place + 1) * rows), candidate * rows);
      this.#write(batch, candidate, fit.constants.subarray(fit.offsets[place], fit.offsets[place + 1]));
    }
  }

  /** Whether a loss is at most `within` times that of the elite of the candidate's cell. */
  #isWorthIt(
    { programs, evaluation: { archive } }: BatchInEvaluation,
    { objective }: Scores,
    candidate: number,
    within: number,
  ): boolean {
    const cell = archive.cellOf(programs.measures, candidate * archive.dimensions);
    const elite = cell < 0 ? -1 : archive.at(cell);
    return elite < 0 || -objective[candidate]! <= within * -archive.objective(elite);
  }

  #hasVariable(count: number): boolean {
    for (let k = 0; k < count; k++) if (this.#places[k]! >= 0) return true;
    return false;
  }

  /** Appends the code of a candidate; the constants that must not change get a type that is not fitted. */
  #append({ programs }: BatchInEvaluation, candidate: number, count: number): void {
    const { codes: from, codeOf } = programs;
    const codes = this.#codes;
    const code = codeOf[candidate]!;
    const first = codes.end;
    codes.appendCopy(from.room, from.offsets[code], from.offsets[code + 1]);
    const { room } = codes;
    const items = room[first + CodeWord.itemCount]!;
    let at = first + CodeWord.header;
    for (let item = 0, constant = 0; item < items && constant < count; item++) {
      const operation = room[at]!;
      if (operation === F32_CONSTANT) {
        // Constants that were fitted before are those of the genome.
        const place = this.#places[constant++]!;
        if (place < 0) room[at] = FIXED_CONSTANT;
        else room[at + 1] = this.#genome.words[this.#genome.start + place]!;
      }
      at += 1 + this.#operands.of(operation);
    }
  }

  #write({ candidates: { genomes } }: BatchInEvaluation, candidate: number, constants: Uint32Array): void {
    const genome = this.#genome;
    genome.words = genomes.room;
    genome.start = genomes.offsets[candidate]!;
    genome.end = genomes.offsets[candidate + 1]!;
    const count = this.#options.space.constantPlaces(genome, this.#places);
    for (let k = 0, fitted = 0; k < count; k++) {
      const place = this.#places[k]!;
      if (place >= 0) genome.words[genome.start + place] = constants[fitted++]!;
    }
  }
}
