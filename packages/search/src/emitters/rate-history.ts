// How rates changed in the course of a search, for pictures, in a bounded number of points.
import { numberOf, numbersOf } from "../parts.js";
import type { PartState } from "../plain.js";

/** Rates at several times. */
export interface RatesOverTime {
  /** The number of rates of each time. */
  readonly width: number;
  /** For each time: how many candidates had been made. */
  readonly candidates: Float64Array;
  /** `rates[time * width + index]` */
  readonly rates: Float64Array;
}

const MOST = 512;

/** Keeps rates of evenly spaced batches: when there are too many points, it drops every other one. */
export class RateHistory {
  readonly #width: number;
  readonly #candidates = new Float64Array(MOST);
  readonly #rates: Float64Array;
  #points = 0;
  #stride = 1;
  #skip = 0;

  constructor(width: number) {
    this.#width = width;
    this.#rates = new Float64Array(MOST * width);
  }

  add(candidates: number, rates: Float64Array): void {
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    if (this.#points === MOST) this.#halve();
    this.#candidates[this.#points] = candidates;
    this.#rates.set(rates, this.#points++ * this.#width);
    this.#skip = this.#stride - 1;
  }

  read(): RatesOverTime {
    return {
      width: this.#width,
      candidates: this.#candidates.slice(0, this.#points),
      rates: this.#rates.slice(0, this.#points * this.#width),
    };
  }

  state(): PartState {
    const { candidates, rates } = this.read();
    return { values: { stride: this.#stride, skip: this.#skip }, arrays: { candidates, rates } };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const candidates = numbersOf(state, "candidates");
    const rates = numbersOf(state, "rates", candidates.length * this.#width);
    this.#stride = numberOf(state, "stride");
    this.#skip = numberOf(state, "skip");
    this.#points = Math.min(candidates.length, MOST);
    this.#candidates.set(candidates.subarray(0, MOST));
    this.#rates.set(rates.subarray(0, MOST * this.#width));
  }

  #halve(): void {
    for (let point = 0; point < MOST; point += 2) {
      const to = point / 2;
      this.#candidates[to] = this.#candidates[point]!;
      this.#rates.copyWithin(to * this.#width, point * this.#width, (point + 1) * this.#width);
    }
    this.#points = MOST / 2;
    this.#stride *= 2;
  }
}
