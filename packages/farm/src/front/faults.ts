// Which jobs of a parcel are suspects when workers die with it or give wrong answers.

import type { Failure } from "@mm-ptx/cuda/backend";
import { type OpenParcel, openEntries } from "./parcels.js";
import type { Entry } from "./queue.js";

/** The number of workers that have to die with a job, or to give wrong answers, until it fails. */
export const MOST_DEATHS = 4;

/** Counts the workers that jobs have cost. */
export interface Fault {
  readonly suspects: readonly Entry[];
  readonly deaths: number;
  /** The failure of a job that has cost too many workers. */
  readonly failure: Failure;
}

/**
 * The server has given a parcel to as many workers as it may, and none has answered: the job that they were
 * compiling killed them.
 */
export function fatalJob(open: OpenParcel): Fault {
  const { at, begun, entries, workers } = open;
  const suspects = openEntries(open).filter((entry) => at === undefined || entry === entries[at]);
  const names = [...workers].join(", ");
  const how = `every worker of the farm that compiled it died${names && `: ${names}`}`;
  const deaths = at === undefined || begun.get(at) === 1 ? 1 : MOST_DEATHS;
  return { suspects, deaths, failure: { is: "crashed", how } };
}

/** An answer can't be used. */
export function wrongAnswer(open: OpenParcel, { message }: Error): Fault {
  const how = `workers of the farm gave wrong answers, the last one: ${message}`;
  return { suspects: openEntries(open), deaths: 1, failure: { is: "internal", how } };
}
