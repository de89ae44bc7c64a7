// Runs each program in its kernel and compares the results with the reference.

import { messageOf } from "../error.js";
import type { Job } from "../job.js";
import type { Monitor } from "../monitor.js";
import type { Ran, Runner } from "../runner.js";

export class RunStage {
  readonly #runner: Runner;
  /** What runs the programs, for the records. */
  readonly #name: string;
  readonly #monitor: Monitor;

  constructor(runner: Runner, name: string, monitor: Monitor) {
    this.#runner = runner;
    this.#name = name;
    this.#monitor = monitor;
  }

  /** Writes what came of running them into the jobs. */
  async process(jobs: readonly Job[], signal: AbortSignal): Promise<void> {
    const stop = this.#monitor.begin("run");
    let count = 0;
    for (const job of jobs) {
      if (signal.aborted) break;
      await this.#run(job);
      count++;
    }
    stop(count);
  }

  async #run(job: Job): Promise<void> {
    const { difference, results } = await this.#runner
      .run(job.source, job.stub)
      .catch((error): Ran => ({ difference: messageOf(error), results: undefined }));
    const ran = this.#name;
    job.ran = difference === undefined ? { ran, agrees: true } : { ran, agrees: false, difference };
    if (results !== undefined) job.results = results;
  }
}
