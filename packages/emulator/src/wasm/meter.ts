// What says whether a launch may go on: its limits, as a thread of the machine sees them that runs blocks of it.
import type { LaunchLimits } from "../run/launch.js";

/** Which limit ended a launch. */
export type Limit = "BUDGET" | "TIMEOUT" | "ABORTED";

export interface Meter {
  /**
   * Takes note of instructions that were executed.
   *
   * @param block the one that runs, by its number
   * @returns why the launch has to end; undefined when it may go on
   */
  spend(instructions: number, block: number): Limit | undefined;
}

/** The limits of a launch that runs on one thread. */
export class OwnMeter implements Meter {
  /** Instructions that were executed. */
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
