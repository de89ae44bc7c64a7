// When a search that makes no progress should begin again.
import { isNumber, isWhole } from "@mm-ptx/types/internal";
import { readOptions, withDefaults } from "../options.js";
import { numberOf, numbersOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";

/** When a search restarts. */
export interface RestartOptions {
  /** The number of evaluations without progress before the first restart; 100,000 by default. */
  readonly evaluations?: number;
  /** The factor by which this number grows with each restart; 2 by default. */
  readonly factor?: number;
}

const DEFAULTS: Required<RestartOptions> = { evaluations: 100_000, factor: 2 };

/**
 * Decides when a search restarts: after a number of evaluations without progress, which grows with each restart (as in IPOP:
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

  /** How often the search should have been restarted. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The number of evaluations without progress before the next restart. */
  get budget(): number {
    return this.#budget;
  }

  /**
   * Records the progress after a batch. Returns whether the search should restart now.
   *
   * @param evaluations the number of evaluations in all, over all restarts
   * @param value a value that should grow, such as the best objective or the QD score of the current archive
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

  /** What determines the next restarts. */
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
