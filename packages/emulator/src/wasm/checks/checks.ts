// Which checks a translated kernel makes.
import type { LaunchHooks } from "../../run/launch.js";

/** The checks that code is generated for. That of synchronization needs none. */
export interface Checks {
  /** Accesses outside of allocations are recorded, and the launch continues. */
  readonly memory: boolean;
  /** Races between threads of a block. */
  readonly races: boolean;
  /** Reads of registers and of shared memory that were never written. */
  readonly uninitialized: boolean;
}

export const NO_CHECKS: Checks = { memory: false, races: false, uninitialized: false };

export const checksOf = ({ checks }: LaunchHooks): Checks => ({
  memory: checks?.memory === true,
  races: checks?.races === true,
  uninitialized: checks?.uninitialized === true,
});

/** Whether the launch continues after something was found. */
export const hasChecks = ({ memory, races, uninitialized }: Checks): boolean =>
  memory || races || uninitialized;

/** Whether accesses inside of allocations are recorded. */
export const observesAccesses = ({ races, uninitialized }: Checks): boolean => races || uninitialized;
