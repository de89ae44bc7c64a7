// Predicts what programs cost before they are compiled, and decides which are not worth it.
import { CODE_FEATURES } from "@mm-ptx/types/code";
import { quoted } from "@mm-ptx/types/internal";
import { refuse } from "../check.js";
import type { PredictedFigures, ProgramFailure, ProgramOutcome } from "../results/result.js";
import type { BoundSite } from "../sites/bind.js";
import { FigureModel } from "./figure-model.js";
import {
  type PredictedFigure,
  type PredictOptions,
  type ReadPredictOptions,
  readPredictOptions,
} from "./options.js";

/** What is known of a program before it is compiled. */
export interface Prediction {
  readonly features: Float32Array;
  /** The predictions, as results have them. */
  readonly figures: PredictedFigures;
  /** Why the program is not worth compiling, with or without being compiled all the same. */
  readonly failure: ProgramFailure | undefined;
  /** Whether it is compiled although it is not worth it. */
  readonly explores: boolean;
}

const KEYS: Readonly<Record<PredictedFigure, keyof PredictedFigures>> = {
  registers: "predictedRegisters",
  spills: "predictedSpills",
  codeBytes: "predictedCodeBytes",
  siteBytes: "predictedSiteBytes",
  microseconds: "predictedMicroseconds",
};

export class CostPredictor {
  readonly #options: ReadPredictOptions;
  readonly #sites: readonly BoundSite[];
  readonly #models: ReadonlyMap<PredictedFigure, FigureModel>;
  #state: number;

  /** @throws PipelineError INVALID_ARGUMENT */
  constructor(options: PredictOptions, sites: readonly BoundSite[]) {
    this.#options = readPredictOptions(options);
    const other = sites.find(({ writer }) => writer.describe === undefined);
    if (other !== undefined)
      throw refuse(
        `expected sites that programs of Stack PTX or AST PTX fill with \`predict\`, found text at site ${quoted(other.name)}`,
      );
    const { figures, least, window, seed } = this.#options;
    const columns = sites.length * CODE_FEATURES.length;
    this.#sites = sites;
    this.#models = new Map(figures.map((name) => [name, new FigureModel(columns, least, window)]));
    this.#state = seed;
  }

  /** Predicts a program, given those of all sites. Throws what the compilers throw for programs that have no stub. */
  predict(programs: readonly unknown[]): Prediction {
    const width = CODE_FEATURES.length;
    const features = new Float32Array(this.#sites.length * width);
    for (const [index, { writer }] of this.#sites.entries())
      writer.describe!(programs[index], features.subarray(index * width, (index + 1) * width));
    const figures: Record<string, number | null> = {};
    let failure: ProgramFailure | undefined;
    for (const [name, model] of this.#models) {
      const predicted = model.predict(features);
      figures[KEYS[name]] = predicted;
      failure ??= this.#judge(name, model, predicted);
    }
    const explores = failure !== undefined && this.#fraction() < this.#options.explore;
    return { features, figures, failure, explores };
  }

  /** Whether what came of a program is within all limits. */
  isWithin(outcome: ProgramOutcome): boolean {
    return Object.entries(this.#options.limits).every(
      ([name, limit]) => (outcome[name as PredictedFigure] ?? Number.POSITIVE_INFINITY) <= limit,
    );
  }

  /**
   * Learns what came of a program.
   * @param own whether the figures are those of this program alone, and not of a pack of alternatives
   */
  learn({ features, figures }: Prediction, outcome: ProgramOutcome, own: boolean): void {
    for (const [name, model] of this.#models) {
      const came = outcome[name];
      const isOwn = own || name === "siteBytes" || name === "microseconds";
      if (came !== undefined && isOwn) model.learn(features, figures[KEYS[name]] ?? null, came);
    }
  }

  #judge(name: PredictedFigure, model: FigureModel, predicted: number | null): ProgramFailure | undefined {
    const limit = this.#options.limits[name];
    if (limit === undefined || predicted === null) return undefined;
    const confidence = model.confidence(predicted, limit);
    if (confidence < this.#options.confidence) return undefined;
    const shown = Number(predicted.toPrecision(4));
    const message = `expected at most ${limit} as \`${name}\`, found a prediction of ${shown}, which is above it with a confidence of ${confidence.toFixed(3)}`;
    return { code: "SCREENED", message };
  }

  /** The next number from 0 to 1 (exclusive): splitmix32. */
  #fraction(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }
}
