// When a search that makes no progress should begin again.
import { isNumber, isWhole } from "@mm-ptx/types/internal";
import { readOptions, withDefaults } from "../options.js";
import { numberOf, numbersOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";

/** When a search begins again. */
export interface RestartOptions {
  /** How many evaluations without progress the first search may make; default 100,000. */
  readonly evaluations?: number;
  /** How many times as many the next search may make; default 2. */
  readonly factor?: number;
}

const DEFAULTS: Required<RestartOptions> = { evaluations: 100_000, factor: 2 };

/**
 * Says when to begin again: after a number of evaluations without progress, which is twice as large each time (as the restarts of IPOP do:
 * Auger and Hansen, "A restart CMA evolution strategy with increasing population size", CEC 2005).
 */
export class RestartPlan {
  /** What determines the restarts, for the description of a run. */
  readonly description: Plain;
  readonly #options: Required<RestartOptions>;
  #restarts = 0;
  #budget: number;
  /** The greatest value since the last restart, and the number of evaluations when it was reached. */
  #best = Number.NEGATIVE_INFINITY;
  #since = 0;

  /** @throws SearchError INVALID_ARGUMENT */
  constructor(options: RestartOptions = {}) {
    const read = readOptions<RestartOptions>(
      options,
      { evaluations: isWhole(1, Number.MAX_SAFE_INTEGER), factor: isNumber(1, 1000) },
      { of: "RestartPlan" },
    );
    this.#options = withDefaults(read, DEFAULTS);
    this.#budget = this.#options.evaluations;
    this.description = { ...this.#options };
  }

  /** How often the search should have begun again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** How many evaluations without progress the present search may make. */
  get budget(): number {
    return this.#budget;
  }

  /**
   * Takes note of the progress after a batch. Returns whether the search should begin again now.
   *
   * @param evaluations the number of evaluations in all, over all restarts
   * @param value what should grow, such as the best objective or the QD score of the present archive
   */
  tell(evaluations: number, value: number): boolean {
    if (value > this.#best) {
      this.#best = value;
      this.#since = evaluations;
    }
    if (evaluations - this.#since < this.#budget) return false;
    this.#restarts++;
    this.#budget *= this.#options.factor;
    this.#best = Number.NEGATIVE_INFINITY;
    this.#since = evaluations;
    return true;
  }

  /** What determines the restarts to come. */
  state(): PartState {
    const values = { restarts: this.#restarts, budget: this.#budget, since: this.#since };
    // JSON has no infinite numbers.
    return { values, arrays: { best: Float64Array.of(this.#best) } };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const [restarts, budget, since] = ["restarts", "budget", "since"].map((name) => numberOf(state, name));
    this.#best = numbersOf(state, "best", 1)[0]!;
    this.#restarts = restarts!;
    this.#budget = budget!;
    this.#since = since!;
  }
}
