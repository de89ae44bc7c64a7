// Chooses the candidates that are worth evaluating.
import { type Check, isNumber, isWhole, unexpected } from "@mm-ptx/types/internal";
import { LearnError } from "./error.js";
import type { Predictor } from "./model/model.js";
import { checkFinite, checkFloats, checkOutputs, checkRows, invalid, readOptions } from "./options.js";
import { wordAt } from "./random.js";
import { Watch } from "./watch.js";

/** How candidates are chosen. */
export interface ScreenOptions {
  /** What scores the candidates: any model of this package, or an object with the same members. */
  readonly model: Predictor;
  /**
   * Judges the model: while the model is not useful, all candidates are chosen at random. Without a watch, the model is always trusted.
   */
  readonly watch?: Watch;
  /** The share of the chosen candidates that is random, from 0 to 1; default 0.1. */
  readonly explore?: number;
  /** Determines what is random: an integer from 0 to 2^32 - 1; default 0. */
  readonly seed?: number;
}

const isPredictor: Check = (value, name) => {
  const { columns, fitted, predictInto } = (value ?? {}) as Partial<Predictor>;
  const isModel =
    typeof columns === "number" && typeof fitted === "boolean" && typeof predictInto === "function";
  return isModel ? undefined : unexpected(name, "a model with `columns`, `fitted` and `predictInto`", value);
};

const CHECKS: Readonly<Record<keyof ScreenOptions, Check>> = {
  model: isPredictor,
  watch: (value, name) => (value instanceof Watch ? undefined : unexpected(name, "a Watch", value)),
  explore: isNumber(0, 1),
  seed: isWhole(0, 2 ** 32 - 1),
};
const DEFAULTS = { watch: undefined, explore: 0.1, seed: 0 };

/**
 * Chooses candidates by the score of a model, and some at random. It does not remember rejected candidates, so they can come back, and a
 * model that is not useful costs only its predictions.
 */
export class Screen {
  readonly model: Predictor;
  readonly watch: Watch | undefined;
  readonly explore: number;
  readonly #seed: number;
  #drawn = 0;
  #scores = new Float32Array();
  #order = new Uint32Array();
  /** The scores of the candidates that were chosen last, and their number. */
  #chosenScores = new Float32Array();
  #chosenCount = 0;
  #predicted = false;
  #filtered = false;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: ScreenOptions) {
    const taken = readOptions<ScreenOptions>(options, CHECKS, DEFAULTS);
    const { model, watch, explore, seed } = taken;
    this.model = model;
    this.watch = watch;
    this.explore = explore;
    this.#seed = seed;
  }

  /** Whether the model took part in the last choice. */
  get filtered(): boolean {
    return this.#filtered;
  }

  /**
   * Chooses candidates, each at most once: first those to keep, then by score, then at random. If the share is not a whole number of
   * candidates, one more is random as often as the fraction says.
   * @param candidates consecutive rows
   * @param count how many to choose; if there are fewer candidates, all are chosen
   * @param chosen receives their indices
   * @param keep the number of candidates at the beginning that are chosen in any case, such as the best so far
   * @returns the number of candidates that were chosen
   * @throws LearnError INVALID_ARGUMENT, NOT_FINITE, also for scores of a model of your own; nothing is written in these cases
   */
  choose(candidates: Float32Array, count: number, chosen: Uint32Array, keep = 0): number {
    const total = checkRows("candidates", candidates, this.model.columns);
    if (!Number.isInteger(count) || count < 0) throw invalid("a count of candidates", count);
    if (!(chosen instanceof Uint32Array)) throw invalid("`chosen` to be a Uint32Array", chosen);
    const size = Math.min(count, total);
    if (chosen.length < size) throw invalid(`room for ${size} indices`, chosen.length);
    if (!Number.isInteger(keep) || keep < 0 || keep > size)
      throw invalid(`at most ${size} candidates to keep`, keep);
    this.#reserve(total);
    const scores = this.#scores.subarray(0, total);
    this.#predicted = this.model.fitted;
    if (this.#predicted) this.model.predictInto(candidates, scores);
    // Models of this package give finite scores; others may not.
    checkFinite("scores", scores, 1);
    this.#filtered = this.#predicted && (this.watch?.useful ?? true);
    const order = this.#order.subarray(0, total);
    for (let index = 0; index < total; index++) order[index] = index;
    const random = this.#filtered ? this.#share(size - keep) : size - keep;
    if (random < size - keep) order.subarray(keep).sort((a, b) => scores[b]! - scores[a]! || a - b);
    for (let place = size - random; place < size; place++) {
      const other = place + Math.floor(this.#fraction() * (total - place));
      const index = order[other]!;
      order[other] = order[place]!;
      order[place] = index;
    }
    for (let place = 0; place < size; place++) {
      chosen[place] = order[place]!;
      this.#chosenScores[place] = scores[order[place]!]!;
    }
    this.#chosenCount = size;
    return size;
  }

  /**
   * Reports the results of the candidates that were chosen last, in order, to the watch. Call it before the model learns from them.
   * @param truths a NaN is a candidate without a result, which does not count
   * @throws LearnError INVALID_ARGUMENT, or NOT_FINITE for an infinity; nothing is reported in these cases
   */
  tell(truths: Float32Array): void {
    checkFloats("truths", truths);
    checkOutputs("truths", truths, this.#chosenCount);
    const infinite = truths.findIndex((truth) => Math.abs(truth) === Number.POSITIVE_INFINITY);
    if (infinite >= 0) {
      throw new LearnError(
        "NOT_FINITE",
        `expected finite truths or NaN, found ${truths[infinite]} as \`truths\`[${infinite}]`,
      );
    }
    if (this.#predicted) {
      for (let place = 0; place < this.#chosenCount; place++) {
        if (!Number.isNaN(truths[place]!)) this.watch?.add(this.#chosenScores[place]!, truths[place]!);
      }
    }
    this.#chosenCount = 0;
  }

  /** How many of the chosen are random. */
  #share(size: number): number {
    return Math.min(size, Math.floor(this.explore * size + this.#fraction()));
  }

  /** A number from 0 to 1 (exclusive). */
  #fraction(): number {
    return wordAt(this.#seed, this.#drawn++) / 2 ** 32;
  }

  /** Makes room for as many candidates. */
  #reserve(total: number): void {
    if (this.#scores.length >= total) return;
    this.#scores = new Float32Array(total);
    this.#chosenScores = new Float32Array(total);
    this.#order = new Uint32Array(total);
  }
}
