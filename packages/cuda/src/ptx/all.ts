// Runs a list of jobs through one compiler, a bounded number at a time. Because no results are consumed before all jobs
// are done, each finished job starts the next one directly, which is much cheaper than the turns of a stream.

import type { PtxCompileError } from "../error.js";
import { whenAborted } from "./abort.js";
import { type JobResult, jobResult, type StartJob } from "./flow.js";

export interface AllOptions {
  /** The maximum number of jobs in flight; read before each job. */
  readonly window: number;
  readonly signal: AbortSignal | undefined;
  /** The error of jobs that are not done when the signal is aborted. */
  readonly aborted: (signal: AbortSignal) => PtxCompileError;
}

/** Runs all jobs; results are in input order. An aborted signal cancels running jobs. Never rejects. */
export function runAll(jobs: readonly unknown[], start: StartJob, options: AllOptions): Promise<JobResult[]> {
  const { signal, aborted } = options;
  const results: JobResult[] = new Array(jobs.length);
  const running = new Map<number, () => void>();
  let next = 0;
  /** Whether `fill` is running or scheduled for the next turn of the event loop. */
  let filling = false;
  let ended = false;
  return new Promise((resolve) => {
    const end = (): void => {
      ended = true;
      unlisten();
      resolve(results);
    };
    const onAbort = (): void => {
      for (const forget of running.values()) forget();
      const error = aborted(signal!);
      for (let index = 0; index < jobs.length; index++) results[index] ??= { ok: false, index, error };
      end();
    };
    const launch = (index: number): void => {
      const forget = start(jobs[index], (result) => {
        if (ended) return;
        results[index] = jobResult(result, index);
        running.delete(index);
        if (!filling) fill();
      });
      // The job itself may have aborted the signal, in a getter.
      if (ended) forget();
      else if (results[index] === undefined) running.set(index, forget);
    };
    const fill = (): void => {
      filling = true;
      let launched = 0;
      while (!ended && running.size < options.window && next < jobs.length) {
        if (launched++ >= options.window) {
          // Many jobs that fail immediately must not starve the event loop.
          setImmediate(fill);
          return;
        }
        launch(next++);
      }
      filling = false;
      if (!ended && running.size === 0) end();
    };
    const unlisten = signal === undefined ? () => {} : whenAborted(signal, onAbort);
    if (signal?.aborted) onAbort();
    else fill();
  });
}
