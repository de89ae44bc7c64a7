// The checks of a device, and what engines call when one of them finds something. Findings do not stop a launch: they
// are recorded, and the launch continues where it can.
import type { RecordedFault } from "./fault.js";
import type { Neighbor } from "./neighbor.js";

/** The names of the checks of a device. */
export const CHECKS = [
  "memory",
  "races",
  "uninitialized",
  "sync",
  "leaks",
] as const satisfies readonly CheckName[];

/** The name of a check; `api` is about the calls of a program that `mm-ptx-emulate run` runs. */
export type CheckName = "memory" | "races" | "uninitialized" | "sync" | "leaks" | "api";

/** The checks of a launch. Engines record what they find and continue as described here. */
export interface LaunchChecks {
  /**
   * A load of memory that is not allocated, or that is misaligned, returns zero; a store or an atomic operation is
   * dropped.
   */
  readonly memory: boolean;
  /** Races are recorded; the access happens. */
  readonly races: boolean;
  /** Reads of anything that was never written are recorded; they return zero. */
  readonly uninitialized: boolean;
  /**
   * Invalid synchronization ends the block, unless its threads can continue; the launch continues with the next block.
   */
  readonly sync: boolean;
  /**
   * Records a finding. Equal ones are counted, so this may be called any number of times.
   * @param neighbor from `neighborOf` at the time of the fault, if the kernel may have allocated or freed memory since
   */
  record(fault: RecordedFault, neighbor?: Neighbor): void;
  /** The allocation that a fault concerns now. */
  neighborOf(fault: RecordedFault): Neighbor | undefined;
}
