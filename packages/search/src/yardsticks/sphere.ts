// The sphere of pyribs, and what pyribs finds on it.
import { type GridArchive, gridArchive } from "../archives/grid.js";
import type { CellArchiveOptions } from "../archives/options.js";
import type { Candidates, Scores } from "../candidates.js";
import type { Emitter } from "../emitters/emitter.js";
import { gaussian } from "../emitters/gaussian.js";
import { isoLine } from "../emitters/iso-line.js";
import type { Evaluator } from "../evaluation/evaluator.js";
import { Search } from "../search/search.js";
import { type VectorSpace, vectorSpace } from "../spaces/vector.js";

const LIMIT = 5.12;
const CENTRE = 2.048;
const WORST = 7.168;
const BINS = 100;
const MEASURES = ["first", "second"];
const BATCH = 540;

/** A problem with a known map. */
export interface IlluminationProblem {
  readonly measures: readonly string[];
  /** A space with the problem's dimensions. */
  space(): VectorSpace;
  /** An empty archive over the problem's measures. */
  archive(options?: CellArchiveOptions): GridArchive;
  /** The objective of the vector from `start` on; its measures are written from `at` on. */
  score(x: Float32Array, start: number, measures: Float64Array, at: number): number;
}

/**
 * The sphere of pyribs (linear projection; Fontaine et al., "Covariance matrix adaptation for the rapid illumination of behavior space",
 * GECCO 2020): the objective is from 0 to 100 within the limits; measures are sums of both halves, in which coordinates beyond the limits
 * count less.
 */
export function sphere(dimensions: number): IlluminationProblem {
  const half = dimensions / 2;
  const reach = half * LIMIT;
  const weight = 100 / (WORST * WORST * dimensions);
  return {
    measures: MEASURES,
    space: () => vectorSpace({ dimensions }),
    archive: (options) =>
      gridArchive({
        axes: MEASURES.map((name) => ({ name, min: -reach, max: reach, bins: BINS })),
        ...options,
      }),
    score(x, start, into, at) {
      let sum = 0;
      for (let part = 0, from = start; part < MEASURES.length; part++) {
        let measure = 0;
        for (let axis = 0; axis < half; axis++) {
          const value = x[from++]!;
          sum += (value - CENTRE) * (value - CENTRE);
          measure += value > LIMIT || value < -LIMIT ? LIMIT / value : value;
        }
        into[at + part] = measure;
      }
      return 100 - weight * sum;
    },
  };
}

/** A mean and a standard deviation. */
export type MeanAndDeviation = readonly [mean: number, deviation: number];

/** A search of the sphere with the figures of pyribs. */
export interface SphereSearch {
  readonly key: string;
  readonly name: string;
  readonly dimensions: number;
  /** New emitters for a run. */
  emitters(): Emitter[];
  /** QD scores divided by the number of cells, by the number of evaluations: of ten seeds of pyribs 0.12.0. */
  readonly scores: Readonly<Record<number, MeanAndDeviation>>;
  /** Coverage in percent after the last of these evaluations. */
  readonly coverage: MeanAndDeviation;
}

/** The seeds of the figures. */
export const SPHERE_SEEDS = 10;

const noise = (): Emitter[] => [gaussian({ sigma: 0.5 })];
const line = (): Emitter[] => [isoLine({ isoSigma: 0.5, lineSigma: 0.2 })];

/** The searches of the sphere whose figures are known. */
export const SPHERE_SEARCHES: readonly SphereSearch[] = [
  {
    ...{ key: "gaussian20", name: "sphere of 20, Gaussian 0.5", dimensions: 20, emitters: noise },
    scores: { 54000: [33.84, 0.44], 108000: [44.1, 0.34], 270000: [54.37, 0.24], 540000: [59.34, 0.15] },
    coverage: [75.18, 0.18],
  },
  {
    ...{ key: "line20", name: "sphere of 20, iso 0.5, line 0.2", dimensions: 20, emitters: line },
    scores: { 54000: [39.19, 0.46], 108000: [47.22, 0.31], 270000: [55, 0.29], 540000: [58.91, 0.2] },
    coverage: [74.52, 0.24],
  },
  {
    ...{ key: "gaussian100", name: "sphere of 100, Gaussian 0.5", dimensions: 100, emitters: noise },
    scores: { 54000: [13.33, 0.17], 108000: [17.67, 0.22], 270000: [23.91, 0.37], 540000: [28.7, 0.41] },
    coverage: [34.25, 0.57],
  },
  {
    ...{ key: "line100", name: "sphere of 100, iso 0.5, line 0.2", dimensions: 100, emitters: line },
    scores: { 54000: [21.54, 0.58], 108000: [27.85, 0.46], 270000: [35.49, 0.25], 540000: [40.21, 0.17] },
    coverage: [48.69, 0.21],
  },
];

/** Scores vectors of a problem. */
class IlluminationEvaluator implements Evaluator {
  readonly description = "yardstick";
  readonly measures: readonly string[];
  readonly failures = [];
  readonly #score: IlluminationProblem["score"];

  constructor({ measures, score }: IlluminationProblem) {
    this.measures = measures;
    this.#score = score;
  }

  evaluate({ genomes, count }: Candidates): Scores {
    const dimensions = this.measures.length;
    const numbers = new Float32Array(genomes.room.buffer);
    const objective = new Float64Array(count);
    const measures = new Float64Array(dimensions * count);
    for (let index = 0; index < count; index++)
      objective[index] = this.#score(numbers, genomes.offsets[index]!, measures, dimensions * index);
    return { status: new Uint8Array(count), objective, measures };
  }
}

/** What one search found after the evaluations of the figures. */
export interface SphereResult {
  readonly scores: Readonly<Record<number, number>>;
  readonly coverage: number;
}

/**
 * Searches with one seed.
 * @throws the reason of the signal
 */
export async function searchSphere(
  { dimensions, emitters, scores: published }: SphereSearch,
  seed: number,
  signal?: AbortSignal,
): Promise<SphereResult> {
  const problem = sphere(dimensions);
  const archive = problem.archive();
  const evaluator = new IlluminationEvaluator(problem);
  const search = new Search({
    ...{ space: problem.space(), archive, evaluator, emitters: emitters(), batchSize: BATCH, seed },
  });
  const evaluations = Object.keys(published).map(Number);
  const scores: Record<number, number> = {};
  for await (const event of search.run({
    evaluations: Math.max(...evaluations),
    ...(signal && { signal }),
  })) {
    if (event.type !== "end" && evaluations.includes(event.evaluations))
      scores[event.evaluations] = archive.qdScore / archive.cells;
  }
  signal?.throwIfAborted();
  return { scores, coverage: (100 * archive.count) / archive.cells };
}
