// Which checks a translated kernel makes besides those of every access.
import type { LaunchHooks } from "../../run/launch.js";

/** The checks that code is generated for. */
export interface Checks {
  /** Races between threads of a block. */
  readonly races: boolean;
  /** Reads of registers and of shared memory that were never written. */
  readonly uninitialized: boolean;
}

export const NO_CHECKS: Checks = { races: false, uninitialized: false };

export const checksOf = ({ checks }: LaunchHooks): Checks => ({
  races: checks?.races === true,
  uninitialized: checks?.uninitialized === true,
});

export const hasChecks = ({ races, uninitialized }: Checks): boolean => races || uninitialized;
