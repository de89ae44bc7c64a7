// The main job: programs to stubs to PTX to cubins, batch by batch. Inside a batch each stage does all of its programs
// before the next begins, so that their times are told apart; batches keep the memory of a long run bounded.

import { createHash } from "node:crypto";
import type { JobResult, PtxCompiler } from "@mm-ptx/cuda";
import type { StackProgram } from "@mm-ptx/stack";
import type { ElfChecker, Sample } from "./checks.js";
import { codeOf, messageOf } from "./error.js";
import type { Kernel } from "./kernel.js";
import type { Progress } from "./progress.js";
import { type CompiledRecord, type FailedRecord, isFailed, type ProgramRecord } from "./records.js";
import type { KeptFiles, ResultsFile } from "./results.js";
import type { StubMaker } from "./stubs.js";
import type { Totals } from "./totals.js";

/** Long enough that the pool's idle moment between two batches is lost in the compiles, short enough for the memory. */
const BATCH = 2048;

export interface Pipeline {
  readonly programs: Iterable<StackProgram>;
  readonly kernel: Kernel;
  readonly stubs: StubMaker;
  /** Absent where nothing compiles PTX. */
  readonly compiler: PtxCompiler | undefined;
  readonly elf: ElfChecker;
  readonly sample: Sample;
  readonly results: ResultsFile;
  readonly kept: KeptFiles | undefined;
  readonly totals: Totals;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What came of compiling a stub; `undefined` where nothing compiles. */
type Outcome =
  | Omit<CompiledRecord, "index" | "program" | "stub">
  | Pick<FailedRecord, "code" | "message">
  | undefined;

/** The first program that has a stub. Its cubin serves for the others. It outlives its batch, so it holds no text. */
interface Origin {
  readonly index: number;
  outcome: Outcome;
}

/** A program on its way. */
interface Job {
  readonly index: number;
  readonly program: string;
  readonly stub: string;
  readonly origin: Origin;
  ptx: string;
}

/** Runs everything, or as much as there is time for before the signal. */
export async function runPipeline(pipeline: Pipeline): Promise<void> {
  const seen = new Map<string, Origin>();
  let index = 0;
  for (const programs of batches(pipeline.programs, BATCH)) {
    if (pipeline.signal.aborted) return;
    const jobs = renderAll(pipeline, stubAll(pipeline, programs, index, seen));
    index += programs.length;
    // Lets a signal that came meanwhile be seen.
    await new Promise((resolve) => setImmediate(resolve));
    if (pipeline.signal.aborted) return;
    if (pipeline.compiler !== undefined) await compileAll(pipeline, pipeline.compiler, jobs);
    else for (const job of jobs) await finish(pipeline, job, undefined);
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

function stubAll(
  pipeline: Pipeline,
  programs: readonly StackProgram[],
  from: number,
  seen: Map<string, Origin>,
): Job[] {
  const { totals, progress, results, stubs } = pipeline;
  progress.stage("stubs");
  const stop = totals.start("stub");
  const made = programs.map((program) => attempt(() => stubs.make(program)));
  stop(programs.length);
  return made.flatMap((stub, i) => {
    const index = from + i;
    const program = Buffer.from(programs[i]!.bytes).toString("hex");
    if (!stub.ok) {
      const record = { index, program, code: codeOf(stub.error), message: messageOf(stub.error) };
      totals.add(record);
      results.add(record);
      progress.count(true);
      return [];
    }
    const key = createHash("sha256").update(stub.value).digest("base64");
    let origin = seen.get(key);
    if (origin === undefined) {
      origin = { index, outcome: undefined };
      seen.set(key, origin);
    }
    return [{ index, program, stub: stub.value, origin, ptx: "" }];
  });
}

function renderAll({ totals, progress, kernel }: Pipeline, jobs: Job[]): Job[] {
  progress.stage("render");
  const stop = totals.start("render");
  for (const job of jobs) job.ptx = kernel.annotated.render({ [kernel.site.name]: job.stub });
  stop(jobs.length);
  return jobs;
}

/** Compiles each distinct stub once, in whatever order the compiler ends them, then settles those that share one. */
async function compileAll(pipeline: Pipeline, compiler: PtxCompiler, jobs: readonly Job[]): Promise<void> {
  const { totals, progress, signal } = pipeline;
  const firsts = jobs.filter((job) => job.origin.index === job.index);
  progress.stage("compile");
  const before = totals.done;
  const stop = totals.start("compile");
  try {
    for await (const result of compiler.stream(firsts, { signal })) {
      const job = firsts[result.index]!;
      if (signal.aborted) return;
      totals.compiles++;
      job.origin.outcome = outcomeOf(result);
      if (result.ok) pipeline.elf.check(job.index, result.cubin);
      if (result.ok) pipeline.sample.offer(job.index, job.ptx, result.cubin);
      await finish(pipeline, job, result.ok ? result.cubin : undefined);
    }
    for (const job of jobs) {
      if (signal.aborted) return;
      if (job.origin.index !== job.index) await finish(pipeline, job, undefined);
    }
  } finally {
    stop(totals.done - before);
  }
}

function outcomeOf(result: JobResult): Outcome {
  if (!result.ok) return { code: codeOf(result.error), message: messageOf(result.error) };
  const { kernels, milliseconds } = result.info;
  return {
    registers: Math.max(0, ...kernels.map((kernel) => kernel.registers)),
    spills: kernels.reduce((sum, kernel) => sum + kernel.spillStores + kernel.spillLoads, 0),
    cubinBytes: result.cubin.length,
    cubinSha256: createHash("sha256").update(result.cubin).digest("hex"),
    milliseconds: Math.round(milliseconds * 1000) / 1000,
  };
}

/** Writes down what came of a program. Without a cubin of its own, that of its origin serves, when there is one. */
async function finish(pipeline: Pipeline, job: Job, cubin: Uint8Array | undefined): Promise<void> {
  const { index, program, stub, origin } = job;
  const shared = origin.index !== index;
  // Nothing is spent on a stub that an earlier program has compiled.
  const spent = shared && isCubin(origin.outcome) ? { milliseconds: 0 } : {};
  const record: ProgramRecord = { index, program, stub, ...origin.outcome, ...spent };
  if (pipeline.kept !== undefined) {
    await pipeline.kept.ptx(index, job.ptx);
    if (cubin !== undefined) await pipeline.kept.cubin(index, cubin);
    else if (shared && isCubin(origin.outcome)) await pipeline.kept.sameCubin(index, origin.index);
  }
  job.ptx = "";
  // Only here, where the program is through: a run that is stopped has made stubs that came to nothing.
  if (!shared) pipeline.totals.distinctStubs++;
  pipeline.totals.liveInstructions.push(pipeline.stubs.liveInstructions(stub));
  pipeline.totals.add(record);
  pipeline.results.add(record);
  pipeline.progress.count(isFailed(record));
}

function isCubin(outcome: Outcome): boolean {
  return outcome !== undefined && "cubinSha256" in outcome;
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** One bad program spoils no other. */
function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
