// An evaluator that asks a model which candidates are worth an evaluation. The model learns from the evaluations of the same search.
import { type Predictor, Screen, type WatchReport } from "@mm-ptx/learn";
import { Candidates, chooseCandidates, copyGenomes, type Scores } from "../candidates.js";
import { Draws } from "../draws.js";
import { type EvaluatedBatch, type Evaluation, type Evaluator, SCREENED } from "../evaluation/evaluator.js";
import { joinParts, partOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import type { Space } from "../spaces/space.js";
import { FeatureWriter } from "./features.js";
import { Learner } from "./learner.js";
import { Reason } from "./lottery.js";
import { type ReadScreeningOptions, readScreeningOptions, type ScreeningOptions } from "./options.js";
import { findRivals, RIVAL_COLUMNS, type Rivals } from "./rivals.js";
import { type Label, type Target, targetOf } from "./target.js";

/** What the draws of screens use instead of the number of a candidate. */
const SCREEN = 0xfffffffd;
const WORDS = 4;

/** What was predicted in a batch, and what came. */
export interface ScreenReport {
  readonly predicts: string;
  /** The number of candidates that there were to choose from. */
  readonly candidates: number;
  /** Whether the model took part in the choice; otherwise it was random. */
  readonly filtered: boolean;
  /** The candidates that were evaluated: their indices in the batch, in ascending order. */
  readonly chosen: Uint32Array;
  /** For each of them the prediction; NaN before the model has learned anything. */
  readonly predicted: Float64Array;
  /** For each of them what came; NaN if the evaluation failed. For `enters`, 1, or how close it came: from -1 to 0. */
  readonly came: Float64Array;
  /** What the last predictions were worth. */
  readonly watch: WatchReport;
}

/** A batch whose scores have not been learned yet. */
interface Screened {
  readonly candidates: Candidates;
  readonly filtered: boolean;
  readonly chosen: Uint32Array;
  /** Why each of them was chosen, by their indices in the batch. */
  readonly reasons: Uint8Array;
  /** The features of all candidates, and their scores if the model could predict. */
  readonly rows: Float32Array;
  readonly scores: Float32Array | undefined;
  readonly rivals: Rivals;
}

/** Wraps the evaluator of a search. */
export class Screening implements Evaluator {
  readonly description: Plain;
  readonly measures: readonly string[];
  readonly failures: readonly string[];
  readonly cases: number | undefined;
  readonly #evaluator: Evaluator;
  readonly #space: Space;
  readonly #options: ReadScreeningOptions;
  readonly #target: Target;
  readonly #features: FeatureWriter;
  readonly #learner: Learner;
  readonly #batchSize: number;
  readonly #chosen = new Candidates();
  readonly #draws = new Draws();
  #screened: Screened | undefined;
  #report: ScreenReport | undefined;

  /** @throws SearchError INVALID_ARGUMENT, FILE_FORMAT */
  constructor(
    evaluator: Evaluator,
    { space, batchSize, screen }: { space: Space; batchSize: number; screen: ScreeningOptions },
  ) {
    const options = readScreeningOptions(screen, space, evaluator.measures);
    const { candidates, explore, model, window, every, watch } = options;
    this.#evaluator = evaluator;
    this.#space = space;
    this.#options = options;
    this.#target = targetOf(options.predicts);
    this.#features = new FeatureWriter(options, space.mostWords);
    const columns = this.#features.columns + RIVAL_COLUMNS;
    this.#learner = new Learner({ columns, model, window, every, watch });
    this.#batchSize = batchSize;
    this.measures = evaluator.measures;
    this.failures = [...new Set([...evaluator.failures, SCREENED])];
    this.cases = evaluator.cases;
    this.description = {
      ...{
        evaluator: "screening",
        of: evaluator.description,
        predicts: this.#target.name,
        candidates,
        explore,
      },
      ...{ model: model instanceof Uint8Array ? "saved trees" : model, features: this.#features.name },
      ...{ measures: options.measures?.map(({ description }) => description) ?? null },
      ...{ window, every, watch: { ...watch } },
    };
  }

  get excess(): number {
    return this.#learner.useful ? this.#options.candidates : 1;
  }

  /** What was predicted in the batch that was learned last. */
  get report(): ScreenReport | undefined {
    return this.#report;
  }

  async evaluate(candidates: Candidates, evaluation: Evaluation): Promise<Scores> {
    const screened = await this.#choose(candidates, evaluation);
    this.#screened = screened;
    const part = this.#chosen;
    chooseCandidates(candidates, screened.chosen, part);
    const scores = await this.#evaluator.evaluate(part, evaluation);
    copyGenomes(part, screened.chosen, candidates);
    return this.#expanded(scores, candidates.count, screened.chosen);
  }

  learn(batch: EvaluatedBatch): void {
    const screened = this.#screened;
    this.#screened = undefined;
    this.#report = undefined;
    // All candidates of the batch were made before.
    if (screened === undefined || screened.candidates !== batch.candidates) return;
    this.#evaluator.learn?.(batch);
    const { chosen, reasons, scores: predictions, rows, rivals, filtered } = screened;
    const { columns } = this.#learner;
    const target = this.#target;
    const names = this.measures;
    const outcome = { scores: batch.scores, additions: batch.additions, names, references: rivals.objective };
    const labels = Array.from(chosen, (index) => {
      const label: Label = { label: Number.NaN, truth: Number.NaN };
      target.read(outcome, index, label);
      return label;
    });
    // All predictions are compared before the first row is learned.
    for (const [place, index] of chosen.entries()) {
      const { truth } = labels[place]!;
      if (predictions !== undefined && !Number.isNaN(truth))
        this.#learner.compare(predictions[index]!, truth, reasons[index]!);
    }
    const signature = new Uint32Array(WORDS);
    const { offsets, room } = batch.candidates.genomes;
    for (const [place, index] of chosen.entries()) {
      const { label } = labels[place]!;
      if (Number.isNaN(label)) continue;
      this.#space.signature({ words: room, start: offsets[index]!, end: offsets[index + 1]! }, signature);
      this.#learner.add(rows.subarray(index * columns, (index + 1) * columns), label, signature);
    }
    this.#learner.fitIfDue();
    const shown = (value: number | undefined): number =>
      value === undefined ? Number.NaN : target.sign * value + 0;
    this.#report = {
      ...{ predicts: target.name, candidates: batch.candidates.count, filtered, chosen },
      predicted: Float64Array.from(chosen, (index) => shown(predictions?.[index])),
      came: Float64Array.from(labels, ({ truth }) => shown(truth)),
      watch: this.#learner.watch.report(),
    };
  }

  state(): PartState {
    return joinParts({ learner: this.#learner.state(), evaluator: this.#evaluator.state?.() });
  }

  restore(state: PartState): void {
    const learner = partOf(state, "learner");
    const evaluator = partOf(state, "evaluator");
    if (learner !== undefined) this.#learner.restore(learner);
    if (evaluator !== undefined) this.#evaluator.restore?.(evaluator);
  }

  /** Which candidates are evaluated. It depends on nothing that an evaluation changes, because one that was aborted is repeated. */
  async #choose(candidates: Candidates, { archive, seed, batch }: Evaluation): Promise<Screened> {
    const { count } = candidates;
    const { columns, predictor, useful } = this.#learner;
    const rows = new Float32Array(count * columns);
    const measures = await this.#features.write(candidates, rows, columns);
    const rivals = findRivals(candidates, archive, measures, rows, this.#features.columns, columns);
    // What a model predicts that is not useful is watched as well.
    const scores = predictor.fitted ? new Float32Array(count) : undefined;
    if (scores !== undefined) predictor.predictInto(rows, scores);
    const ranked = scores?.slice() ?? new Float32Array(count);
    if (scores !== undefined && this.#target.grouped) rankInGroups(scores, rivals.group, ranked);
    const model: Predictor = {
      ...{ columns, fitted: useful },
      predictInto: (_, into) => into.set(ranked),
    };
    this.#draws.start(seed, batch, SCREEN);
    const { explore } = this.#options;
    const screen = new Screen({ model, explore, seed: this.#draws.word() });
    const chosen = new Uint32Array(Math.min(count, this.#batchSize));
    screen.choose(rows, this.#batchSize, chosen);
    const filtered = screen.filtered && chosen.length < count;
    const reasons = filtered ? reasonsOf(chosen, ranked, count) : new Uint8Array(count);
    chosen.sort();
    return { candidates, filtered, chosen, reasons, rows, scores, rivals };
  }

  /** The scores of all candidates, of which only some were evaluated. */
  #expanded(scores: Scores, count: number, chosen: Uint32Array): Scores {
    const dimensions = this.measures.length;
    const spread = (from: Float64Array, width: number): Float64Array => {
      const to = new Float64Array(count * width);
      for (const [place, index] of chosen.entries())
        to.set(from.subarray(place * width, (place + 1) * width), index * width);
      return to;
    };
    const { cases, fields } = scores;
    const status = new Uint8Array(count).fill(1 + this.failures.indexOf(SCREENED));
    for (const [place, index] of chosen.entries()) status[index] = scores.status[place]!;
    return {
      ...{ status, objective: spread(scores.objective, 1), measures: spread(scores.measures, dimensions) },
      ...(cases && { cases: spread(cases, cases.length / chosen.length) }),
      ...(fields && {
        fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, spread(field, 1)])),
      }),
    };
  }
}

/** Why candidates were chosen: a screen puts those with the best scores first, in order, and then random ones. */
function reasonsOf(chosen: Uint32Array, scores: Float32Array, count: number): Uint8Array {
  const reasons = new Uint8Array(count);
  const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const random = chosen.findIndex((index, place) => index !== order[place]);
  for (const [place, index] of chosen.entries())
    reasons[index] = random < 0 || place < random ? Reason.model : Reason.chance;
  return reasons;
}

/** Scores such that the best of each group come first, then the second ones, and so on; of equal ranks, the greater score is better. */
function rankInGroups(scores: Float32Array, group: Int32Array, ranked: Float32Array): void {
  const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const ranks = new Map<number, number>();
  for (const [place, index] of order.entries()) {
    const rank = ranks.get(group[index]!) ?? 0;
    ranks.set(group[index]!, rank + 1);
    // Both parts are exact as f32 for batches of up to 4,096; in larger ones, equal ranks are in the order of the batch.
    ranked[index] = -rank - place / scores.length;
  }
}
