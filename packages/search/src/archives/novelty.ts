// The novelty archive: candidates whose measures are far from those of others.
import type { CodeBatch } from "@mm-ptx/types/code";
import { isList, isNumber, isOneOf, isPositive, isRecord, isText, isWhole } from "@mm-ptx/types/internal";
import type { Scores } from "../candidates.js";
import { invalid, readOptions } from "../options.js";
import { AdditionStatus, type Additions, type Archive } from "./archive.js";
import { EliteArchive } from "./elite-archive.js";
import {
  describeSettings,
  ELITE_CHECKS,
  type EliteOptions,
  eliteSettings,
  refuseRepeated,
} from "./options.js";

/** A measure of a novelty archive. */
export interface NoveltyMeasure {
  readonly name: string;
  /** What counts as a distance of 1; the default is 1. */
  readonly scale?: number;
}

/** Options of `noveltyArchive`. */
export interface NoveltyArchiveOptions extends EliteOptions {
  /** One for each measure, in their order. */
  readonly measures: readonly NoveltyMeasure[];
  /** The lowest novelty with which a candidate is added. */
  readonly threshold: number;
  /** The novelty of a candidate is its mean distance from this many of the nearest elites; the default is 15. */
  readonly neighbours?: number;
  /** The most elites; the default is 10,000. A novel candidate replaces the oldest elite of a full archive. */
  readonly capacity?: number;
  /**
   * What the objective of an elite is: that of the candidate (`given`, the default), or its novelty when it was added. With `given`, a
   * candidate that is not novel replaces the elite that is nearest to it if its objective is greater.
   */
  readonly score?: "given" | "novelty";
}

/** An archive of candidates that are different from each other. */
export interface NoveltyArchive extends Archive {
  readonly kind: "novelty";
  readonly cells: undefined;
}

const CHECKS = {
  ...ELITE_CHECKS,
  measures: isList(isRecord({ name: isText }, { scale: isPositive })),
  threshold: isNumber(0, Number.MAX_VALUE),
  neighbours: isWhole(1, 1000),
  capacity: isWhole(1, 2 ** 20),
  score: isOneOf(["given", "novelty"]),
};

/**
 * Makes an archive of candidates that are far from all others in their measures (Lehman and Stanley, "Abandoning objectives: evolution
 * through the search for novelty alone", 2011). The first candidate is always added, with the threshold as its novelty. A candidate is
 * compared with all elites, so a full archive takes microseconds for each.
 * @throws SearchError INVALID_ARGUMENT
 */
export function noveltyArchive(options: NoveltyArchiveOptions): NoveltyArchive {
  const taken = readOptions<NoveltyArchiveOptions>(options, CHECKS, { required: ["measures", "threshold"] });
  if (taken.measures.length === 0) throw invalid("at least one measure", "none");
  refuseRepeated(
    "measures",
    taken.measures.map(({ name }) => name),
  );
  return new Novelty(taken);
}

class Novelty extends EliteArchive implements NoveltyArchive {
  declare readonly kind: "novelty";
  readonly cells = undefined;
  readonly #threshold: number;
  readonly #capacity: number;
  readonly #isGiven: boolean;
  readonly #scales: Float64Array;
  /** The squares of the distances to the nearest elites, the least first. */
  readonly #nearest: Float64Array;
  /** The elite that is nearest. */
  #first = -1;
  /** The novelty of each candidate of a batch. */
  #novelty = new Float64Array(0);

  constructor(options: NoveltyArchiveOptions) {
    const { measures, threshold, neighbours = 15, capacity = 10_000, score = "given", ...rest } = options;
    const settings = eliteSettings(rest);
    const described = measures.map(({ name, scale = 1 }) => ({ name, scale }));
    super(
      "novelty",
      {
        kind: "novelty",
        measures: described,
        threshold,
        neighbours,
        capacity,
        score,
        ...describeSettings(settings),
      },
      measures.map(({ name }) => name),
      settings,
    );
    this.#threshold = threshold;
    this.#capacity = capacity;
    this.#isGiven = score === "given";
    this.#scales = Float64Array.from(described, ({ scale }) => scale);
    this.#nearest = new Float64Array(neighbours);
  }

  add(genomes: CodeBatch, scores: Scores, serial: number): Additions {
    const additions = this.start(genomes, scores, this.#capacity);
    const { elites } = this;
    const { words, offsets } = genomes;
    const count = offsets.length - 1;
    const { status, value, cell } = additions;
    if (this.#novelty.length < count) this.#novelty = new Float64Array(count);
    const judged = this.#isGiven ? scores : { ...scores, objective: this.#novelty };
    for (let candidate = 0; candidate < count; candidate++) {
      cell[candidate] = -1;
      status[candidate] = AdditionStatus.rejected;
      value[candidate] = -Infinity;
      if (scores.status[candidate] !== 0) continue;
      const novelty = this.#noveltyOf(scores.measures, candidate * this.dimensions);
      this.#novelty[candidate] = novelty;
      const objective = judged.objective[candidate]!;
      let elite = this.#first;
      if (novelty >= this.#threshold) {
        status[candidate] = AdditionStatus.added;
        value[candidate] = objective;
        additions.added++;
        elite = elites.count < this.#capacity ? elites.count++ : this.#oldest();
      } else {
        value[candidate] = this.#isGiven ? objective - elites.objective[elite]! : novelty - this.#threshold;
        if (value[candidate]! <= 0) continue;
        status[candidate] = AdditionStatus.improved;
        additions.improved++;
      }
      const [start, end] = [offsets[candidate]!, offsets[candidate + 1]!];
      elites.cell[elite] = -1;
      elites.set(elite, words, start, end, judged, candidate, serial + candidate);
    }
    return additions;
  }

  /** The mean distance from the nearest elites; the threshold without elites. */
  #noveltyOf(measures: Float64Array, start: number): number {
    const { elites, dimensions } = this;
    const [nearest, scales] = [this.#nearest, this.#scales];
    const others = elites.measures;
    let found = 0;
    this.#first = -1;
    for (let elite = 0, at = 0; elite < elites.count; elite++) {
      let distance = 0;
      for (let axis = 0; axis < dimensions; axis++) {
        const step = (measures[start + axis]! - others[at++]!) / scales[axis]!;
        distance += step * step;
      }
      if (found === nearest.length && !(distance < nearest[found - 1]!)) continue;
      let place = found < nearest.length ? found++ : found - 1;
      for (; place > 0 && nearest[place - 1]! > distance; place--) nearest[place] = nearest[place - 1]!;
      nearest[place] = distance;
      if (place === 0) this.#first = elite;
    }
    if (found === 0) return this.#threshold;
    let sum = 0;
    for (let place = 0; place < found; place++) sum += Math.sqrt(nearest[place]!);
    return Math.min(sum / found, Number.MAX_VALUE);
  }

  #oldest(): number {
    const { serial, count } = this.elites;
    let oldest = 0;
    for (let elite = 1; elite < count; elite++) if (serial[elite]! < serial[oldest]!) oldest = elite;
    return oldest;
  }
}
