// Shares the candidates of a batch among emitters.
import type { Additions } from "../archives/archive.js";
import type { Candidates } from "../candidates.js";
import { badState, joinParts, numbersOf, partOf } from "../parts.js";
import type { PartState } from "../plain.js";
import { Credit, type CreditOptions, creditOptions } from "./credit.js";
import type { Emission, Emitter } from "./emitter.js";
import type { RatesOverTime } from "./rate-history.js";

/**
 * Lets emitters make the candidates of a batch, in their order, each a part: given parts, or parts learned from how many of the candidates
 * of each improve the archive. What an emitter with nothing left does not make is made by the emitters after it, and in the next batch by
 * all others.
 */
export class Shares {
  readonly #emitters: readonly Emitter[];
  readonly #credit: Credit;
  /** What each was due less what it was asked for, so that parts of candidates add up over batches. */
  readonly #due: Float64Array;
  /** 1 for those that had nothing left. */
  readonly #ended: Float64Array;

  /**
   * @param weights how much of each batch each emitter makes, relative to the others; all are above 0
   * @param learn how to learn parts, beginning with the weights; undefined to keep the weights
   * @throws SearchError INVALID_ARGUMENT for wrong options
   */
  constructor(emitters: readonly Emitter[], weights: readonly number[], learn?: CreditOptions) {
    this.#emitters = emitters;
    this.#credit = new Credit(weights, learn && creditOptions(learn));
    this.#due = new Float64Array(emitters.length);
    this.#ended = new Float64Array(emitters.length);
  }

  /**
   * Appends candidates, `total` of them unless the last emitters have nothing left.
   *
   * @param ends receives, for each emitter, the number of candidates after its own
   */
  emit(total: number, emission: Emission, out: Candidates, ends: number[]): void {
    const start = out.count;
    ends.length = 0;
    for (let index = 0; index < this.#emitters.length; index++) {
      const before = out.count;
      const asked = this.#ended[index] === 1 ? 0 : this.#ask(index, total - (before - start));
      if (asked > 0) {
        out.emitter = index;
        this.#emitters[index]!.emit(asked, emission, out);
        const made = out.count - before;
        this.#credit.tried(index, made);
        if (made < asked) this.#ended[index] = 1;
      }
      ends.push(out.count);
    }
  }

  /** Learns from what became of a batch, in which the candidates of each emitter are those up to its element of `ends`. */
  tell(additions: Additions, ends: readonly number[]): void {
    let candidate = 0;
    ends.forEach((end, index) => {
      for (; candidate < end; candidate++) this.#credit.reward(index, additions, candidate);
    });
    this.#credit.update();
  }

  /** The parts in the course of the search. */
  history(): RatesOverTime {
    return this.#credit.history();
  }

  state(): PartState {
    const arrays = { due: this.#due.slice(), ended: this.#ended.slice() };
    return joinParts({ shares: { values: {}, arrays }, credit: this.#credit.state() });
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const [shares, credit] = [partOf(state, "shares"), partOf(state, "credit")];
    if (shares === undefined || credit === undefined) throw badState("shares of emitters");
    const due = numbersOf(shares, "due", this.#due.length);
    const ended = numbersOf(shares, "ended", this.#due.length);
    this.#credit.restore(credit);
    this.#due.set(due);
    this.#ended.set(ended);
  }

  /** How many of the candidates that are left an emitter is asked for; the last that has any gets all. */
  #ask(index: number, left: number): number {
    const { rates } = this.#credit;
    let later = 0;
    for (let other = index + 1; other < rates.length; other++) {
      if (this.#ended[other] !== 1) later += rates[other]!;
    }
    if (later === 0) return left;
    const due = this.#due[index]! + (left * rates[index]!) / (rates[index]! + later);
    const asked = Math.min(left, Math.max(0, Math.round(due)));
    this.#due[index] = Math.max(-1, Math.min(1, due - asked));
    return asked;
  }
}
