// Reports a pipeline's progress at intervals.
import { setTimeout } from "node:timers/promises";
import type { PipelineStats } from "../scheduling/counts.js";

/** The state of a pipeline. */
export interface PipelineProgress extends PipelineStats {
  /** Programs that were done, failed or screened per second since the previous event. */
  readonly perSecond: number;
  /** The number of programs in the next pack. */
  readonly packSize: number;
  /**
   * Seconds until all runs that are going on have ended, if they go on as fast as of late. Absent if the number of
   * programs of a run is not known, if no run is going on, and until a program is done.
   */
  readonly secondsLeft?: number;
}

/** Options of `KernelPipeline.progress`. */
export interface ProgressOptions {
  /** The interval between events in milliseconds; 250 by default. */
  readonly intervalMs?: number;
  /** Ends the events. */
  readonly signal?: AbortSignal;
}

/** What an event is made of. */
export interface ProgressSource {
  readonly stats: PipelineStats;
  readonly packSize: number;
  /** How many programs have no result yet, if that is known. */
  readonly left: number | undefined;
}

/** Programs are done a whole pack at a time, so the time that is left is estimated from several changes. */
const CHANGES_IN_RATE = 16;

interface Moment {
  readonly at: number;
  readonly through: number;
}

/**
 * Yields an event per interval, and a last one when `ended` is aborted. Waiting for the next event does not keep the process alive.
 */
export async function* progressEvents(
  source: () => ProgressSource,
  intervalMs: number,
  ended: AbortSignal,
): AsyncGenerator<PipelineProgress, void, undefined> {
  const changes: Moment[] = [];
  let last: Moment | undefined;
  const event = (): PipelineProgress => {
    const { stats, packSize, left } = source();
    const now = { at: performance.now(), through: stats.done + stats.failed + stats.screened };
    if (now.through !== changes.at(-1)?.through) changes.push(now);
    if (changes.length > CHANGES_IN_RATE) changes.shift();
    const perSecond = rateOf(last, now);
    const recent = rateOf(changes[0], now);
    last = now;
    const secondsLeft = left === undefined || recent === 0 ? undefined : left / recent;
    return { ...stats, perSecond, packSize, ...(secondsLeft === undefined ? {} : { secondsLeft }) };
  };
  while (!ended.aborted) {
    yield event();
    // It is rejected when `ended` is aborted.
    await setTimeout(intervalMs, undefined, { signal: ended, ref: false }).catch(() => {});
  }
  yield event();
}

function rateOf(before: Moment | undefined, now: Moment): number {
  if (before === undefined) return 0;
  return ((now.through - before.through) * 1000) / Math.max(1, now.at - before.at);
}
