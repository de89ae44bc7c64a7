// Runs an emitter against an archive, batch by batch, as a search does.
import {
  type Additions,
  type Archive,
  Candidates,
  Draws,
  type Emission,
  type Emitter,
  type Scores,
  type Space,
} from "../../src/index.js";

/** What is worth what: the objective and the cell of a genome's words, and its errors in single cases. */
export type Worth = (
  words: Uint32Array,
) => { objective: number; cell: number; cases?: readonly number[] } | undefined;

export interface Batch {
  readonly candidates: Candidates;
  readonly scores: Scores;
  readonly additions: Additions;
  /** The serial number of the first candidate. */
  readonly serial: number;
}

export class Loop {
  readonly candidates = new Candidates();
  serial = 0;
  batch = 0;
  readonly #draws = new Draws();
  readonly #batchDraws = new Draws();

  constructor(
    readonly space: Space,
    readonly archive: Archive,
    readonly worth: Worth,
    readonly seed = 1,
  ) {}

  /** What emitters get for a batch. */
  emission(): Emission {
    let candidate = 0;
    this.#batchDraws.start(this.seed, this.batch, 0xffffffff);
    return {
      space: this.space,
      archive: this.archive,
      batchDraws: this.#batchDraws,
      next: () => {
        this.#draws.start(this.seed, this.batch, candidate++);
        return this.#draws;
      },
    };
  }

  /** Makes, scores and adds a batch, and tells the emitter. */
  step(emitter: Emitter, count: number): Batch {
    const { candidates } = this;
    candidates.clear();
    emitter.emit(count, this.emission(), candidates);
    const scores = this.#score();
    const additions = this.archive.add(candidates.genomes, scores, this.serial);
    const batch = { candidates, scores, additions, serial: this.serial };
    emitter.tell?.({ ...batch, space: this.space, archive: this.archive, first: 0, end: candidates.count });
    this.serial += candidates.count;
    this.batch++;
    return batch;
  }

  #score(): Scores {
    const { count, genomes } = this.candidates;
    const scored = Array.from({ length: count }, (_, index) =>
      this.worth(genomes.words.subarray(genomes.offsets[index], genomes.offsets[index + 1])),
    );
    const cases = scored.some((each) => each?.cases !== undefined)
      ? Float64Array.from(scored.flatMap((each) => each?.cases ?? []))
      : undefined;
    return {
      status: Uint8Array.from(scored, (each) => (each === undefined ? 1 : 0)),
      objective: Float64Array.from(scored, (each) => each?.objective ?? 0),
      measures: Float64Array.from(scored, (each) => each?.cell ?? 0),
      cases,
    };
  }
}
