// How many programs have no result yet, where that is known.
import type { BoundSite } from "../sites/bind.js";

/** A run that is going on. */
export interface RunningRun {
  /** How many of its programs have no result yet, if the number of all is known. */
  readonly left: number | undefined;
}

/** The programs without a result in all runs; undefined if no run is going on, or the number is not known for one of them. */
export function programsLeft(runs: Iterable<RunningRun>): number | undefined {
  let sum: number | undefined;
  for (const { left } of runs) {
    if (left === undefined) return undefined;
    sum = (sum ?? 0) + left;
  }
  return sum;
}

/** The number of programs of a run, if they are given as arrays. */
export function totalOf(
  programs: unknown,
  sites: readonly BoundSite[],
  isCross: boolean,
): number | undefined {
  if (!isCross) return lengthOf(programs);
  const lists = programs as Readonly<Record<string, unknown>> | null | undefined;
  let total = 1;
  for (const { name } of sites) {
    const length = lengthOf(lists?.[name]);
    if (length === undefined) return undefined;
    total *= length;
  }
  return total;
}

const lengthOf = (programs: unknown): number | undefined =>
  Array.isArray(programs) ? programs.length : undefined;
