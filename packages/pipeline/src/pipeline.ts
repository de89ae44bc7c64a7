// The pipeline: everything that programs need on their way from a word list to a result, made once and used by any number of runs.
import { parsePtx } from "@mm-ptx/inject";
import { isBoolean, isSignal, isWhole } from "@mm-ptx/types/internal";
import { invalid, refuse } from "./check.js";
import type { StreamingCompiler } from "./compiling/lane.js";
import { PipelineError } from "./error.js";
import { outputsOf, PlanReader, roomOf, stridesOf } from "./launch/resolved.js";
import { readOptions } from "./options.js";
import { ChosenPacking } from "./packing/chosen.js";
import { decidePacking } from "./packing/decide.js";
import type { PackChoice, PackKind } from "./packing/kinds.js";
import { stubObstacle } from "./packing/stub.js";
import { PackWriter } from "./packing/writer.js";
import { type KernelPipelineOptions, readPipelineOptions } from "./pipeline-options.js";
import { CostPredictor } from "./predicting/predictor.js";
import { type PipelineProgress, type ProgressOptions, progressEvents } from "./progress/events.js";
import { checkReading } from "./reading/check.js";
import { outputs } from "./reading/reading.js";
import { KnownResults } from "./results/known.js";
import type { PipelineResult, ProgramOutcome } from "./results/result.js";
import { runnersFor } from "./running/runners.js";
import { Counts, type PipelineStats } from "./scheduling/counts.js";
import { crossBlocks } from "./scheduling/cross.js";
import { checkFinalists, finalistTest } from "./scheduling/finalists.js";
import { programsLeft, totalOf } from "./scheduling/left.js";
import type { PipelineParts } from "./scheduling/parts.js";
import { ProgramRun } from "./scheduling/run.js";
import { RunnerPool } from "./scheduling/runner-pool.js";
import { type SizeCost, SizeTuner } from "./scheduling/tuner.js";
import { bindSites, entryOf } from "./sites/bind.js";
import type { Site, SiteRecord } from "./sites/site.js";
import { fingerprintOf } from "./store/fingerprint.js";
import { openResultsStore, type ResultsStore } from "./store/store.js";
import { timingOf } from "./timing/options.js";

type ProgramOf<Filled> = Filled extends Site<infer Program> ? Program : never;
type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/** A program for each site, by name; for a kernel with one site, the program alone is enough. */
export type PipelineProgram<Sites extends SiteRecord> =
  | { readonly [Name in keyof Sites]: ProgramOf<Sites[Name]> }
  | (IsUnion<keyof Sites> extends true ? never : ProgramOf<Sites[keyof Sites]>);

/**
 * The programs of a run, as any iterable. With `combine: "cross"`, an iterable for each site, by name; all but that of the kernel's
 * first site are read to the end when the run begins.
 */
export type PipelinePrograms<Sites extends SiteRecord> =
  | Iterable<PipelineProgram<Sites>>
  | AsyncIterable<PipelineProgram<Sites>>
  | {
      readonly [Name in keyof Sites]:
        | Iterable<ProgramOf<Sites[Name]>>
        | AsyncIterable<ProgramOf<Sites[Name]>>;
    };

/** Options of one run. */
export interface RunOptions {
  /** Ends the run: finished results are still yielded, and then it throws ABORTED. */
  readonly signal?: AbortSignal;
  /** Whether results come in the order of the programs; by default, they come as they finish. */
  readonly ordered?: boolean;
  /** The number of programs, for `progress`; not needed for arrays. */
  readonly total?: number;
}

/** How a pipeline packs its programs, and what it has measured: plain data. */
export interface PipelinePlan {
  readonly kind: PackKind;
  /** The number of programs in a pack; while sizes are still being tried, the size of the next pack. */
  readonly size: number;
  /** Whether that size is settled. */
  readonly settled: boolean;
  /** The axis of the grid that chooses an alternative. */
  readonly axis?: "z" | "y";
  /** Why the programs are not alternatives of one kernel. */
  readonly reason?: string;
  /** What each size that was tried costs. */
  readonly curve: readonly SizeCost[];
}

/** The most blocks of a grid along y and z. */
const MOST_PROGRAMS = 65_535;

/**
 * Runs programs in a kernel: it finds equal ones, packs many into one module, compiles, launches and reads back, and confines
 * failures to the programs that caused them.
 */
export class KernelPipeline<Sites extends SiteRecord = SiteRecord> implements Disposable {
  readonly #parts: PipelineParts;
  readonly #isCross: boolean;
  readonly #store: ResultsStore | undefined;
  readonly #fingerprint: () => string;
  readonly #closed = new AbortController();

  /**
   * @throws PipelineError INVALID_ARGUMENT, INSUFFICIENT_BUFFER; NOT_FOUND for a site or an entry that the kernel does not have
   * @throws the errors of `parsePtx`, of the compilers of its sites, and of `launch`
   */
  constructor(given: KernelPipelineOptions<Sites>) {
    const options = readPipelineOptions(given);
    const { kernel, device, compiler, finalCompiler, launch, dedupe = true } = options;
    const annotated = typeof kernel === "string" ? parsePtx(kernel) : kernel;
    const sites = bindSites(annotated, options.sites);
    if (options.predict !== undefined && options.combine === "cross")
      throw refuse('expected `combine: "pairwise"` with `predict`, found `cross`');
    const predictor = options.predict && new CostPredictor(options.predict, sites);
    const entry = entryOf(annotated, options.entry);
    if (device === undefined && compiler === undefined)
      throw refuse("expected a device that runs the programs or a compiler, found neither");
    if (device !== undefined && launch === undefined)
      throw refuse("expected `launch`, which says how the kernel is launched on the device, found none");
    if (device?.kind === "cuda" && compiler === undefined)
      throw refuse("expected `compiler`, because a GPU runs machine code, found none");
    const reading = options.read ?? outputs();
    checkFinalists(options.finalists, finalCompiler, reading);
    const plans = launch === undefined ? undefined : new PlanReader(launch, device, entry.parameters.length);
    const plan = plans?.plan(1);
    if (plan !== undefined) checkReading(reading, outputsOf(plan));
    const strides = (count: number): readonly (number | undefined)[] =>
      plans === undefined ? entry.parameters.map(() => undefined) : stridesOf(plans.plan(count));
    const names = sites.map(({ name }) => name);
    const writer = new PackWriter(annotated, entry.name, names);
    const { packing, reason, apart, keepsInputs } = decidePacking(options.pack, {
      ...{ annotated, entry: entry.name, sites: names, plan, writer },
      strides: strides(1),
    });
    const chosen = new ChosenPacking(packing, reason);
    this.#isCross = options.combine === "cross";
    const fixed = fixedSize(options.pack);
    // A buffer that is too small for the asked size is an error now, and a limit of sizes that are chosen.
    if (fixed !== undefined) strides(fixed);
    const most = plan === undefined ? MOST_PROGRAMS : Math.min(MOST_PROGRAMS, roomOf(plan));
    const timing = timingOf(options);
    this.#fingerprint = () => fingerprintOf(options, annotated, entry.name, plan, reading);
    this.#store =
      options.store === undefined
        ? undefined
        : openResultsStore(options.store, { fingerprint: this.#fingerprint() });
    const runners = device === undefined ? [] : runnersFor(device, plan!, reading, { ...options, timing });
    const pool = runners.length === 0 ? undefined : new RunnerPool(runners);
    const injections = names.map((name) => annotated.injection(name));
    this.#parts = {
      sites,
      compiler,
      finalCompiler,
      effort: effortOf(compiler),
      finalEffort: effortOf(finalCompiler),
      runners: pool,
      isEmulated: device?.kind === "emulator",
      tuner: new SizeTuner(packing.kind, fixed, most),
      chosen,
      apartKind: apart.kind,
      withModules: options.modules ?? false,
      counts: new Counts(),
      runs: new Set(),
      known: dedupe
        ? new KnownResults(options.remember ?? 1_000_000, options.rememberBytes ?? 2 ** 29)
        : undefined,
      store: this.#store,
      dedupe,
      predictor,
      lanes: Math.max(runners.length, compiler === undefined ? 1 : (compiler.options?.workers ?? 1)),
      strides,
      write: (pack, own) => writer.write(pack, pack.apart === true ? apart : chosen.packing, own),
      work: ({ members, restores = false }, text, source) => {
        const { packing, entries, hasFirst } = text;
        const count = members.length;
        const restoresInputs = restores || !keepsInputs;
        return { source, packing, entries, hasFirst, count, plan: plans!.plan(count), restoresInputs };
      },
      obstacle(site, stub) {
        const { packing } = chosen;
        // Programs that are only compiled cannot disturb each other.
        if (plan === undefined || sites[site]!.writer.isPlain?.(stub) === true) return undefined;
        return stubObstacle(stub, packing.kind === "alternatives" ? packing.axis : "z", injections[site]!);
      },
      isFinalist: finalistTest(options.finalists),
      time:
        timing === undefined
          ? undefined
          : (work, signal) => pool!.use(signal, (runner) => runner.time!(work)),
    };
  }

  /** How programs are packed. Given as the option `pack` of another pipeline, it repeats the choice. */
  get plan(): PipelinePlan {
    const { tuner, chosen } = this.#parts;
    const { packing, reason } = chosen;
    return {
      kind: packing.kind,
      size: tuner.size,
      settled: tuner.chosen !== undefined,
      ...(packing.kind === "alternatives" ? { axis: packing.axis } : {}),
      ...(reason === undefined ? {} : { reason }),
      curve: tuner.curve,
    };
  }

  /**
   * 32 hexadecimal digits that identify everything that results depend on besides the program: the kernel, its launch and data,
   * `read`, the compilers and the device. It is the fingerprint of the pipeline's results in a results store.
   */
  get fingerprint(): string {
    return this.#fingerprint();
  }

  /** What has been done so far. */
  get stats(): PipelineStats {
    const { counts } = this.#parts;
    return { ...counts, milliseconds: { ...counts.milliseconds } };
  }

  /**
   * Runs programs, taken from any iterable as fast as results are consumed. Leaving the loop ends the run.
   *
   * The loop throws a PipelineError after all finished results: ABORTED, DISPOSED, PRODUCER_FAILED if the iterable throws, STORE,
   * DEVICE_LOST, and INVALID_ARGUMENT if the launch plan does not fit the kernel.
   *
   * @throws PipelineError INVALID_ARGUMENT if `programs` is not iterable or an option is invalid, DISPOSED
   */
  run(
    programs: PipelinePrograms<Sites>,
    options: RunOptions = {},
  ): AsyncGenerator<PipelineResult, void, undefined> {
    const {
      signal,
      ordered = false,
      total = totalOf(programs, this.#parts.sites, this.#isCross),
    } = readOptions<RunOptions>(options, RUN_OPTIONS);
    if (this.#closed.signal.aborted) throw disposed();
    const closed = this.#closed.signal;
    const either = signal === undefined ? closed : AbortSignal.any([closed, signal]);
    const { tuner, sites } = this.#parts;
    const names = sites.map(({ name }) => name);
    const source = this.#isCross
      ? crossBlocks(programs, names, () => tuner.size)
      : (programs as Iterable<unknown> | AsyncIterable<unknown>);
    if (!this.#isCross) checkIterable(source);
    return new ProgramRun(this.#parts, { signal: either, ordered, total }).results(source);
  }

  /**
   * Yields the pipeline's progress now and at intervals until it is disposed or the signal is aborted, followed by a last event. Each
   * call yields its own events.
   *
   * @throws PipelineError INVALID_ARGUMENT
   */
  progress(options: ProgressOptions = {}): AsyncGenerator<PipelineProgress, void, undefined> {
    const { intervalMs = 250, signal } = readOptions<ProgressOptions>(options, PROGRESS_OPTIONS);
    const closed = this.#closed.signal;
    const ended = signal === undefined ? closed : AbortSignal.any([closed, signal]);
    const source = () => ({
      stats: this.stats,
      packSize: this.#parts.tuner.size,
      left: programsLeft(this.#parts.runs),
    });
    return progressEvents(source, intervalMs, ended);
  }

  /** Ends all runs and the threads of the pipeline. Devices and compilers that were passed in stay open. */
  dispose(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(disposed());
    this.#parts.runners?.dispose();
    this.#store?.dispose();
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

const RUN_OPTIONS = { signal: isSignal, ordered: isBoolean, total: isWhole(0, Number.MAX_SAFE_INTEGER) };
const PROGRESS_OPTIONS = { intervalMs: isWhole(1, 3_600_000), signal: isSignal };

/** @throws PipelineError INVALID_ARGUMENT */
function checkIterable(programs: unknown): void {
  const { [Symbol.iterator]: sync, [Symbol.asyncIterator]: async } = (programs ?? {}) as Iterable<unknown> &
    AsyncIterable<unknown>;
  if (typeof programs === "string" || (typeof sync !== "function" && typeof async !== "function"))
    throw invalid("an iterable of programs", programs);
}

const disposed = (): PipelineError =>
  new PipelineError("DISPOSED", "expected an open pipeline, found a disposed one");

/** The size that the caller wants. A plan that has measured too little gives no size. */
function fixedSize(pack: "auto" | "none" | number | PackChoice | undefined): number | undefined {
  if (pack === "none") return 1;
  if (typeof pack !== "object") return typeof pack === "number" ? pack : undefined;
  return pack.settled === false ? undefined : pack.size;
}

const effortOf = (compiler: StreamingCompiler | undefined): ProgramOutcome["effort"] =>
  compiler?.options?.effort as ProgramOutcome["effort"];
