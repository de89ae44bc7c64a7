// The main job: programs to stubs to cubins, batch by batch. Inside a batch each stage does all of its programs before the
// next begins, so that their times are told apart; batches keep the memory of a long run bounded. Devices get the rendered
// kernel, the compiler gets it as a template, and renders each stub into it on the thread that compiles.

import { hash } from "node:crypto";
import type { JobResult, PtxCompiler } from "@mm-ptx/cuda";
import type { StackProgram } from "@mm-ptx/stack";
import type { ElfChecker, Sample } from "./checks.js";
import { codeOf, messageOf } from "./error.js";
import type { Candidate, FoundGpu, Gpu, Launched } from "./gpu.js";
import type { Kernel } from "./kernel.js";
import type { Progress } from "./progress.js";
import {
  type CompiledRecord,
  type FailedRecord,
  isFailed,
  type LaunchRecord,
  type ProgramRecord,
  type RunRecord,
} from "./records.js";
import type { KeptFiles, ResultsFile } from "./results.js";
import type { FoundRunner, Ran } from "./runner.js";
import type { StubMaker } from "./stubs.js";
import type { Totals } from "./totals.js";

/** Long enough that the pool's idle moment between two batches is lost in the compiles, short enough for the memory. */
const BATCH = 2048;
/** Fewer where programs are run, which takes a while: what is through is written soon. */
const RUN_BATCH = 256;

export interface Pipeline {
  readonly programs: Iterable<StackProgram>;
  readonly kernel: Kernel;
  readonly stubs: StubMaker;
  /** Absent where nothing compiles PTX. */
  readonly compiler: PtxCompiler | undefined;
  readonly runner: FoundRunner;
  readonly gpu: FoundGpu;
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
  | Omit<CompiledRecord, "index" | "program" | "stub" | keyof RunRecord | keyof LaunchRecord>
  | Pick<FailedRecord, "code" | "message">
  | undefined;

/** A program on its way. */
interface Job {
  readonly index: number;
  readonly source: StackProgram;
  /** In hexadecimal. */
  readonly program: string;
  readonly stub: string;
  ran: RunRecord;
  /** The bits of its results; undefined where it did not run, or leaves them open. */
  results?: Uint32Array;
}

/** Runs everything, or as much as there is time for before the signal. */
export async function runPipeline(pipeline: Pipeline): Promise<void> {
  const size = pipeline.runner.runner === undefined ? BATCH : RUN_BATCH;
  let index = 0;
  for (const programs of batches(pipeline.programs, size)) {
    if (pipeline.signal.aborted) return;
    const jobs = stubAll(pipeline, programs, index);
    index += programs.length;
    // Lets a signal that came meanwhile be seen.
    await new Promise((resolve) => setImmediate(resolve));
    if (pipeline.signal.aborted) return;
    await runAll(pipeline, jobs);
    if (pipeline.signal.aborted) return;
    if (pipeline.compiler !== undefined) await compileAll(pipeline, pipeline.compiler, jobs);
    else await renderAll(pipeline, jobs);
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

function stubAll(pipeline: Pipeline, programs: readonly StackProgram[], from: number): Job[] {
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
    return [{ index, source: programs[i]!, program, stub: stub.value, ran: {} }];
  });
}

/** Runs every stub in the kernel, where something runs it. */
async function runAll(pipeline: Pipeline, jobs: readonly Job[]): Promise<void> {
  const { totals, progress, signal } = pipeline;
  const { runner } = pipeline.runner;
  if (runner === undefined) return;
  progress.stage("run");
  const stop = totals.start("run");
  let through = 0;
  for (const job of jobs) {
    if (signal.aborted) break;
    const { ran, results } = await runOne(pipeline.runner.name, () => runner.run(job.source, job.stub));
    job.ran = ran;
    if (results !== undefined) job.results = results;
    through++;
  }
  stop(through);
}

async function runOne(ran: string, run: () => Promise<Ran>): Promise<Pick<Job, "ran" | "results">> {
  const { difference, results } = await run().catch(
    (error): Ran => ({ difference: messageOf(error), results: undefined }),
  );
  const record = difference === undefined ? { ran, agrees: true } : { ran, agrees: false, difference };
  return { ran: record, ...(results === undefined ? {} : { results }) };
}

/** What is left to do where nothing compiles. */
async function renderAll(pipeline: Pipeline, jobs: readonly Job[]): Promise<void> {
  const { totals, progress, kernel } = pipeline;
  progress.stage("render");
  const stop = totals.start("render");
  for (const { stub } of jobs) kernel.render(stub);
  stop(jobs.length);
  for (const job of jobs) await finish(pipeline, job);
}

/** Compiles every stub, in whatever order the compiler ends them. Equal ones it compiles once, unless it has no cache. */
async function compileAll(pipeline: Pipeline, compiler: PtxCompiler, jobs: readonly Job[]): Promise<void> {
  const { totals, progress, signal, kernel } = pipeline;
  progress.stage("compile");
  const { template, site } = kernel;
  const sources = jobs.map(({ stub }) => ({ template, stubs: { [site.name]: stub } }));
  const { gpu } = pipeline.gpu;
  const waiting: [Job, JobResult][] = [];
  let through = 0;
  const stop = totals.start("compile");
  try {
    for await (const result of compiler.stream(sources, { signal })) {
      if (signal.aborted) return;
      const job = jobs[result.index]!;
      if (result.ok) {
        totals.origins[result.info.from]++;
        pipeline.elf.check(job.index, result.cubin);
        pipeline.sample.offer(job.index, job.stub, result.cubin);
      }
      if (gpu === undefined) await finish(pipeline, job, result);
      else waiting.push([job, result]);
      through++;
    }
  } finally {
    stop(through);
  }
  if (gpu === undefined) return;
  const launched = await launchAll(pipeline, gpu, waiting);
  for (const [job, result] of waiting) await finish(pipeline, job, result, launched.get(job));
}

/** Launches every cubin. */
async function launchAll(
  { totals, progress, kernel }: Pipeline,
  gpu: Gpu,
  compiled: readonly (readonly [Job, JobResult])[],
): Promise<ReadonlyMap<Job, LaunchRecord>> {
  progress.stage("launch");
  const jobs: Job[] = [];
  const candidates: Candidate[] = [];
  for (const [job, result] of compiled) {
    if (!result.ok) continue;
    jobs.push(job);
    candidates.push({ stub: job.stub, cubin: result.cubin, expected: job.results });
  }
  const stop = totals.start("launch");
  const { launched, ...all } = await gpu.launchAll(kernel, candidates);
  stop(jobs.length);
  totals.addLaunches(all);
  return new Map(jobs.map((job, i) => [job, launchRecord(gpu.name, launched[i]!)]));
}

function launchRecord(gpu: string, { agreement, difference, microseconds }: Launched): LaunchRecord {
  return {
    gpu,
    ...(agreement === undefined ? {} : { gpuAgreement: agreement }),
    ...(difference === undefined ? {} : { gpuDifference: difference }),
    ...(microseconds === undefined ? {} : { gpuMicroseconds: microseconds }),
  };
}

function outcomeOf(result: JobResult | undefined): Outcome {
  if (result === undefined) return undefined;
  if (!result.ok) return { code: codeOf(result.error), message: messageOf(result.error) };
  const { kernels, milliseconds, from } = result.info;
  return {
    registers: Math.max(0, ...kernels.map((kernel) => kernel.registers)),
    spills: kernels.reduce((sum, kernel) => sum + kernel.spillStores + kernel.spillLoads, 0),
    cubinBytes: result.cubin.length,
    cubinSha256: hash("sha256", result.cubin),
    milliseconds: from === "compiled" ? Math.round(milliseconds * 1000) / 1000 : 0,
  };
}

/** Writes down what came of a program; without a result it is rendered, and that is all. */
async function finish(
  pipeline: Pipeline,
  job: Job,
  result?: JobResult,
  launched?: LaunchRecord,
): Promise<void> {
  const { index, program, stub, ran } = job;
  const { kept, totals } = pipeline;
  const record: ProgramRecord = { index, program, stub, ...outcomeOf(result), ...ran, ...launched };
  if (kept !== undefined) {
    await kept.ptx(index, pipeline.kernel.render(stub));
    if (result?.ok) await kept.cubin(index, result.cubin);
  }
  // Only here, where the program is through: a run that is stopped has made stubs that came to nothing.
  totals.countStub(stub, pipeline.stubs.liveInstructions(stub));
  totals.add(record);
  pipeline.results.add(record);
  pipeline.progress.count(isFailed(record));
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
