// How far a compiler is, told from time to time to whoever wants to know.

import type { CompilerFigures } from "./compiler.js";

/** Where a compiler stands. */
export interface Progress {
  /** Jobs that were given a cubin: compiled, from the cache, or with an equal job. */
  readonly done: number;
  /** Jobs that failed, those with an equal job too. */
  readonly failed: number;
  /** Of `done`: without a compile of their own. */
  readonly cached: number;
  /** Compiles that wait for a worker, and those under way. */
  readonly queued: number;
  readonly running: number;
  /** Jobs done or failed a second, since the event before. */
  readonly perSecond: number;
}

/** Options of `PtxCompiler.progress`. */
export interface ProgressOptions {
  /** Milliseconds between two events; default 250. */
  readonly intervalMs?: number;
  /** Ends the events. */
  readonly signal?: AbortSignal;
}

/**
 * An event each interval, and a last one when `ended` is raised. Waiting for the next one keeps no process alive.
 */
export async function* progressEvents(
  figures: () => CompilerFigures,
  intervalMs: number,
  ended: AbortSignal,
): AsyncGenerator<Progress, void, undefined> {
  let before = { at: performance.now(), through: 0 };
  const event = (): Progress => {
    const { compiled, failed, fromCache, duplicates, queued, running } = figures();
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
