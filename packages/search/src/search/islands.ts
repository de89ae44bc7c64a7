// Islands: archives of searches of their own that exchange elites now and then.
import { isWhole } from "@mm-ptx/types/internal";
import type { Archive } from "../archives/archive.js";
import type { Scores } from "../candidates.js";
import { Draws } from "../draws.js";
import { invalid, readOptions } from "../options.js";
import { numberOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome } from "../spaces/space.js";

/** An elite with all its numbers, which stays the same when its archive changes. */
interface Migrant {
  readonly words: Uint32Array;
  readonly serial: number;
  readonly scores: Scores;
}

/**
 * Copies elites of one archive to another, which treats each as a candidate with the elite's scores. They keep their serial numbers.
 *
 * @param count how many, at most; they are drawn at random
 * @returns how many the other archive kept
 */
export function migrate(from: Archive, to: Archive, count: number, draws: Draws): number {
  return settle(leaving(from, count, draws), to);
}

/** How elites move between islands. */
export interface RingOptions {
  /** The number of elites that each archive sends to the next one; 10 by default. */
  readonly migrants?: number;
  /** The default is 0. */
  readonly seed?: number;
}

const MIGRANTS = 10;

/**
 * Archives in a ring; each passes elites on to the next one. An exchange depends only on the archives, the seed and the number of earlier
 * exchanges.
 */
export class Ring {
  readonly archives: readonly Archive[];
  /** What determines the exchanges, for the description of a run. */
  readonly description: Plain;
  readonly #migrants: number;
  readonly #seed: number;
  readonly #draws = new Draws();
  #exchanges = 0;

  /**
   * @param archives two or more for the same space and the same measures
   * @throws SearchError INVALID_ARGUMENT
   */
  constructor(archives: readonly Archive[], options: RingOptions = {}) {
    const { migrants, seed } = readOptions<RingOptions>(
      options,
      { migrants: isWhole(1, 2 ** 20), seed: isWhole(0, 2 ** 32 - 1) },
      { of: "Ring" },
    );
    if (!Array.isArray(archives)) throw invalid("archives as a list", archives);
    if (archives.length < 2) throw invalid("two archives or more", archives.length);
    if (new Set(archives).size < archives.length)
      throw invalid("different archives", "one that is there twice");
    const names = archives.map((archive: Archive) => archive.names.join(", "));
    const other = names.find((each) => each !== names[0]);
    if (other !== undefined) throw invalid(`archives with the measures \`${names[0]}\``, other);
    this.archives = [...archives];
    this.#migrants = migrants ?? MIGRANTS;
    this.#seed = seed ?? 0;
    this.description = { archives: archives.length, migrants: this.#migrants, seed: this.#seed };
  }

  /** Passes elites on. All of them are chosen before the first arrives. Returns how many of the arriving elites each archive kept. */
  exchange(): number[] {
    const { archives } = this;
    const travelling = archives.map((archive, index) => {
      this.#draws.start(this.#seed, this.#exchanges, index);
      return leaving(archive, this.#migrants, this.#draws);
    });
    this.#exchanges++;
    return archives.map((archive, index) => settle(travelling.at(index - 1)!, archive));
  }

  /** What determines the next exchanges. */
  state(): PartState {
    return { values: { exchanges: this.#exchanges }, arrays: {} };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    this.#exchanges = numberOf(state, "exchanges");
  }
}

/** Different elites, drawn at random. */
function leaving(archive: Archive, count: number, draws: Draws): Migrant[] {
  const elites = Array.from({ length: archive.count }, (_, elite) => elite);
  const migrants: Migrant[] = [];
  const { fields } = count > 0 && archive.count > 0 ? archive.rows() : { fields: {} };
  for (let left = elites.length; left > 0 && migrants.length < count; left--) {
    const drawn = draws.below(left);
    const elite = elites[drawn]!;
    elites[drawn] = elites[left - 1]!;
    migrants.push(migrantOf(archive, elite, fields));
  }
  return migrants;
}

function migrantOf(archive: Archive, elite: number, fields: Readonly<Record<string, Float64Array>>): Migrant {
  const genome: Genome = { words: new Uint32Array(), start: 0, end: 0 };
  archive.genome(elite, genome);
  const own = Object.entries(fields).map(([name, column]) => [name, Float64Array.of(column[elite]!)]);
  return {
    words: genome.words.slice(genome.start, genome.end),
    serial: archive.serial(elite),
    scores: {
      status: Uint8Array.of(0),
      objective: Float64Array.of(archive.objective(elite)),
      measures: Float64Array.from({ length: archive.dimensions }, (_, axis) => archive.measure(elite, axis)),
      cases: archive.cases(elite)?.slice(),
      fields: Object.fromEntries(own),
    },
  };
}

/** Adds migrants one by one, because their serial numbers do not follow each other. Returns how many were kept. */
function settle(migrants: readonly Migrant[], archive: Archive): number {
  let kept = 0;
  for (const { words, serial, scores } of migrants) {
    const { added, improved } = archive.add(
      { words, offsets: Uint32Array.of(0, words.length) },
      scores,
      serial,
    );
    kept += added + improved;
  }
  return kept;
}
