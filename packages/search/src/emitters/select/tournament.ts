// The best of a few elites.
import { isNumber, isWhole } from "@mm-ptx/types/internal";
import type { Archive } from "../../archives/archive.js";
import type { Draws } from "../../draws.js";
import { readOptions } from "../../options.js";
import type { Plain } from "../../plain.js";
import type { Selection } from "./selection.js";

/** The options of `tournament`. */
export interface TournamentOptions {
  /** How many elites are drawn, with repetitions; default 3. */
  readonly size?: number;
  /**
   * The probability that the best of them is selected, otherwise that the second is, and so on; the last one if none was. The default is 1.
   */
  readonly probability?: number;
}

const SIZE = 3;
const MOST = 1024;

/** Selects the elite with the greatest objective of a few that are drawn. @throws SearchError INVALID_ARGUMENT */
export function tournament(options: TournamentOptions = {}): Selection {
  const { size, probability } = readOptions<TournamentOptions>(
    options,
    { size: isWhole(1, MOST), probability: isNumber(0, 1) },
    { of: "tournament" },
  );
  return new Tournament(size ?? SIZE, probability ?? 1);
}

class Tournament implements Selection {
  readonly kind = "tournament";
  readonly description: Plain;
  readonly #probability: number;
  readonly #drawn: Int32Array;

  constructor(size: number, probability: number) {
    this.#probability = probability;
    this.#drawn = new Int32Array(size);
    this.description = { kind: this.kind, size, probability };
  }

  select(archive: Archive, draws: Draws): number {
    const drawn = this.#drawn;
    const { count } = archive;
    for (let index = 0; index < drawn.length; index++) drawn[index] = draws.below(count);
    for (let left = drawn.length; left > 1; left--) {
      const best = this.#best(archive, left);
      if (this.#probability === 1 || draws.fraction() < this.#probability) return drawn[best]!;
      drawn[best] = drawn[left - 1]!;
    }
    return drawn[0]!;
  }

  /** The index of the best of the first elites that were drawn. */
  #best(archive: Archive, end: number): number {
    let best = 0;
    let greatest = archive.objective(this.#drawn[0]!);
    for (let index = 1; index < end; index++) {
      const objective = archive.objective(this.#drawn[index]!);
      if (objective > greatest) {
        greatest = objective;
        best = index;
      }
    }
    return best;
  }
}
