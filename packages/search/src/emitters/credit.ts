// Learns how often to use each of several things, such as variation operators, from how often they succeed.
import { isNumber, isOneOf } from "@mm-ptx/types/internal";
import { AdditionStatus, type Additions } from "../archives/archive.js";
import { NO_OPERATOR } from "../candidates.js";
import type { Draws } from "../draws.js";
import { readOptions, withDefaults } from "../options.js";
import { joinParts, numberOf, numbersOf, partOf } from "../parts.js";
import type { PartState } from "../plain.js";
import type { Feedback } from "./emitter.js";
import { RateHistory, type RatesOverTime } from "./rate-history.js";

/** How rates are learned from what improves the archive. */
export interface CreditOptions {
  /** The part of all candidates that does not depend on success; default 0.2. */
  readonly floor?: number;
  /** After this many successes, those before count half as much; default 200. */
  readonly memory?: number;
  /**
   * `success` counts additions to the archive and improvements, the default. `value` counts an improvement by v as v / (v + m), where m is
   * the mean of all improvements.
   */
  readonly reward?: "success" | "value";
}

const DEFAULTS: Required<CreditOptions> = { floor: 0.2, memory: 200, reward: "success" };
/** As if each had succeeded so often at the mean rate, so that a few candidates do not decide. */
const PRIOR = 4;

/** Options of learning with their defaults. @throws SearchError INVALID_ARGUMENT */
export function creditOptions(options: CreditOptions): Required<CreditOptions> {
  const read = readOptions<CreditOptions>(
    options,
    { floor: isNumber(0, 1), memory: isNumber(1, 1e9), reward: isOneOf(["success", "value"]) },
    { of: "learn" },
  );
  return withDefaults(read, DEFAULTS);
}

/**
 * Rates by probability matching: each is proportional to the part of its candidates that succeeded, with a floor (Thierens, "An adaptive
 * pursuit strategy for allocating operator probabilities", GECCO 2005, section 2). Candidates count when they are made, so that those
 * that are never evaluated, such as duplicates, count as failures.
 */
export class Credit {
  /** The probability of each; their sum is 1. */
  readonly rates: Float64Array;
  readonly #options: Required<CreditOptions>;
  readonly #weights: Float64Array;
  readonly #last: number;
  readonly #tried: Float64Array;
  readonly #gained: Float64Array;
  readonly #history: RateHistory;
  /** Candidates so far, and the sum and number of all improvements. */
  #candidates = 0;
  #improvement = 0;
  #improvements = 0;

  /**
   * @param weights how often to use each, relative to the others, as long as none is more successful; at least one is positive
   * @param options whose options of learning, or undefined to use the weights
   */
  constructor(weights: ArrayLike<number>, options: Required<CreditOptions> = { ...DEFAULTS, floor: 1 }) {
    this.#options = options;
    this.#weights = normalized(Float64Array.from(weights));
    this.#last = this.#weights.findLastIndex((weight) => weight > 0);
    this.#tried = new Float64Array(weights.length);
    this.#gained = new Float64Array(weights.length);
    this.rates = this.#weights.slice();
    this.#history = new RateHistory(weights.length);
  }

  /** Draws one with the probabilities `rates`. */
  pick(draws: Draws): number {
    let left = draws.fraction();
    for (let index = 0; index < this.#last; index++) {
      left -= this.rates[index]!;
      if (left < 0) return index;
    }
    return this.#last;
  }

  /** Counts candidates that were made. */
  tried(index: number, count = 1): void {
    this.#tried[index]! += count;
    this.#candidates += count;
  }

  /** Counts what became of a candidate. */
  reward(index: number, additions: Additions, candidate: number): void {
    if (additions.status[candidate] === AdditionStatus.rejected) return;
    this.#gained[index]! += this.#options.reward === "success" ? 1 : this.#worth(additions.value[candidate]!);
  }

  /** Counts what became of an emitter's candidates by their operators, and computes the rates for the next ones. */
  tell({ candidates, additions, first, end }: Feedback): void {
    for (let index = first; index < end; index++) {
      const operator = candidates.operators[index]!;
      if (operator !== NO_OPERATOR) this.reward(operator, additions, index);
    }
    this.update();
  }

  /** Computes the rates for the next candidates. */
  update(): void {
    if (this.#options.floor < 1) this.#learn();
    this.#history.add(this.#candidates, this.rates);
  }

  /** How the rates changed, at up to some hundred times. */
  history(): RatesOverTime {
    return this.#history.read();
  }

  state(): PartState {
    const values = {
      candidates: this.#candidates,
      improvement: this.#improvement,
      improvements: this.#improvements,
    };
    const arrays = { tried: this.#tried.slice(), gained: this.#gained.slice(), rates: this.rates.slice() };
    return joinParts({ credit: { values, arrays }, history: this.#history.state() });
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const credit = partOf(state, "credit") ?? { values: {}, arrays: {} };
    const { length } = this.rates;
    const [tried, gained, rates] = ["tried", "gained", "rates"].map((name) =>
      numbersOf(credit, name, length),
    );
    this.#candidates = numberOf(credit, "candidates");
    this.#improvement = numberOf(credit, "improvement");
    this.#improvements = numberOf(credit, "improvements");
    this.#tried.set(tried!);
    this.#gained.set(gained!);
    this.rates.set(rates!);
    this.#history.restore(partOf(state, "history") ?? { values: {}, arrays: {} });
  }

  #learn(): void {
    const { floor, memory } = this.#options;
    let tried = 0;
    let gained = 0;
    for (let index = 0; index < this.rates.length; index++) {
      tried += this.#tried[index]!;
      gained += this.#gained[index]!;
    }
    if (gained > 0) {
      const prior = (PRIOR * tried) / gained;
      let sum = 0;
      for (let index = 0; index < this.rates.length; index++) {
        const quality = (this.#gained[index]! + PRIOR) / (this.#tried[index]! + prior);
        sum += this.rates[index] = this.#weights[index]! * quality;
      }
      for (let index = 0; index < this.rates.length; index++)
        this.rates[index] = floor * this.#weights[index]! + ((1 - floor) * this.rates[index]!) / sum;
    }
    if (gained <= memory) return;
    for (let index = 0; index < this.rates.length; index++) {
      this.#tried[index]! *= 0.5;
      this.#gained[index]! *= 0.5;
    }
  }

  /** An improvement as a number from 0 to 1. */
  #worth(value: number): number {
    // The first elite of a cell without a threshold is an infinite improvement.
    if (!(value < Number.MAX_VALUE)) return 1;
    if (!(value > 0)) return 0;
    this.#improvement += value;
    this.#improvements++;
    return value / (value + this.#improvement / this.#improvements);
  }
}

function normalized(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
