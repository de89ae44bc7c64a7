// The loop of a search: batches are made, evaluated and added to an archive.
import type { Archive } from "../archives/archive.js";
import type { Scores } from "../candidates.js";
import { Draws } from "../draws.js";
import type { Emission, Emitter } from "../emitters/emitter.js";
import type { RatesOverTime } from "../emitters/rate-history.js";
import { Shares } from "../emitters/share.js";
import { SearchError } from "../error.js";
import { type Evaluator, type Measurements, SCREENED } from "../evaluation/evaluator.js";
import { invalid } from "../options.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome, Space } from "../spaces/space.js";
import { Batch } from "./batch.js";
import type { BatchEvent, SearchEvent } from "./events.js";
import { type RunOptions, readSearchOptions, type SearchOptions } from "./options.js";
import { runSearch } from "./run.js";
import { checkScores } from "./scores.js";
import { SeenTable } from "./seen.js";

/** 2^19 places: 4 MiB. */
const SEEN_BITS = 19;
/** The number of the candidate whose random numbers belong to the whole batch. */
const WHOLE_BATCH = 0xffffffff;

/** What has to be kept so that a search can go on later, by the names of its parts. */
export type SearchState = Readonly<Record<string, PartState>>;

/** What `tell` returns. */
export type Told = Omit<BatchEvent, "type" | "seconds">;

/**
 * A search. Its archive after a number of batches depends only on what the search was made of and its seed: not on time, threads or the
 * machine. `run` does everything; with `ask` and `tell`, candidates are evaluated by the caller.
 */
export class Search {
  readonly space: Space;
  readonly archive: Archive;
  readonly resultArchive: Archive | undefined;
  readonly evaluator: Evaluator;
  readonly emitters: readonly Emitter[];
  readonly seed: number;
  readonly ahead: 0 | 1;
  /** What determines the search: equal descriptions give equal archives, as far as functions of the caller are equal. */
  readonly description: Plain;
  /** Where evaluators keep what they measure; a run that is recorded sets it. */
  measurements: Measurements | undefined;
  readonly #shares: Shares;
  readonly #batchSize: number;
  readonly #seen: SeenTable | undefined;
  readonly #failures: readonly string[];
  readonly #draws = new Draws();
  readonly #batchDraws = new Draws();
  readonly #signature = new Uint32Array(4);
  readonly #genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  #keep = new Uint8Array(0);
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
    this.evaluator = taken.evaluator;
    this.emitters = [...taken.emitters];
    this.seed = taken.seed;
    this.ahead = taken.ahead;
    this.#shares = new Shares(this.emitters, taken.shares, taken.learn);
    this.#batchSize = taken.batchSize;
    this.#seen = taken.dedupe ? new SeenTable(SEEN_BITS) : undefined;
    this.#failures = [...taken.evaluator.failures, "BAD_SCORE"];
    this.description = {
      space: this.space.description,
      archive: this.archive.description,
      ...(this.resultArchive && { resultArchive: this.resultArchive.description }),
      emitters: this.emitters.map(({ description }) => description),
      shares: taken.shares,
      learn: taken.learn === undefined ? null : { ...taken.learn },
      evaluator: this.evaluator.description,
      seed: this.seed,
      batchSize: this.#batchSize,
      ahead: this.ahead,
      dedupe: taken.dedupe,
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
   * Makes the next batch. It is valid until it has been told; at most `ahead` + 1 batches may wait for scores.
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
    const emission: Emission = {
      space: this.space,
      archive: this.archive,
      batchDraws: this.#batchDraws,
      next: () => {
        this.#draws.start(this.seed, batch.number, candidates.count);
        return this.#draws;
      },
    };
    const size = Math.max(1, Math.floor(this.#batchSize * (this.evaluator.excess ?? 1)));
    this.#shares.emit(size, emission, candidates, batch.ends);
    batch.made = candidates.count;
    batch.duplicates = this.#seen === undefined ? 0 : this.#removeDuplicates(batch, this.#seen);
    batch.keep();
    this.evaluator.prepare?.(candidates);
    this.#made++;
    this.#serial += candidates.count;
    this.#asked.push(batch);
    return batch;
  }

  /**
   * Adds the candidates of the oldest batch without scores to the archive.
   * @throws SearchError EVALUATOR_FAILED if the scores are not those of the batch; then nothing is changed
   */
  tell(scores: Scores): Told {
    const [batch] = this.#asked;
    if (batch === undefined) throw invalid("scores after `ask`", "no batch that waits for scores");
    const { archive } = this;
    const { candidates, serial } = batch;
    checkScores(scores, candidates.count, archive.dimensions, this.#failures);
    const additions = archive.add(candidates.genomes, scores, serial);
    this.resultArchive?.add(candidates.genomes, scores, serial);
    this.#shares.tell(additions, batch.ends);
    let first = 0;
    for (const [index, end] of batch.ends.entries()) {
      this.emitters[index]!.tell?.({ archive, candidates, scores, additions, first, end, serial });
      first = end;
    }
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
    };
  }

  /**
   * Searches, and yields an event for each batch and one for the end. Between two events nothing happens.
   * @throws SearchError INVALID_ARGUMENT; EVALUATOR_FAILED when the evaluator throws, returns what are not scores, or takes too long: the
   * batch then stays, and the next run evaluates it
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

  /** Which parts of the batches the emitters had in the course of the search. */
  shares(): RatesOverTime {
    return this.#shares.history();
  }

  /** Four words: equal if the archive is equal. */
  hash(): Uint32Array {
    return this.archive.hash();
  }

  /** Everything that has to be kept so that a search of the same description can go on from here. */
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

  /** Continues from a state that a search of the same description had. @throws SearchError FILE_FORMAT */
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

  #parts(): [string, { state?(): PartState; restore?(state: PartState): void }][] {
    return [
      ...this.emitters.map((emitter, index): [string, Emitter] => [`emitter ${index}`, emitter]),
      ["evaluator", this.evaluator],
      ["shares", this.#shares],
      ...(this.#seen ? [["seen", this.#seen] satisfies [string, SeenTable]] : []),
      ...(this.resultArchive ? [["result archive", this.resultArchive] satisfies [string, Archive]] : []),
    ];
  }

  /** Removes genomes that were made before. Returns how many. */
  #removeDuplicates(batch: Batch, seen: SeenTable): number {
    const { candidates, ends } = batch;
    const { count, genomes } = candidates;
    if (this.#keep.length < count) this.#keep = new Uint8Array(2 * count);
    const [keep, genome, signature] = [this.#keep, this.#genome, this.#signature];
    const { offsets } = genomes;
    genome.words = genomes.room;
    let kept = 0;
    let emitter = 0;
    for (let index = 0; index < count; index++) {
      while (index === ends[emitter]) ends[emitter++] = kept;
      genome.start = offsets[index]!;
      genome.end = offsets[index + 1]!;
      this.space.signature(genome, signature);
      const isNew = !seen.add(signature);
      keep[index] = isNew ? 1 : 0;
      if (isNew) kept++;
    }
    while (emitter < ends.length) ends[emitter++] = kept;
    if (kept < count) candidates.retain(keep);
    return count - kept;
  }
}
