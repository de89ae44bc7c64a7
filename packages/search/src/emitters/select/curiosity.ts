// Elites whose offspring entered the archive.
import { isNumber } from "@mm-ptx/types/internal";
import type { Archive } from "../../archives/archive.js";
import { AdditionStatus } from "../../archives/archive.js";
import { NO_PARENT } from "../../candidates.js";
import type { Draws } from "../../draws.js";
import { readOptions, withDefaults } from "../../options.js";
import { badState, numbersOf } from "../../parts.js";
import type { PartState, Plain } from "../../plain.js";
import type { Emission, Feedback } from "../emitter.js";
import type { Selection } from "./selection.js";
import { SerialTable } from "./serial-table.js";

/** The options of `curiosity`. */
export interface CuriosityOptions {
  /** How much a score rises for each of an elite's offspring that enters the archive; default 1. */
  readonly up?: number;
  /** How much it falls for each of the others, duplicates included; default 0.5. */
  readonly down?: number;
  /** The least and the greatest score; the defaults are 0.25 and 4. New elites have the score 1. The wider the range, the longer selections take. */
  readonly least?: number;
  readonly most?: number;
}

const DEFAULTS: Required<CuriosityOptions> = { up: 1, down: 0.5, least: 0.25, most: 4 };
const FIRST_SCORE = 1;
/** Numbers that are drawn to no effect before the last elite is taken; with the least ratio of scores this never happens by chance. */
const MOST_TRIES = 100_000;
/** The table is rebuilt when most of it belongs to elites that are gone. */
const ROOM = 4096;

/**
 * Selects elites with probabilities proportional to their curiosity scores, which rise when offspring enter the archive and fall otherwise
 * (Cully and Demiris, "Quality and Diversity Optimization: A Unifying Modular Framework", IEEE TEC 2017, section III-B). Scores belong to
 * serial numbers, so an elite that replaces another begins again.
 *
 * @throws SearchError INVALID_ARGUMENT
 */
export function curiosity(options: CuriosityOptions = {}): Selection {
  const read = readOptions<CuriosityOptions>(
    options,
    {
      up: isNumber(0, 1e6),
      down: isNumber(0, 1e6),
      least: isNumber(0.001, FIRST_SCORE),
      most: isNumber(FIRST_SCORE, 1000),
    },
    { of: "curiosity" },
  );
  return new Curiosity(withDefaults(read, DEFAULTS));
}

class Curiosity implements Selection {
  readonly kind = "curiosity";
  readonly description: Plain;
  readonly #options: Required<CuriosityOptions>;
  readonly #scores = new SerialTable();

  constructor(options: Required<CuriosityOptions>) {
    this.#options = options;
    this.description = { kind: this.kind, ...options };
  }

  begin(_: number, { archive }: Emission): void {
    if (this.#scores.count > ROOM + 2 * archive.count) this.#forget(archive);
  }

  select(archive: Archive, draws: Draws): number {
    const { down, least, most } = this.#options;
    const { count } = archive;
    let elite = 0;
    let serial = 0;
    let score = 0;
    // Rejection: each elite is as likely to be drawn, and accepted in proportion to its score.
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      elite = draws.below(count);
      serial = archive.serial(elite);
      score = this.#scores.get(serial, FIRST_SCORE);
      if (draws.fraction() * most < score) break;
    }
    // Duplicates are never told, so scores fall at once, and rise by that as well when the offspring enters the archive.
    this.#scores.set(serial, Math.max(least, score - down));
    return elite;
  }

  tell({ candidates, additions, first, end }: Feedback): void {
    const { up, down, most } = this.#options;
    for (let index = first; index < end; index++) {
      if (additions.status[index] === AdditionStatus.rejected) continue;
      for (let parent = 2 * index; parent < 2 * index + 2; parent++) {
        const serial = candidates.parents[parent]!;
        if (serial === NO_PARENT) continue;
        const score = this.#scores.get(serial, FIRST_SCORE);
        this.#scores.set(serial, Math.min(most, score + up + down));
      }
    }
  }

  state(): PartState {
    const serials = this.#scores.serials();
    return { values: {}, arrays: { serials, scores: serials.map((serial) => this.#scores.get(serial, 0)) } };
  }

  restore(state: PartState): void {
    const serials = numbersOf(state, "serials");
    const scores = numbersOf(state, "scores", serials.length);
    const { least, most } = this.#options;
    if (!scores.every((score) => score >= least && score <= most))
      throw badState(`scores from ${least} to ${most}`);
    this.#keep(serials, scores);
  }

  /** Keeps the scores of elites alone. */
  #forget(archive: Archive): void {
    const serials = Float64Array.from({ length: archive.count }, (_, elite) => archive.serial(elite));
    const known = serials.filter((serial) => this.#scores.get(serial, -1) >= 0);
    this.#keep(
      known,
      known.map((serial) => this.#scores.get(serial, 0)),
    );
  }

  #keep(serials: Float64Array, scores: Float64Array): void {
    this.#scores.clear();
    for (const [index, serial] of serials.entries()) this.#scores.set(serial, scores[index]!);
  }
}
