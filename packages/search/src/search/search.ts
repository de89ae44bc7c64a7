// The loop of a search: batches are made, evaluated and added to an archive.
import type { Archive } from "../archives/archive.js";
import type { Scores } from "../candidates.js";
import { Draws } from "../draws.js";
import type { Emission, Emitter } from "../emitters/emitter.js";
import type { RatesOverTime } from "../emitters/rate-history.js";
import { SearchError } from "../error.js";
import { type Evaluator, type Measurements, SCREENED } from "../evaluation/evaluator.js";
import { invalid } from "../options.js";
import type { PartState, Plain } from "../plain.js";
import { Screening } from "../screening/screening.js";
import type { Space } from "../spaces/space.js";
import { Batch } from "./batch.js";
import type { BatchEvent, SearchEvent } from "./events.js";
import { Ring } from "./islands.js";
import { type RunOptions, readSearchOptions, type SearchOptions } from "./options.js";
import { Population } from "./population.js";
import { runSearch } from "./run.js";
import { checkScores } from "./scores.js";

/** After how many batches of each island elites migrate. */
const DEFAULT_EVERY = 20;
/** The number of the candidate whose random numbers belong to the whole batch. */
const WHOLE_BATCH = 0xffffffff;

/** The state from which a search can continue, by the names of its parts. */
export type SearchState = Readonly<Record<string, PartState>>;

interface Part {
  state?(): PartState;
  restore?(state: PartState): void;
}

/** What `tell` returns. */
export type Told = Omit<BatchEvent, "type" | "seconds">;

/**
 * A search. Its archive after a given number of batches depends only on its options, not on time, threads or the machine. `run` runs the
 * whole loop; with `ask` and `tell`, the caller evaluates the candidates.
 */
export class Search {
  readonly space: Space;
  readonly archive: Archive;
  readonly resultArchive: Archive | undefined;
  readonly evaluator: Evaluator;
  readonly emitters: readonly Emitter[];
  readonly seed: number;
  readonly ahead: 0 | 1;
  /** What determines the search: equal descriptions give equal archives, provided that the caller's functions are equal. */
  readonly description: Plain;
  /** Where evaluators keep what they measure; a run that is recorded sets it. */
  measurements: Measurements | undefined;
  /** The whole search, or its islands. */
  readonly #populations: readonly Population[];
  readonly #ring: Ring | undefined;
  readonly #every: number;
  /** The evaluator, if it screens candidates by a model. */
  readonly #screening: Screening | undefined;
  readonly #batchSize: number;
  readonly #failures: readonly string[];
  readonly #draws = new Draws();
  readonly #batchDraws = new Draws();
  /** Batches that are free, and those that were asked for, the oldest first. */
  readonly #free: Batch[] = [];
  readonly #asked: Batch[] = [];
  #made = 0;
  #told = 0;
  #serial = 0;
  #evaluations = 0;
  #isRunning = false;

  /** @throws SearchError INVALID_ARGUMENT */
  constructor(options: SearchOptions) {
    const taken = readSearchOptions(options);
    this.space = taken.space;
    this.archive = taken.archive;
    this.resultArchive = taken.resultArchive;
    const { batchSize, screen } = taken;
    this.#screening = screen && new Screening(taken.evaluator, { space: taken.space, batchSize, screen });
    this.evaluator = this.#screening ?? taken.evaluator;
    this.seed = taken.seed;
    this.ahead = taken.ahead;
    const { space, learn, dedupe, restarts, islands } = taken;
    this.#populations = (islands?.populations ?? [taken]).map(
      ({ archive, emitters, shares = emitters.map(() => 1) }) =>
        new Population(archive, [...emitters], { space, learn, dedupe, restarts, shares }),
    );
    this.emitters = this.#populations.flatMap(({ emitters }) => emitters);
    const archives = this.#populations.map(({ archive }) => archive);
    this.#ring =
      islands !== undefined && archives.length > 1
        ? new Ring(archives, { seed: this.seed, ...(islands.migrants && { migrants: islands.migrants }) })
        : undefined;
    this.#every = (islands?.every ?? DEFAULT_EVERY) * archives.length;
    this.#batchSize = batchSize;
    this.#failures = [...this.evaluator.failures, "BAD_SCORE"];
    this.description = {
      space: this.space.description,
      archive: this.archive.description,
      ...(this.resultArchive && { resultArchive: this.resultArchive.description }),
      populations: (islands?.populations ?? [taken]).map(({ archive, emitters, shares }) => ({
        archive: archive.description,
        emitters: emitters.map(({ description }) => description),
        shares: shares === undefined ? null : [...shares],
      })),
      migration: this.#ring === undefined ? null : { every: this.#every, ring: this.#ring.description },
      restarts: restarts === undefined ? null : { ...restarts },
      learn: learn === undefined ? null : { ...learn },
      evaluator: this.evaluator.description,
      seed: this.seed,
      batchSize: this.#batchSize,
      ahead: this.ahead,
      dedupe,
    };
  }

  /** The number of batches that were scored. */
  get batches(): number {
    return this.#told;
  }

  /** The number of candidates that were evaluated. */
  get evaluations(): number {
    return this.#evaluations;
  }

  /** The batches that were asked for and have no scores yet, the oldest first. */
  get pending(): readonly Batch[] {
    return this.#asked;
  }

  /**
   * Makes the next batch. It is valid until its scores are passed to `tell`; at most `ahead` + 1 batches may wait for scores.
   * @throws SearchError INVALID_ARGUMENT if there are more
   */
  ask(): Batch {
    if (this.#asked.length > this.ahead) {
      throw invalid(`scores for batch ${this.#asked[0]!.number} before another batch is made`, "none");
    }
    const batch = this.#free.pop() ?? new Batch();
    const { candidates } = batch;
    candidates.clear();
    batch.number = this.#made;
    batch.serial = this.#serial;
    this.#batchDraws.start(this.seed, batch.number, WHOLE_BATCH);
    const population = this.#populationOf(batch);
    const emission: Emission = {
      space: this.space,
      archive: population.archive,
      batchDraws: this.#batchDraws,
      next: () => {
        this.#draws.start(this.seed, batch.number, candidates.count);
        return this.#draws;
      },
    };
    const size = Math.max(1, Math.floor(this.#batchSize * (this.evaluator.excess ?? 1)));
    population.emit(size, emission, batch);
    batch.keep();
    this.evaluator.prepare?.(candidates);
    this.#made++;
    this.#serial += candidates.count;
    this.#asked.push(batch);
    return batch;
  }

  /**
   * Adds the candidates of the oldest batch without scores to the archive.
   * @throws SearchError EVALUATOR_FAILED if the scores do not fit the batch; nothing is changed then
   */
  tell(scores: Scores): Told {
    const [batch] = this.#asked;
    if (batch === undefined) throw invalid("scores after `ask`", "no batch that waits for scores");
    const { archive } = this;
    const { candidates, serial } = batch;
    checkScores(scores, candidates.count, archive.dimensions, this.#failures);
    const population = this.#populationOf(batch);
    let additions = population.tell(batch, scores);
    this.evaluator.learn?.({ candidates, scores, additions });
    // What a model has rejected was not evaluated: it can come back.
    if (this.#screening) population.forget(batch, scores.status, 1 + this.#failures.indexOf(SCREENED));
    if (archive !== population.archive) additions = archive.add(candidates.genomes, scores, serial);
    this.resultArchive?.add(candidates.genomes, scores, serial);
    const failures: Record<string, number> = {};
    let screened = 0;
    for (let index = 0; index < candidates.count; index++) {
      const status = scores.status[index]!;
      if (status === 0) continue;
      const name = this.#failures[status - 1]!;
      if (name === SCREENED) screened++;
      else failures[name] = (failures[name] ?? 0) + 1;
    }
    const evaluated = candidates.count - screened;
    this.#evaluations += evaluated;
    this.#told++;
    population.restartIfStuck(evaluated);
    if (this.#told % this.#every === 0) this.#ring?.exchange();
    this.#asked.shift();
    this.#free.push(batch);
    const { count: elites, best, qdScore, cells } = archive;
    return {
      batch,
      scores,
      additions,
      evaluated,
      evaluations: this.#evaluations,
      failures,
      elites,
      best: best < 0 ? undefined : archive.objective(best),
      qdScore,
      coverage: cells === undefined ? undefined : elites / cells,
      screen: this.#screening?.report,
    };
  }

  /**
   * Searches, and yields an event for each batch and one for the end. Between two events nothing happens.
   * @throws SearchError INVALID_ARGUMENT; EVALUATOR_FAILED if the evaluator throws, returns something other than scores, or takes too
   * long: the batch is kept, and the next run evaluates it
   */
  async *run(options: RunOptions = {}): AsyncGenerator<SearchEvent, void, undefined> {
    if (this.#isRunning) throw invalid("a search that does not run", "one that runs");
    this.#isRunning = true;
    try {
      yield* runSearch(this, options);
    } finally {
      this.#isRunning = false;
    }
  }

  /** The archive from which the candidates of a batch are made: that of its island, if the search has islands. */
  archiveOf(batch: Batch): Archive {
    return this.#populationOf(batch).archive;
  }

  /** The number of restarts of each island, or of the search. */
  get restarts(): readonly number[] {
    return this.#populations.map(({ restarts }) => restarts);
  }

  /** The shares of the emitters over the course of the search, for each island. */
  shares(): readonly RatesOverTime[] {
    return this.#populations.map(({ shares }) => shares.history());
  }

  /** A hash of four words; equal archives have equal hashes. */
  hash(): Uint32Array {
    return this.archive.hash();
  }

  /** The state from which a search with the same description can continue. */
  state(): SearchState {
    const { batches, evaluations } = this;
    const state: Record<string, PartState> = {
      search: { values: { batches, evaluations, made: this.#made, serial: this.#serial }, arrays: {} },
      archive: this.archive.state(),
    };
    for (const [name, part] of this.#parts()) {
      const kept = part.state?.();
      if (kept !== undefined) state[name] = kept;
    }
    for (const [index, batch] of this.#asked.entries()) state[`batch ${index}`] = batch.state();
    return state;
  }

  /** Continues from the state of a search with the same description. @throws SearchError FILE_FORMAT */
  restore(state: SearchState): void {
    const { search, archive } = state;
    if (search === undefined || archive === undefined) {
      throw new SearchError("FILE_FORMAT", "expected the state of a search, found something else");
    }
    this.archive.restore(archive);
    for (const [name, part] of this.#parts()) {
      const kept = state[name];
      if (kept !== undefined) part.restore?.(kept);
    }
    this.#free.push(...this.#asked.splice(0));
    for (let index = 0; state[`batch ${index}`] !== undefined; index++) {
      const batch = this.#free.pop() ?? new Batch();
      batch.restore(state[`batch ${index}`]!);
      this.evaluator.prepare?.(batch.candidates);
      this.#asked.push(batch);
    }
    const { batches, evaluations, made, serial } = search.values;
    this.#told = Number(batches);
    this.#evaluations = Number(evaluations);
    this.#made = Number(made);
    this.#serial = Number(serial);
  }

  #populationOf({ number }: Batch): Population {
    return this.#populations[number % this.#populations.length]!;
  }

  #parts(): [string, Part][] {
    const parts: [string, Part][] = [["evaluator", this.evaluator]];
    for (const [index, population] of this.#populations.entries()) {
      parts.push([`population ${index}`, population]);
      if (population.archive !== this.archive) parts.push([`archive ${index}`, population.archive]);
    }
    if (this.#ring !== undefined) parts.push(["ring", this.#ring]);
    if (this.resultArchive !== undefined) parts.push(["result archive", this.resultArchive]);
    return parts;
  }
}
