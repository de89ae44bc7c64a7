// The search: hash functions of two rounds by their shifts.
import type { Archive } from "../../../archives/archive.js";
import { type GridArchive, gridArchive } from "../../../archives/grid.js";
import type { Candidates, Scores } from "../../../candidates.js";
import { evolve } from "../../../emitters/evolve.js";
import { tournament } from "../../../emitters/select/tournament.js";
import { type Evaluation, type Evaluator, SCREENED } from "../../../evaluation/evaluator.js";
import { Search } from "../../../search/search.js";
import type { Space } from "../../../spaces/space.js";
import { RACE } from "./race.js";
import { hashOf, hashSpace, LEAST_SHIFT, MOST_SHIFT, SHIFTS } from "./space.js";
import type { CountingThreads } from "./threads.js";

const SHIFT_NAMES = ["first shift", "second shift", "third shift"];
/** Small batches, because an elite that is known at once saves the race of many others. */
const BATCH = 16;
/** How many elites compete for being a parent. */
const CONTENDERS = 8;

type Races = Pick<CountingThreads, "race">;

/** Scores functions by estimates of their bias, which end early for those that are worse than the elite of their shifts. */
class BiasEvaluator implements Evaluator {
  readonly description = { evaluator: "avalanche bias", ...RACE };
  readonly measures = SHIFT_NAMES;
  readonly failures = [SCREENED];
  readonly #threads: Races;

  constructor(threads: Races) {
    this.#threads = threads;
  }

  async evaluate({ genomes, count }: Candidates, { archive }: Evaluation): Promise<Scores> {
    const { words, offsets } = genomes;
    const hashes = Array.from({ length: count }, (_, index) =>
      hashOf(words.subarray(offsets[index], offsets[index + 1])),
    );
    const measures = Float64Array.from(hashes.flatMap(({ shifts }) => shifts));
    const best = archive.count === 0 ? 0 : squareOf(archive, archive.best);
    const rivals = hashes.map((_, index) => {
      const elite = archive.at(archive.cellOf(measures, SHIFTS * index));
      return { limit: elite < 0 ? Number.POSITIVE_INFINITY : squareOf(archive, elite), best };
    });
    const estimates = await this.#threads.race(hashes, rivals);
    return {
      status: Uint8Array.from(estimates, (estimate) => (estimate === undefined ? 1 : 0)),
      objective: Float64Array.from(estimates, (estimate) => -Math.sqrt(Math.max(0, estimate?.square ?? 0))),
      measures,
    };
  }
}

const squareOf = (archive: Archive, elite: number): number =>
  archive.objective(elite) * archive.objective(elite);

/** A search for functions, and what it consists of. */
export interface HashSearch {
  readonly search: Search;
  readonly space: Space;
  readonly archive: GridArchive;
}

/** Makes the search. Higher objectives are better: they are negative biases. */
export function hashSearch(seed: number, threads: Races): HashSearch {
  const space = hashSpace();
  const archive = gridArchive({
    axes: SHIFT_NAMES.map((name) => ({ name, min: LEAST_SHIFT, max: MOST_SHIFT })),
  });
  const search = new Search({
    space,
    archive,
    evaluator: new BiasEvaluator(threads),
    emitters: [evolve({ select: tournament({ size: CONTENDERS }) })],
    seed,
    batchSize: BATCH,
  });
  return { search, space, archive };
}
