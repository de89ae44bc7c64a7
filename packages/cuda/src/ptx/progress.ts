// Reports a compiler's progress at intervals.

import type { CompilerStats } from "./compiler.js";

/** The state of a compiler. */
export interface Progress {
  /** Jobs that received a cubin: compiled, from the cache, or from an equal job. */
  readonly done: number;
  /** Jobs that failed, including those whose equal job failed. */
  readonly failed: number;
  /** The jobs in `done` that needed no compile. */
  readonly cached: number;
  /** Compiles that wait for a worker, and running ones. */
  readonly queued: number;
  readonly running: number;
  /** Jobs that were done or failed per second since the previous event. */
  readonly perSecond: number;
}

/** Options of `PtxCompiler.progress`. */
export interface ProgressOptions {
  /** The interval between events in milliseconds; 250 by default. */
  readonly intervalMs?: number;
  /** Ends the events. */
  readonly signal?: AbortSignal;
}

/**
 * Yields an event per interval, and a last one when `ended` is aborted. Waiting for the next event does not keep the
 * process alive.
 */
export async function* progressEvents(
  stats: () => CompilerStats,
  intervalMs: number,
  ended: AbortSignal,
): AsyncGenerator<Progress, void, undefined> {
  let before = { at: performance.now(), through: 0 };
  const event = (): Progress => {
    const { compiled, failed, fromCache, duplicates, queued, running } = stats();
    const cached = fromCache + duplicates;
    const done = compiled + cached;
    const now = { at: performance.now(), through: done + failed };
    const perSecond = ((now.through - before.through) * 1000) / Math.max(1, now.at - before.at);
    before = now;
    return { done, failed, cached, queued, running, perSecond };
  };
  while (!ended.aborted) {
    yield event();
    if (ended.aborted) break;
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        ended.removeEventListener("abort", stop);
        resolve();
      };
      const timer = setTimeout(stop, intervalMs).unref();
      ended.addEventListener("abort", stop);
    });
  }
  yield event();
}
