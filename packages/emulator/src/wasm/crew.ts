// Other threads of the machine that run blocks of a launch: what the translator needs of them.
import type { Fault } from "../run/fault.js";
import type { Launch, LoadedProgram } from "../run/launch.js";
import type { Capabilities } from "./capabilities.js";
import type { Translation } from "./kernel.js";

/** How a crew's part of a launch went. */
export interface CrewResult {
  readonly fault: Fault | undefined;
  /** Milliseconds that all of it together ran blocks. */
  readonly busy: number;
}

export interface Crew {
  /** Gets everything ready that a kernel needs. @throws EmulatorError WORKER_LOST */
  prepare(loaded: LoadedProgram, translation: Translation, machine: Capabilities): Promise<void>;
  /**
   * Runs the blocks of a launch, those before one are done.
   * @throws EmulatorError OUT_OF_MEMORY, WORKER_LOST
   */
  run(
    launch: Launch,
    translation: Translation,
    begin: { readonly block: number; readonly executed: number },
  ): Promise<CrewResult>;
}
