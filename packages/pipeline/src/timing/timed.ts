// What timing says about a program, and the result that it becomes a part of.
import type { ProgramOutcome } from "../results/result.js";

/** What timing says about a program: plain data. */
export interface TimedProgram {
  /** The time of a launch; undefined where the program can't be launched by itself. */
  readonly microseconds?: number;
  /** Whether the GPU slowed its clock down meanwhile. */
  readonly isThrottled?: boolean;
  /** In words, what the program computed after timing that it did not compute before. */
  readonly change?: string;
}

/** The result of a program with what timing says about it. */
export function withTime(outcome: ProgramOutcome, timed: TimedProgram | undefined): ProgramOutcome {
  if (timed === undefined) return outcome;
  const { microseconds, isThrottled, change } = timed;
  return {
    ...outcome,
    ...(microseconds === undefined ? {} : { microseconds }),
    ...(isThrottled === true ? { throttled: true } : {}),
    ...(change === undefined ? {} : changed(change)),
  };
}

const changed = (message: string): Pick<ProgramOutcome, "status" | "error"> => ({
  status: "OUTPUT_CHANGED",
  error: { code: "OUTPUT_CHANGED", message },
});
