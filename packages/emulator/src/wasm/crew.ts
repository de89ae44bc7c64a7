// The interface through which the translator uses other threads of the machine that run blocks of a launch.
import type { Fault } from "../run/fault.js";
import type { Launch, LoadedProgram } from "../run/launch.js";
import type { Capabilities } from "./capabilities.js";
import type { Translation } from "./translation.js";

/** The outcome of a crew's part of a launch. */
export interface CrewResult {
  readonly fault: Fault | undefined;
  /** Total milliseconds for which its threads ran blocks. */
  readonly busy: number;
}

export interface Crew {
  /**
   * Prepares everything that a kernel needs.
   * @throws EmulatorError `WORKER_LOST`
   */
  prepare(loaded: LoadedProgram, translation: Translation, machine: Capabilities): Promise<void>;
  /**
   * Runs the blocks of a launch from `begin.block` on. The blocks before it are done already.
   *
   * @throws EmulatorError `OUT_OF_MEMORY`, `WORKER_LOST`
   */
  run(
    launch: Launch,
    translation: Translation,
    begin: { readonly block: number; readonly executed: number },
  ): Promise<CrewResult>;
}
