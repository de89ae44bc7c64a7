// The runners of a pipeline, each of which runs one pack at a time.
import type { PackRunner } from "../running/work.js";

export class RunnerPool {
  readonly #free: PackRunner[];
  readonly #all: readonly PackRunner[];
  readonly #waiting: ((runner: PackRunner) => void)[] = [];

  constructor(runners: readonly PackRunner[]) {
    this.#all = runners;
    this.#free = [...runners];
  }

  get size(): number {
    return this.#all.length;
  }

  /** Calls `work` with a runner that is free. Rejects with the signal's reason if that is raised before. */
  async use<Answer>(signal: AbortSignal, work: (runner: PackRunner) => Promise<Answer>): Promise<Answer> {
    const runner =
      this.#free.pop() ?? (await new Promise<PackRunner>((resolve) => this.#waiting.push(resolve)));
    try {
      signal.throwIfAborted();
      return await work(runner);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(runner);
      else next(runner);
    }
  }

  dispose(): void {
    for (const runner of this.#all) runner.dispose();
  }
}
