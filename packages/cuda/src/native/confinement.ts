// Whether workers can confine themselves on this machine, which only a worker that does it can tell.

import { compilerEnvironment } from "./environment.js";
import type { LoadedNative } from "./load.js";

/** Whether the workers of the `isolated` backend can be confined on this machine. */
export interface ConfinementReport {
  readonly available: boolean;
  /** Why not. */
  readonly problem?: string;
}

const reports = new Map<string, ConfinementReport>();

/** Starts a worker the first time, which takes some 15 ms. Never throws. */
export function confinementReport(native: LoadedNative | undefined): ConfinementReport {
  if (native?.workerPath === undefined)
    return { available: false, problem: native?.workerProblem ?? "there are no worker processes" };
  const { addon, libraryPath, workerPath } = native;
  const key = `${libraryPath}\n${workerPath}`;
  let report = reports.get(key);
  if (report === undefined) {
    const problem = addon.tryConfinement(libraryPath, workerPath, compilerEnvironment());
    report = problem === "" ? { available: true } : { available: false, problem };
    reports.set(key, report);
  }
  return report;
}
