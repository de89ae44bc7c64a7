// The jobs of a front while they wait.

import { PtxCompileError } from "@mm-ptx/cuda";
import { type BackendJob, type BackendOutcome, type Failure, writtenSource } from "@mm-ptx/cuda/backend";
import type { Entry } from "./queue.js";
import { measured, travels } from "./sources.js";

export const failed = (failure: Failure): BackendOutcome => ({
  kind: "failed",
  failure,
  log: "",
  milliseconds: 0,
});

/** A job that waits, and why it can't, if its PTX can't be made. */
export function entryOf(
  job: BackendJob,
  done: (outcome: BackendOutcome) => void,
): { readonly entry: Entry; readonly failure: Failure | undefined } {
  const { source } = job;
  const entry: Entry = {
    job,
    done,
    source,
    group: "",
    bytes: 0,
    length: 0,
    settled: false,
    cancel: undefined,
    deaths: 0,
    refused: 0,
  };
  if (!travels(source)) return { entry, failure: writeSource(entry) };
  Object.assign(entry, measured(job, source));
  return { entry, failure: undefined };
}

/** Generates the PTX of a job, which is then sent in its place. @returns why it can't be generated */
export function writeSource(entry: Entry): Failure | undefined {
  try {
    const source = writtenSource(entry.job.source);
    if (entry.source !== source) Object.assign(entry, { source, ...measured(entry.job, source) });
    return undefined;
  } catch (error) {
    if (error instanceof PtxCompileError) return { is: "unmade", error };
    throw error;
  }
}
