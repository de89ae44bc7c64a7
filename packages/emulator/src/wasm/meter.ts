// Decides whether a launch may continue: its limits, as seen by a CPU thread that runs blocks of it.
import type { LaunchLimits } from "../run/launch.js";

/** The limit that ended a launch. */
export type Limit = "BUDGET" | "TIMEOUT" | "ABORTED";

export interface Meter {
  /**
   * Counts executed instructions.
   *
   * @param block the number of the running block
   * @returns why the launch has to end; undefined when it may continue
   */
  spend(instructions: number, block: number): Limit | undefined;
}

/** The limits of a launch that runs on one thread. */
export class OwnMeter implements Meter {
  /** The number of executed instructions. */
  executed = 0;
  readonly #limits: LaunchLimits;

  constructor(limits: LaunchLimits) {
    this.#limits = limits;
  }

  spend(instructions: number): Limit | undefined {
    this.executed += instructions;
    const { instructions: most, deadline, signal } = this.#limits;
    if (this.executed > most) return "BUDGET";
    if (deadline !== Infinity && performance.now() > deadline) return "TIMEOUT";
    return signal?.aborted ? "ABORTED" : undefined;
  }
}
