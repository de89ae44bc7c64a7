// Results on their way to the consumer, as they come or in the order of the programs.
import type { PipelineResult } from "../results/result.js";

export class Outbox {
  readonly #isOrdered: boolean;
  #ready: PipelineResult[] = [];
  #at = 0;
  /** Results whose predecessors are not there yet. */
  readonly #early = new Map<number, PipelineResult>();
  #next = 0;
  #wake: () => void = () => {};

  constructor(isOrdered: boolean) {
    this.#isOrdered = isOrdered;
  }

  add(result: PipelineResult): void {
    if (!this.#isOrdered) this.#ready.push(result);
    else {
      this.#early.set(result.index, result);
      for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
        this.#early.delete(this.#next++);
        this.#ready.push(next);
      }
    }
    this.wake();
  }

  /** The next result, if there is one. */
  take(): PipelineResult | undefined {
    const result = this.#ready[this.#at];
    if (result === undefined) return undefined;
    if (++this.#at === this.#ready.length) {
      this.#ready = [];
      this.#at = 0;
    }
    return result;
  }

  /** Makes results available whose predecessors will never come. Returns whether there were any. */
  release(): boolean {
    const early = [...this.#early.values()].sort((a, b) => a.index - b.index);
    this.#early.clear();
    this.#ready.push(...early);
    return early.length > 0;
  }

  /** Waits until something changes. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }
}
