// `mm-ptx-pipeline run`: the programs of a configuration, their results as lines.
import { CudaDevice, PtxCompiler } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import type { Device } from "@mm-ptx/types/device";
import type { PipelineConfig } from "../config.js";
import { PipelineError } from "../error.js";
import { KernelPipeline, type PipelinePrograms } from "../pipeline.js";
import { reportSvg } from "../report/report.js";
import type { PipelineResult, ResultOrigin } from "../results/result.js";
import type { SiteRecord } from "../sites/site.js";
import { Remaining } from "./answered.js";
import { loadConfig } from "./config-file.js";
import { sitesOfKernelFile, type Table, withTexts } from "./file-sites.js";
import {
  FileProblem,
  Interrupted,
  Interruption,
  interruptible,
  type Outcome,
  ofFile,
  problemOf,
  refuseClashes,
  STANDARD,
  shown,
  UsageError,
  writeWhole,
} from "./framework.js";
import { kernelOf } from "./kernel-source.js";
import { type Programs, programsOf } from "./program-source.js";
import { showProgress } from "./progress.js";
import { RUN_DIGITS, resultLine } from "./result-line.js";
import { ResultsFile, type ResultsSink, StandardOutput } from "./results-file.js";
import { CostSample } from "./sample.js";
import { outcomeOf, type Summary, sentenceOf } from "./summary.js";

/** The options of a checked command line. */
export interface RunFlags {
  readonly out?: string;
  readonly resume?: true;
  readonly store?: string;
  readonly pack?: "auto" | "none" | number;
  readonly ordered?: true;
  readonly report?: string;
  readonly progress?: true;
  readonly quiet?: true;
  readonly json?: true;
}

/** @throws UsageError, FileError, FileProblem, Interruption, and the errors of the pipeline */
export async function run(path: string, flags: RunFlags): Promise<Outcome> {
  const config = await loadConfig(path);
  const out = flags.out ?? (config.out === undefined ? STANDARD : shown(config.out));
  checkPaths(path, config, out, flags);
  using resources = new Resources();
  const { pipeline, programs } = await open(path, config, flags, resources);
  return await interruptible(async (signal) => {
    const sink =
      out === STANDARD ? new StandardOutput() : new ResultsFile(out, { keep: flags.resume === true });
    const began = performance.now();
    let summary: Summary | undefined;
    let problem: unknown;
    try {
      const work = new Work(pipeline, config, flags, sink);
      try {
        await work.run(programs, signal);
      } catch (error) {
        problem = error;
      }
      summary = {
        out,
        ...work.summary((performance.now() - began) / 1000),
        ...drawn(flags.report, work, began),
      };
    } finally {
      sink.close();
    }
    if (problem === undefined) return outcomeOf(summary, flags.quiet === true);
    if (signal.aborted && signal.reason instanceof Interrupted)
      throw new Interruption(signal.reason.exitCode, `interrupted: ${sentenceOf(summary)}`);
    throw causeOf(path, problem);
  });
}

/** Draws the report, also of a run that was interrupted. */
function drawn(report: string | undefined, work: Work, began: number): { readonly report?: string } {
  if (report === undefined) return {};
  const { plan, stats } = work.pipeline;
  const { costs } = work.sample;
  const seconds = (performance.now() - began) / 1000;
  writeWhole(
    report,
    Buffer.from(reportSvg({ plan, stats, seconds, ...(costs === undefined ? {} : { costs }) })),
  );
  return { report };
}

/** What is disposed when the command ends, the last one first. */
class Resources implements Disposable {
  readonly #all: { dispose(): void }[] = [];

  add<T extends { dispose(): void }>(resource: T): T {
    this.#all.push(resource);
    return resource;
  }

  dispose(): void {
    for (const resource of this.#all.reverse()) resource.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

interface Opened {
  readonly pipeline: KernelPipeline;
  readonly programs: Programs;
}

async function open(
  path: string,
  config: PipelineConfig,
  flags: RunFlags,
  resources: Resources,
): Promise<Opened> {
  const {
    programs: given,
    total: _,
    tables = [],
    sites: listed = {},
    ordered: __,
    out: ___,
    ...more
  } = config;
  const { kernel, device, compiler, finalCompiler, store, ...options } = more;
  const { annotated, file } = await kernelOf(kernel);
  const known: Table[] = [
    ...tables,
    ...Object.values(listed).flatMap(({ table }) => (table === undefined ? [] : [table])),
  ];
  const fromKernel =
    file === undefined ? undefined : await ofFile(kernel as string, () => sitesOfKernelFile(file, known));
  const all: SiteRecord = { ...fromKernel?.sites, ...listed };
  const sites = Object.fromEntries(Object.entries(all).map(([name, site]) => [name, withTexts(site)]));
  const isCross = config.combine === "cross";
  const programs = await programsOf(given, path, { sites, tables: known, fromKernel, isCross });
  return ofFile(path, () => {
    const folder = flags.store ?? (store === undefined ? undefined : shown(store));
    const pipeline = resources.add(
      new KernelPipeline({
        ...options,
        kernel: annotated,
        sites,
        ...withoutUndefined({
          device: deviceOf(device, resources),
          compiler: compiler && resources.add(new PtxCompiler(compiler)),
          finalCompiler: finalCompiler && resources.add(new PtxCompiler(finalCompiler)),
          pack: flags.pack ?? options.pack,
          store: folder,
        }),
      }),
    );
    return { pipeline, programs };
  });
}

/** Limits what a program that never ends costs, as the emulator does. */
const CUDA_OPTIONS = { isolate: true, timeoutMs: 60_000 };

function deviceOf(device: PipelineConfig["device"] = "emulator", resources: Resources): Device | undefined {
  if (device === "none") return undefined;
  if (device === "cuda") return resources.add(CudaDevice.open(0, CUDA_OPTIONS));
  if (typeof device === "object" && "load" in device) return resources.add(device);
  return resources.add(EmulatedDevice.open(device === "emulator" ? {} : device));
}

const withoutUndefined = <T extends object>(options: T): { [Name in keyof T]: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;

function checkPaths(path: string, { kernel, programs }: PipelineConfig, out: string, flags: RunFlags): void {
  if (out === STANDARD && flags.json)
    throw new UsageError("expected `--out` with `--json`, which prints the summary, found none");
  if (out === STANDARD && flags.resume)
    throw new UsageError("expected `--out` with `--resume`, found standard output");
  const read = new Map<string, string>();
  for (const [given, what] of [
    [kernel, "the kernel"],
    [programs, "the programs"],
  ] as const)
    if (typeof given === "string" || given instanceof URL) read.set(shown(given), what);
  const written = new Map(flags.report === undefined ? [] : [[flags.report, "the report"]]);
  refuseClashes([{ input: path, output: out }], read, written);
}

/** The run itself. */
class Work {
  readonly pipeline: KernelPipeline;
  readonly sample = new CostSample();
  readonly #config: PipelineConfig;
  readonly #flags: RunFlags;
  readonly #sink: ResultsSink;
  #written = 0;
  #kept = 0;

  constructor(pipeline: KernelPipeline, config: PipelineConfig, flags: RunFlags, sink: ResultsSink) {
    this.pipeline = pipeline;
    this.#config = config;
    this.#flags = flags;
    this.#sink = sink;
  }

  summary(seconds: number): Pick<Summary, "written" | "kept" | "seconds" | "stats" | "plan"> {
    const { plan, stats } = this.pipeline;
    return { written: this.#written, kept: this.#kept, seconds, stats, plan };
  }

  async run(programs: Programs, signal: AbortSignal): Promise<void> {
    const { ordered = false, combine } = this.#config;
    const { resume, progress, quiet } = this.#flags;
    const id = this.pipeline.fingerprint.slice(0, RUN_DIGITS);
    const answered = resume && this.#sink instanceof ResultsFile ? this.#sink.answered(id) : undefined;
    this.#kept = answered?.size ?? 0;
    const remaining = answered === undefined || combine === "cross" ? undefined : new Remaining(answered);
    const total = this.#config.total ?? (Array.isArray(programs) ? programs.length : undefined);
    const results = this.pipeline.run(
      remaining === undefined ? asPrograms(programs) : filtered(programs, remaining),
      {
        ...{ signal, ordered: this.#flags.ordered ?? ordered },
        ...(total === undefined
          ? {}
          : { total: Math.max(0, total - (remaining === undefined ? 0 : this.#kept)) }),
      },
    );
    const ended = new AbortController();
    const isShown =
      progress === true || (process.stderr.isTTY && quiet !== true && this.#sink instanceof ResultsFile);
    const shows = isShown
      ? showProgress(this.pipeline, { signal: ended.signal, asLines: progress === true })
      : undefined;
    try {
      for await (const result of results) {
        const own = remaining === undefined ? result : withIndices(result, remaining);
        if (remaining === undefined && answered?.has(own.index)) continue;
        this.sample.add(own);
        this.#written++;
        await this.#sink.write(resultLine(own, id));
      }
    } finally {
      ended.abort();
      await shows;
    }
  }
}

const asPrograms = (programs: Programs): PipelinePrograms<SiteRecord> =>
  programs as PipelinePrograms<SiteRecord>;

/** The programs that have no result yet. */
function filtered(programs: Programs, remaining: Remaining): PipelinePrograms<SiteRecord> {
  const { [Symbol.iterator]: sync, [Symbol.asyncIterator]: async } = programs as Iterable<unknown> &
    AsyncIterable<unknown>;
  if (typeof async === "function") return asPrograms(remaining.ofAsync(programs as AsyncIterable<unknown>));
  if (typeof sync === "function" && typeof programs !== "string")
    return asPrograms(remaining.of(programs as Iterable<unknown>));
  return asPrograms(programs);
}

/** Indices among all programs instead of those that are left. */
function withIndices(result: PipelineResult, remaining: Remaining): PipelineResult {
  const { from } = result;
  const own: ResultOrigin =
    from.kind === "duplicate" ? { ...from, index: remaining.indexOf(from.index) } : from;
  return { ...result, index: remaining.indexOf(result.index), from: own };
}

/** The problem of a file of programs, and not that of the pipeline that noticed it. */
function causeOf(path: string, error: unknown): unknown {
  if (!(error instanceof PipelineError)) return error;
  const { cause, code } = error;
  if (cause instanceof FileProblem) return cause;
  return code === "INVALID_ARGUMENT" || code === "PRODUCER_FAILED" ? problemOf(path, error) : error;
}
