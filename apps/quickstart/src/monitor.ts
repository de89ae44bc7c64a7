// What every stage reports to: the clock of the stages, and the line that shows how far the run is.

import type { Progress } from "./progress.js";
import type { Stage } from "./report.js";
import type { Totals } from "./totals.js";

export class Monitor {
  readonly #totals: Totals;
  readonly #progress: Progress;

  constructor(totals: Totals, progress: Progress) {
    this.#totals = totals;
    this.#progress = progress;
  }

  /** Shows that a stage begins and starts its clock. The returned function stops it and takes the number of programs. */
  begin(stage: Stage, shown: string = stage): (programs: number) => void {
    this.#progress.stage(shown);
    return this.#totals.start(stage);
  }
}
