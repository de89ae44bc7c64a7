// The emitter of CMA-ME: CMA-ES whose candidates are ordered by what they did to the archive.
import { type Check, isOneOf, isPositive, isWhole } from "@mm-ptx/types/internal";
import { type Candidates, NO_OPERATOR, NO_PARENT } from "../candidates.js";
import { normal } from "../normal.js";
import { invalid, readOptions } from "../options.js";
import { joinParts, numberOf, numbersOf, partOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import { isVector } from "../spaces/vector-options.js";
import { CmaDistribution } from "./cma-es-distribution.js";
import { type CmaEsRanker, CmaGeneration } from "./cma-es-generation.js";
import type { Emission, Emitter, Feedback } from "./emitter.js";
import { EliteVectors, firstVector, vectorRoom, vectorsOf } from "./vector-genomes.js";

/** What determines an emitter of CMA-ES. */
export interface CmaEsOptions {
  /** The standard deviation at the start and after each restart. */
  readonly sigma0: number;
  /** The first mean; by default the initial vector of the space. Restarts begin at a random elite. */
  readonly x0?: readonly number[];
  /** How many candidates the distribution learns from at a time; by default, all that the search asks for at a time. */
  readonly batch?: number;
  /**
   * What candidates are ordered by. `2imp` (the default): those in new cells first, then those that improved one, then the others, each by
   * their improvement; `imp`: by their improvement, which CMA-MAE needs; `2rd`: as `2imp`, but along a random direction of the measures;
   * `obj`: by their objective.
   */
  readonly ranker?: CmaEsRanker;
  /** Which candidates are parents: with `filter` (the default) those that were added or improved a cell, with `mu` the better half. */
  readonly selection?: "filter" | "mu";
  /**
   * When to restart, besides when the distribution has collapsed (`basic`): when no candidate of a generation was added
   * (`no_improvement`, the default), or after this number of generations.
   */
  readonly restart?: "basic" | "no_improvement" | number;
}

/** How often a candidate is drawn again that is out of bounds, before it is moved into them. */
const MOST_TRIES = 100;
/** Candidates say by their tags from which generation they are. */
const TAG_MASK = 0x7fffffff;
const RESTARTS = ["basic", "no_improvement"];

const CHECKS: Readonly<Record<keyof CmaEsOptions, Check>> = {
  sigma0: isPositive,
  x0: isVector,
  batch: isWhole(2, 2 ** 20),
  ranker: isOneOf(["2imp", "imp", "2rd", "obj"]),
  selection: isOneOf(["filter", "mu"]),
  restart: (value, name) =>
    typeof value === "number" ? isWhole(1, 2 ** 31)(value, name) : isOneOf(RESTARTS)(value, name),
};

/**
 * Makes an emitter of vectors that follows CMA-ES: CMA-ME (Fontaine et al., "Covariance matrix adaptation for the rapid illumination of
 * behavior space", GECCO 2020), and with thresholds in the archive and the ranker `imp`, CMA-MAE. Give a search several of them. In a
 * search with `ahead: 1`, every second batch is of an older generation, of which nothing is learned.
 * @throws SearchError INVALID_ARGUMENT
 */
export const cmaEs = (options: CmaEsOptions): Emitter => new CmaEsEmitter(options);

class CmaEsEmitter implements Emitter {
  readonly kind = "cmaEs";
  readonly description: Plain;
  readonly #options;
  /** Made at the first batch, which tells the number of dimensions. */
  #learned: Learned | undefined;
  /** Counts generations; candidates have its lowest bits as tags. */
  #generation = 0;
  /** How many generations the distribution has learned from, and how often it began again. */
  #lessons = 0;
  #restarts = 0;
  /** Whether to begin again with the next batch, whose random numbers say where. */
  #isOver = true;

  constructor(options: CmaEsOptions) {
    const taken = readOptions<CmaEsOptions>(options, CHECKS, { required: ["sigma0"] });
    const { sigma0, x0, batch, ranker = "2imp", selection = "filter", restart = "no_improvement" } = taken;
    this.#options = { sigma0, x0, batch, ranker, selection, restart };
    this.description = {
      kind: this.kind,
      sigma0,
      ...(x0 && { x0: [...x0] }),
      ...(batch && { batch }),
      ranker,
      selection,
      restart,
    };
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const space = vectorsOf(emission.space, this.kind);
    const { dimensions } = space;
    this.#learned ??= new Learned(dimensions, emission.archive.dimensions);
    const { distribution, direction } = this.#learned;
    if (distribution.dimensions !== dimensions) {
      throw invalid(`a space of ${distribution.dimensions} dimensions as before`, dimensions);
    }
    if (this.#isOver) this.#begin(emission, firstVector(space, this.#options.x0), direction);
    distribution.prepare(this.#options.batch ?? count);
    const { values, at } = vectorRoom(out, count, dimensions);
    const tag = this.#generation & TAG_MASK;
    for (let candidate = 0, to = at; candidate < count; candidate++, to += dimensions) {
      const draws = emission.next();
      let tries = 0;
      do distribution.sample(draws, values, to);
      while (++tries < MOST_TRIES && !space.contains(values, to));
      space.confine(values, to);
      out.genomes.append(to + dimensions);
      out.describe(NO_OPERATOR, NO_PARENT, NO_PARENT, tag);
    }
  }

  tell(feedback: Feedback): void {
    if (this.#learned === undefined) return;
    const { samples, direction } = this.#learned;
    const { candidates, first, end } = feedback;
    const { buffer, byteOffset, length } = candidates.genomes.room;
    const numbers = new Float32Array(buffer, byteOffset, length);
    const { offsets } = candidates.genomes;
    const tag = this.#generation & TAG_MASK;
    for (let index = first; index < end; index++) {
      if (candidates.tags[index] !== tag) continue;
      samples.append(feedback, index, offsets[index]!, numbers, this.#options.ranker, direction);
    }
    if (samples.count > 0 && samples.count >= (this.#options.batch ?? 1)) this.#learn(this.#learned);
  }

  state(): PartState {
    const values = {
      generation: this.#generation,
      lessons: this.#lessons,
      restarts: this.#restarts,
      isOver: this.#isOver ? 1 : 0,
    };
    return joinParts({ emitter: { values, arrays: {} }, learned: this.#learned?.state() });
  }

  restore(state: PartState): void {
    const own = partOf(state, "emitter") ?? { values: {}, arrays: {} };
    const [generation, lessons] = [numberOf(own, "generation"), numberOf(own, "lessons")];
    const [restarts, isOver] = [numberOf(own, "restarts"), numberOf(own, "isOver")];
    const learned = partOf(state, "learned");
    this.#learned = learned && Learned.from(learned);
    this.#generation = generation;
    this.#lessons = lessons;
    this.#restarts = restarts;
    this.#isOver = isOver === 1;
  }

  /** Begins at `first`, or at a random elite if it has begun before. */
  #begin({ archive, batchDraws }: Emission, first: Float64Array, direction: Float64Array): void {
    const { distribution, samples } = this.#learned!;
    const elite = new EliteVectors(distribution.dimensions);
    if (this.#generation > 0) {
      elite.draw(archive, batchDraws, first);
      this.#restarts++;
    }
    distribution.begin(this.#generation > 0 ? elite.values : first, this.#options.sigma0);
    samples.clear();
    for (let axis = 0; axis < direction.length; axis++) {
      direction[axis] = (archive.extents?.[axis] ?? 1) * normal(batchDraws);
    }
    this.#isOver = false;
  }

  #learn({ distribution, samples }: Learned): void {
    const { selection, restart } = this.#options;
    const order = samples.order();
    const { added, valid } = samples;
    const half = Math.min(valid, Math.floor(samples.count / 2));
    distribution.learn(samples.vectors, order, selection === "filter" ? added : half);
    this.#lessons++;
    this.#generation++;
    this.#isOver =
      distribution.isExhausted() ||
      samples.isFlat(order) ||
      (restart === "no_improvement" && added === 0) ||
      (typeof restart === "number" && this.#lessons % restart === 0);
    samples.clear();
  }
}

/** What an emitter has learned of a space. */
class Learned {
  readonly distribution: CmaDistribution;
  readonly samples: CmaGeneration;
  /** The direction of `2rd`. */
  readonly direction: Float64Array;

  constructor(dimensions: number, measures: number) {
    this.distribution = new CmaDistribution(dimensions);
    this.samples = new CmaGeneration(dimensions);
    this.direction = new Float64Array(measures);
  }

  state(): PartState {
    return joinParts({
      distribution: this.distribution.state(),
      samples: this.samples.state(),
      direction: { values: {}, arrays: { direction: this.direction.slice() } },
    });
  }

  /** @throws SearchError FILE_FORMAT */
  static from(state: PartState): Learned {
    const none = { values: {}, arrays: {} };
    const distribution = partOf(state, "distribution") ?? none;
    const direction = numbersOf(partOf(state, "direction") ?? none, "direction");
    const learned = new Learned(numbersOf(distribution, "mean").length, direction.length);
    learned.distribution.restore(distribution);
    learned.samples.restore(partOf(state, "samples") ?? none);
    learned.direction.set(direction);
    return learned;
  }
}
