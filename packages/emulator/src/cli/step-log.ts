// The steps of a traced thread: told as they come, so that they are there when the launch fails, or kept for one JSON value.
import { printable } from "@mm-ptx/types/cli";
import { type TraceStep, traceLine } from "../view/trace.js";

/** Steps that are told; the rest is counted. */
const MOST = 10_000;

export class StepLog {
  readonly #write: (text: string) => void;
  readonly #keeps: boolean;
  readonly #kept: TraceStep[] = [];
  #count = 0;

  /** @param keeps whether steps are kept instead of told */
  constructor(keeps: boolean, write: (text: string) => void) {
    this.#keeps = keeps;
    this.#write = write;
  }

  add(step: TraceStep): void {
    if (++this.#count > MOST) return;
    if (this.#keeps) this.#kept.push(step);
    else this.#write(`${printable(traceLine(step))}\n`);
  }

  /** Steps that are neither told nor kept. */
  get leftOut(): number {
    return Math.max(0, this.#count - MOST);
  }

  /** The kept ones, with bits as JSON can say them. */
  json(): object[] {
    return this.#kept.map(({ values, ...step }) => ({
      ...step,
      values: values.map(({ bits, ...value }) => ({ ...value, bits: `0x${bits.toString(16)}` })),
    }));
  }
}
