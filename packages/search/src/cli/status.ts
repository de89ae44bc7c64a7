// How a search is going, in one line.

import { counted, grouped, percent, significant } from "../pictures/drawing/words.js";
import type { BatchEvent } from "../search/events.js";
import type { Limits } from "./limits.js";

/** Counts what one session of a run did. */
export class Session {
  readonly #limits: Limits;
  readonly #before: number;
  #made = 0;
  #duplicates = 0;
  #batches = 0;
  #last: BatchEvent | undefined;

  /** @param evaluations those of earlier sessions */
  constructor(limits: Limits, evaluations: number) {
    this.#limits = limits;
    this.#before = evaluations;
  }

  add(event: BatchEvent): void {
    this.#made += event.batch.made;
    this.#duplicates += event.batch.duplicates;
    this.#batches++;
    this.#last = event;
  }

  get evaluations(): number {
    return this.#last === undefined ? 0 : this.#last.evaluations - this.#before;
  }

  get batches(): number {
    return this.#batches;
  }

  /** Evaluations a second. */
  get rate(): number {
    const { seconds = 0 } = this.#last ?? {};
    return seconds === 0 ? 0 : this.evaluations / seconds;
  }

  /** The part of the candidates that had been made before. */
  get duplicates(): number {
    return this.#made === 0 ? 0 : this.#duplicates / this.#made;
  }

  /** Evaluations, their rate, duplicates, cells, the best objective, and what is left. */
  line(): string {
    const last = this.#last;
    if (last === undefined) return "the first batch";
    const { evaluations, elites, coverage, best } = last;
    const cells = coverage === undefined || coverage === 0 ? undefined : Math.round(elites / coverage);
    return [
      counted(evaluations, "evaluation"),
      `${significant(this.rate)}/s`,
      `${percent(this.duplicates)} duplicates`,
      cells === undefined ? counted(elites, "elite") : `${grouped(elites)} of ${counted(cells, "cell")}`,
      ...(best === undefined ? [] : [`best ${significant(best, 6)}`]),
      ...this.#left(last),
    ].join(", ");
  }

  #left({ seconds }: BatchEvent): string[] {
    const { seconds: most, evaluations, batches } = this.#limits;
    const left = [
      ...(most === undefined ? [] : [most - seconds]),
      ...(evaluations === undefined ? [] : [((evaluations - this.evaluations) / this.evaluations) * seconds]),
      ...(batches === undefined ? [] : [((batches - this.#batches) / this.#batches) * seconds]),
    ].filter(Number.isFinite);
    return left.length === 0 ? [] : [`${duration(Math.max(0, Math.min(...left)))} left`];
  }
}

/** `42 s`, `3:05 min`, `2:10 h`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [long, short] = whole >= 3600 ? [3600, 60] : [60, 1];
  if (whole < 60) return `${seconds < 9.95 ? Math.round(seconds * 10) / 10 : whole} s`;
  const rest = `${Math.floor((whole % long) / short)}`.padStart(2, "0");
  return `${Math.floor(whole / long)}:${rest} ${long === 3600 ? "h" : "min"}`;
}

/** `1 batch`, `2 batches`. */
export const countedBatches = (count: number): string =>
  `${grouped(count)} ${count === 1 ? "batch" : "batches"}`;
