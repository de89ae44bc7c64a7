// The main job: programs become stubs, are run, and become cubins, batch by batch. Within a batch, each stage finishes all
// programs before the next one starts, so that their times can be told apart. Batches bound the memory of a long run.

import type { StackProgram } from "@mm-ptx/stack";
import type { Finisher } from "./finisher.js";
import type { Job } from "./job.js";
import type { RunStage } from "./stages/run.js";
import type { StubStage } from "./stages/stub.js";

/** Large enough that the pool's idle moment between two batches does not matter, small enough for the memory. */
const BATCH = 2048;
/** A smaller batch when programs are run, which takes a while: finished programs are written sooner. */
const RUN_BATCH = 256;

/** What finishes the jobs of a batch: a compiler, or rendering alone. */
export interface LastStage {
  /** Hands each job to `finisher`, in any order, or stops early when the signal is raised. */
  process(jobs: readonly Job[], finisher: Finisher): Promise<void>;
}

/** The stages of a run. */
export interface Pipeline {
  readonly stub: StubStage;
  /** Absent if nothing runs programs. */
  readonly run: RunStage | undefined;
  readonly last: LastStage;
}

/** Runs all programs through the stages, or as many as there is time for before the signal. */
export async function runPipeline(
  programs: Iterable<StackProgram>,
  { stub, run, last }: Pipeline,
  finisher: Finisher,
  signal: AbortSignal,
): Promise<void> {
  let index = 0;
  for (const batch of batches(programs, run === undefined ? BATCH : RUN_BATCH)) {
    if (signal.aborted) return;
    const jobs = stub.process(batch, index, finisher);
    index += batch.length;
    // Lets the event loop deliver a signal that came meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return;
    await run?.process(jobs, signal);
    if (signal.aborted) return;
    await last.process(jobs, finisher);
  }
}

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
