// Compares predictions with the truth that came later: is a model worth asking?
import { type Check, isNumber, isWhole } from "@mm-ptx/types/internal";
import { LearnError } from "./error.js";
import { tenthOf } from "./model/labels.js";
import { readOptions } from "./options.js";

/** How predictions are watched. */
export interface WatchOptions {
  /** How many of the latest predictions count, from 10 to 65,536; default 500. */
  readonly window?: number;
  /** The number of predictions that are needed before a model can be useful; default 100. */
  readonly least?: number;
  /** How much better than chance the recall must be, from 0 to 1; default 0.1. */
  readonly margin?: number;
}

const CHECKS: Readonly<Record<keyof WatchOptions, Check>> = {
  window: isWhole(10, 65_536),
  least: isWhole(1, 65_536),
  margin: isNumber(0, 1),
};
const DEFAULTS = { window: 500, least: 100, margin: 0.1 };

/** How many deviations a recall has to be above chance. */
const SURE = 3;

/** The predictions of a tenth, in the order of their scores. */
export interface Decile {
  readonly count: number;
  readonly meanScore: number;
  readonly meanTruth: number;
}

/** How good the predictions of a window were. */
export interface WatchReport {
  /** The number of predictions in the window. */
  readonly count: number;
  /** The share of the best tenth by truth that is in the first tenth by score, and what that share would be by chance. */
  readonly recall: number;
  readonly chance: number;
  /** 0 for chance or less, 1 if the first tenth is exactly the best tenth. */
  readonly worth: number;
  /** Spearman's rank correlation; 0 if all scores or all truths are equal. */
  readonly rho: number;
  /** The predictions by score, from the lowest tenth to the highest. */
  readonly deciles: readonly Decile[];
}

/**
 * Keeps the latest predictions with the truth that came later. Add each prediction before its row is learned. A model is judged by
 * whether its first tenth contains the best tenth, because a search uses only that part; the rank correlation over all rows can be high
 * even if it does not.
 */
export class Watch {
  readonly window: number;
  readonly least: number;
  readonly margin: number;
  readonly #scores: Float64Array;
  readonly #truths: Float64Array;
  #added = 0;
  #report: WatchReport | undefined;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: WatchOptions = {}) {
    const { window, least, margin } = readOptions<WatchOptions>(options, CHECKS, DEFAULTS);
    if (least > window) {
      const message = `option \`least\`: expected at most ${window}, which is the window, found ${least}`;
      throw new LearnError("INVALID_ARGUMENT", message);
    }
    this.window = window;
    this.least = least;
    this.margin = margin;
    this.#scores = new Float64Array(window);
    this.#truths = new Float64Array(window);
  }

  /** The number of predictions in the window. */
  get count(): number {
    return Math.min(this.#added, this.window);
  }

  /**
   * Whether there are enough predictions, and their recall is better than chance: by the margin, and by three deviations of what chance
   * gives for as many predictions.
   */
  get useful(): boolean {
    if (this.count < this.least) return false;
    const { count, recall, chance } = this.report();
    const deviation = Math.sqrt((chance * (1 - chance)) / tenthOf(count));
    return chance < 1 && recall >= chance + Math.max(this.margin, SURE * deviation);
  }

  /**
   * Adds a prediction and the truth.
   * @throws LearnError NOT_FINITE
   */
  add(score: number, truth: number): void {
    if (!Number.isFinite(score))
      throw new LearnError("NOT_FINITE", `expected a finite score, found ${score}`);
    if (!Number.isFinite(truth))
      throw new LearnError("NOT_FINITE", `expected a finite truth, found ${truth}`);
    const at = this.#added % this.window;
    this.#scores[at] = score;
    this.#truths[at] = truth;
    this.#added++;
    this.#report = undefined;
  }

  /** How good the predictions in the window were. */
  report(): WatchReport {
    this.#report ??= reportOf(this.#scores.subarray(0, this.count), this.#truths.subarray(0, this.count));
    return this.#report;
  }
}

function reportOf(scores: Float64Array, truths: Float64Array): WatchReport {
  const count = scores.length;
  if (count === 0) return { count, recall: 0, chance: 0, worth: 0, rho: 0, deciles: [] };
  const byScore = descending(scores);
  const size = tenthOf(count);
  const least = truths[descending(truths)[size - 1]!]!;
  const chance = truths.filter((truth) => truth >= least).length / count;
  const recall = byScore.slice(0, size).filter((index) => truths[index]! >= least).length / size;
  const worth = chance === 1 ? 0 : Math.max(0, (recall - chance) / (1 - chance));
  return {
    count,
    recall,
    chance,
    worth,
    rho: spearman(scores, truths),
    deciles: decilesOf(byScore, scores, truths),
  };
}

/** Indices by descending values; equal ones keep their order. */
const descending = (values: Float64Array): Uint32Array =>
  Uint32Array.from(values.keys()).sort((a, b) => values[b]! - values[a]! || a - b);

function decilesOf(byScore: Uint32Array, scores: Float64Array, truths: Float64Array): Decile[] {
  const ascending = byScore.slice().reverse();
  return Array.from({ length: 10 }, (_, tenth) => {
    const [start, end] = [tenth, tenth + 1].map((part) => Math.floor((part * ascending.length) / 10));
    const indices = ascending.subarray(start, end);
    const mean = (values: Float64Array) =>
      indices.reduce((sum, index) => sum + values[index]!, 0) / indices.length;
    return { count: indices.length, meanScore: mean(scores), meanTruth: mean(truths) };
  }).filter((decile) => decile.count > 0);
}

/** The correlation of ranks, where equal values share the mean of theirs. */
function spearman(first: Float64Array, second: Float64Array): number {
  const [a, b] = [ranksOf(first), ranksOf(second)];
  const middle = (a.length - 1) / 2;
  let [products, squaresA, squaresB] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index]! - middle, b[index]! - middle];
    products += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return squaresA === 0 || squaresB === 0 ? 0 : products / Math.sqrt(squaresA * squaresB);
}

function ranksOf(values: Float64Array): Float64Array {
  const order = descending(values);
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let index = start; index < end; index++) ranks[order[index]!] = (start + end - 1) / 2;
    start = end;
  }
  return ranks;
}
