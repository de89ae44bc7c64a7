// The steps of a traced thread: printed as they arrive, so that they are visible even if the launch fails, or kept for
// the JSON output.

import { type TraceStep, traceLine } from "../view/trace.js";
import { printable } from "./framework.js";

/** The most steps to report; the rest are only counted. */
const MOST = 10_000;

export class StepLog {
  readonly #write: (text: string) => void;
  readonly #keeps: boolean;
  readonly #kept: TraceStep[] = [];
  #count = 0;

  /** @param keeps whether to keep steps instead of printing them */
  constructor(keeps: boolean, write: (text: string) => void) {
    this.#keeps = keeps;
    this.#write = write;
  }

  add(step: TraceStep): void {
    if (++this.#count > MOST) return;
    if (this.#keeps) this.#kept.push(step);
    else this.#write(`${printable(traceLine(step))}\n`);
  }

  /** The number of steps that were neither printed nor kept. */
  get leftOut(): number {
    return Math.max(0, this.#count - MOST);
  }

  /** The kept steps, with bits in a form that JSON can represent. */
  json(): object[] {
    return this.#kept.map(({ values, frames, ...step }) => ({
      ...step,
      ...(frames.length === 0 ? {} : { frames }),
      values: values.map(({ bits, ...value }) => ({ ...value, bits: `0x${bits.toString(16)}` })),
    }));
  }
}
