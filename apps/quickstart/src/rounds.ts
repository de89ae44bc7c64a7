// The way of all programs, round by round: they become stubs, run on the emulator, and become cubins. Within a round, each stage handles
// all programs before the next one starts, so that their times can be told apart. Rounds bound the memory of a long run.

import type { StackProgram } from "@mm-ptx/stack";
import type { ElfChecker, Sample } from "./checks.js";
import type { Compiled, Cubins } from "./cubins.js";
import type { Finisher } from "./finisher.js";
import type { Gpu } from "./gpu.js";
import type { Job } from "./job.js";
import type { Kernel } from "./kernel.js";
import type { Monitor } from "./monitor.js";
import type { Runner } from "./runner.js";
import type { StubMaker } from "./stubs.js";
import type { Totals } from "./totals.js";

/** Large enough for packs, small enough that finished programs are written soon. */
const ROUND = 1024;

/** What programs meet on their way. */
export interface Stations {
  readonly kernel: Kernel;
  readonly stubs: StubMaker;
  /** Absent if nothing runs programs. */
  readonly runner: Runner | undefined;
  /** Absent if nothing compiles. */
  readonly cubins: Cubins | undefined;
  readonly gpu: Gpu | undefined;
  readonly elf: ElfChecker;
  readonly sample: Sample;
  readonly finisher: Finisher;
  readonly totals: Totals;
  readonly monitor: Monitor;
}

/** Handles all programs. @throws the signal's reason, or the ABORTED of a pipeline, when the signal is raised */
export async function runRounds(
  programs: Iterable<StackProgram>,
  stations: Stations,
  signal: AbortSignal,
): Promise<void> {
  const { cubins, gpu, runner } = stations;
  let index = 0;
  for (const round of rounds(programs)) {
    const jobs = makeStubs(round, index, stations);
    index += round.length;
    // Lets the event loop deliver a signal that came meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    if (runner !== undefined) await run(jobs, runner, stations, signal);
    if (cubins === undefined) await render(jobs, stations);
    else {
      const { fresh, waiting } = await compile(jobs, cubins, stations, signal);
      if (gpu !== undefined) await launch(waiting, gpu, stations);
      if (cubins.packs && fresh.length > 0) await draft(fresh, cubins, stations, signal);
    }
  }
}

function* rounds<T>(items: Iterable<T>): Generator<T[]> {
  let round: T[] = [];
  for (const item of items) {
    round.push(item);
    if (round.length < ROUND) continue;
    yield round;
    round = [];
  }
  if (round.length > 0) yield round;
}

/** A program that has no stub does not stop the others. */
function makeStubs(
  programs: readonly StackProgram[],
  from: number,
  { stubs, finisher, monitor }: Stations,
): Job[] {
  const stop = monitor.begin("stub", "stubs");
  const made = programs.map((source): { readonly stub: string } | { readonly error: unknown } => {
    try {
      return { stub: stubs.make(source) };
    } catch (error) {
      return { error };
    }
  });
  stop(programs.length);
  return made.flatMap((each, i) => {
    const source = programs[i]!;
    const program = Buffer.from(source.bytes).toString("hex");
    if ("stub" in each) return [{ index: from + i, source, program, stub: each.stub, ran: {} }];
    finisher.reject(from + i, program, each.error);
    return [];
  });
}

async function run(
  jobs: readonly Job[],
  runner: Runner,
  { monitor }: Stations,
  signal: AbortSignal,
): Promise<void> {
  const stop = monitor.begin("run");
  try {
    await runner.run(jobs, signal);
  } finally {
    stop(jobs.filter(({ ran }) => ran.ran !== undefined).length);
  }
}

/** Where nothing compiles, stubs are only rendered into the kernel. */
async function render(jobs: readonly Job[], { kernel, finisher, monitor }: Stations): Promise<void> {
  const stop = monitor.begin("render");
  for (const { stub } of jobs) kernel.render(stub);
  stop(jobs.length);
  for (const job of jobs) await finisher.finish(job);
}

/**
 * Compiles all jobs. Without a GPU, each is finished then; cubins of a whole round are not kept.
 *
 * @returns those that were not in the cache, and those that wait for the GPU
 */
async function compile(
  jobs: readonly Job[],
  cubins: Cubins,
  { gpu, elf, sample, finisher, totals, monitor }: Stations,
  signal: AbortSignal,
): Promise<{ readonly fresh: readonly Job[]; readonly waiting: readonly Compiled[] }> {
  const fresh: Job[] = [];
  const waiting: Compiled[] = [];
  let count = 0;
  const stop = monitor.begin("compile");
  try {
    for await (const [job, result] of cubins.compile(jobs, signal)) {
      const { module } = result;
      count++;
      if (module !== undefined) {
        totals.origins[module.info.from]++;
        elf.check(job.index, module.cubin);
        sample.offer(job.index, job.stub, module.cubin);
        if (module.info.from === "compiled") fresh.push(job);
      }
      if (gpu === undefined) await finisher.finish(job, result);
      else waiting.push([job, result]);
    }
  } finally {
    stop(count);
  }
  return { fresh, waiting };
}

/** Compares what the GPU computed, and launches all cubins again for their times. */
async function launch(
  compiled: readonly Compiled[],
  gpu: Gpu,
  { kernel, finisher, totals, monitor }: Stations,
): Promise<void> {
  const stop = monitor.begin("launch");
  const { records, ...burst } = await gpu.launchAll(kernel, compiled);
  stop(records.size);
  totals.addLaunches(burst);
  for (const [job, result] of compiled) await finisher.finish(job, result, records.get(job));
}

/** Drafts what this run has compiled alone. */
async function draft(
  jobs: readonly Job[],
  cubins: Cubins,
  { totals, monitor }: Stations,
  signal: AbortSignal,
): Promise<void> {
  const stop = monitor.begin("draft");
  let count = 0;
  try {
    for await (const { status } of cubins.draft(jobs, signal)) if (status === "ok") count++;
  } finally {
    stop(count);
    totals.drafted += count;
  }
}
