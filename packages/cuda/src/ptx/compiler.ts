// The compiler object: checks what comes in, and gives what becomes of jobs as promises and streams, until it is disposed.

// For projects whose `lib` has no `Disposable`.
/// <reference lib="esnext.disposable" preserve="true" />

import { setMaxListeners } from "node:events";
import { describeValue } from "@mm-ptx/types/core";
import { type CacheCounts, cachingBackend } from "../cache/backend.js";
import { DiskCache } from "../cache/disk.js";
import { PtxCompileError } from "../error.js";
import { whenAborted } from "./abort.js";
import { runAll } from "./all.js";
import type { Backend, BackendFigures } from "./backend.js";
import { collect, flow, type JobResult, type StartJob } from "./flow.js";
import type { PtxJob } from "./job.js";
import { aborted, disposed, OpenJobs } from "./open-jobs.js";
import {
  type BackendName,
  checkInteger,
  checkNames,
  checkSignal,
  checkTimeout,
  invalidOption,
  type PtxCompilerOptions,
  type ResolvedOptions,
  resolveOptions,
} from "./options.js";
import type { CompileResult } from "./outcome.js";
import { type Progress, type ProgressOptions, progressEvents } from "./progress.js";
import { type Capabilities, capabilities, selectBackend } from "./select.js";

/** Options of one `compile`. */
export interface CompileCallOptions {
  /** Ends the call with `ABORTED`; `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
  /** In place of the compiler's own, for this call. */
  readonly timeoutMs?: number;
}

/** Options of one `compileAll`. */
export interface CompileAllOptions {
  /** Ends the jobs that are not through with `ABORTED`. */
  readonly signal?: AbortSignal;
}

/** Options of one `stream`. */
export interface StreamOptions {
  /** Ends the stream with `ABORTED`. */
  readonly signal?: AbortSignal;
  /** Results in input order instead of completion order. */
  readonly ordered?: boolean;
}

/** What a compiler does at the moment and has done; counts only grow. */
export interface CompilerFigures extends BackendFigures {
  /** Jobs whose cubin was there from an earlier compile. */
  readonly fromCache: number;
  /** Jobs that were given the cubin of an equal job at the same time; those that failed with it count as failed. */
  readonly duplicates: number;
}

const NOTHING = (): void => {};

/**
 * Compiles PTX to cubins on several workers at once, without a driver and without blocking the event loop.
 *
 * In the `in-process` backend a timeout or a signal ends the call at once, but the thread itself stays busy until the
 * compiler next asks whether to go on, which it does between the phases of a kernel.
 */
export class PtxCompiler implements Disposable, AsyncDisposable {
  readonly #options: ResolvedOptions;
  readonly #backend: Backend;
  readonly #disk: DiskCache | undefined;
  readonly #spared: CacheCounts = { fromCache: 0, duplicates: 0 };
  readonly #jobs: OpenJobs;
  /** Raised with disposal; streams listen. */
  readonly #closed = new AbortController();

  /**
   * Looks for the backend; nothing is started before the first job.
   *
   * @throws PtxCompileError `INVALID_OPTION`, `BACKEND_MISSING`
   */
  constructor(options: PtxCompilerOptions) {
    this.#options = resolveOptions(options);
    const { cache } = this.#options;
    const backend = selectBackend(this.#options);
    if (cache && cache.maxBytes > 0) this.#disk = new DiskCache(cache.folder, cache.maxBytes);
    this.#backend = cache ? cachingBackend(backend, this.#disk, cache.memoryBytes, this.#spared) : backend;
    this.#jobs = new OpenJobs(this.#backend, this.#options, this.#closed.signal);
    // One listener a stream, however many there are.
    setMaxListeners(0, this.#closed.signal);
  }

  /** The options with all defaults filled in. */
  get options(): ResolvedOptions {
    return this.#options;
  }

  /** The backend that serves. */
  get backend(): BackendName {
    return this.#backend.name;
  }

  /** The version of the compiler that makes the machine code, as `ptxas --version` writes it, for example `13.0.88`. */
  get version(): string {
    return this.#backend.version;
  }

  /** What the compiler does at the moment and has done. */
  get figures(): CompilerFigures {
    return { ...this.#backend.figures(), ...this.#spared };
  }

  /**
   * Where the compiler stands, now and every so often until it is disposed or the signal is raised; the last event comes
   * then. Events of one loop are apart from those of another, and nobody has to listen.
   *
   * @throws PtxCompileError `INVALID_OPTION`
   */
  progress(options: ProgressOptions = {}): AsyncGenerator<Progress, void, undefined> {
    checkNames(options, ["intervalMs", "signal"]);
    const { intervalMs, signal } = options;
    if (intervalMs !== undefined) checkInteger("intervalMs", intervalMs, 1, 3_600_000);
    checkSignal(signal);
    const ended = signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    return progressEvents(() => this.figures, intervalMs ?? 250, ended);
  }

  /** What this machine can do, whatever this compiler was made for. */
  capabilities(): Capabilities {
    return capabilities();
  }

  /**
   * Compiles one module.
   *
   * @throws PtxCompileError with any code but `BACKEND_MISSING`
   */
  async compile(job: PtxJob, options: CompileCallOptions = {}): Promise<CompileResult> {
    checkNames(options, ["signal", "timeoutMs"]);
    checkSignal(options.signal);
    if (options.timeoutMs !== undefined) checkTimeout(options.timeoutMs);
    const { signal } = options;
    if (signal?.aborted) throw aborted(signal, this.#options);
    return new Promise((resolve, reject) => {
      let forget = NOTHING;
      const onAbort = (): void => {
        forget();
        reject(aborted(signal!, this.#options));
      };
      const unlisten = signal === undefined ? NOTHING : whenAborted(signal, onAbort);
      forget = this.#jobs.start(job, options.timeoutMs, (result) => {
        unlisten();
        if (result instanceof PtxCompileError) reject(result);
        else resolve(result);
      });
      // Raised by the job itself, in a getter, when there was nothing to forget yet.
      if (signal?.aborted) forget();
    });
  }

  /**
   * Compiles one module without a turn of the event loop: it blocks until the module is there, and a signal that is raised
   * meanwhile is not heard. Jobs that were started before go on.
   *
   * @throws PtxCompileError with any code but `BACKEND_MISSING`
   */
  compileSync(job: PtxJob, options: Pick<CompileCallOptions, "timeoutMs"> = {}): CompileResult {
    checkNames(options, ["timeoutMs"]);
    if (options.timeoutMs !== undefined) checkTimeout(options.timeoutMs);
    return this.#jobs.run(job, options.timeoutMs);
  }

  /**
   * Compiles many modules: results in input order, failures as values. A raised signal makes `ABORTED` failures of those
   * that were not done, disposal `DISPOSED` ones.
   *
   * @throws PtxCompileError `INVALID_OPTION`, `REFUSED_INPUT` when `jobs` is no iterable or its iterator gives no steps
   */
  async compileAll(jobs: Iterable<PtxJob>, options: CompileAllOptions = {}): Promise<JobResult[]> {
    checkNames(options, ["signal"]);
    checkSignal(options.signal);
    if (
      typeof jobs === "string" ||
      typeof (jobs as Partial<Iterable<PtxJob>>)?.[Symbol.iterator] !== "function"
    ) {
      throw notIterable(jobs);
    }
    return runAll(collect(jobs), this.#start, {
      window: this.#window,
      signal: options.signal,
      aborted: (raised) => aborted(raised, this.#options),
    });
  }

  /**
   * Compiles modules as they come, failures as values. A bounded number is taken from `jobs` ahead of the results that
   * the loop has taken; leaving the loop early cancels the rest. A raised signal throws `ABORTED` from the loop;
   * disposal throws `DISPOSED` from it, after the results of the jobs that were taken before.
   *
   * @throws PtxCompileError `INVALID_OPTION`, `REFUSED_INPUT` when `jobs` is no iterable; from the loop also when its
   * iterator gives no steps
   */
  stream(
    jobs: Iterable<PtxJob> | AsyncIterable<PtxJob>,
    options: StreamOptions = {},
  ): AsyncGenerator<JobResult, void, undefined> {
    checkNames(options, ["signal", "ordered"]);
    checkSignal(options.signal);
    if (options.ordered !== undefined && typeof options.ordered !== "boolean") {
      throw invalidOption("ordered", "a boolean", options.ordered);
    }
    const either = jobs as Partial<Iterable<PtxJob> & AsyncIterable<PtxJob>> | undefined | null;
    if (
      typeof jobs === "string" ||
      (typeof either?.[Symbol.iterator] !== "function" &&
        typeof either?.[Symbol.asyncIterator] !== "function")
    ) {
      throw notIterable(jobs);
    }
    return this.#flow(jobs, options.signal, options.ordered ?? false);
  }

  /** Ends the compiler at once: jobs that are not done fail with `DISPOSED`. Twice without harm. */
  [Symbol.dispose](): void {
    this.#closed.abort();
    this.#backend.close();
    this.#jobs.fail();
  }

  /** Takes no new jobs, waits for those it has and for what is written to the cache, then ends the compiler. Twice without harm. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#jobs.idle();
    this.#backend.close();
    await this.#disk?.flush();
  }

  readonly #start: StartJob = (job, done) => this.#jobs.start(job, undefined, done);

  /** Jobs at a time: enough that no worker waits while results gather for one wake-up of the event loop, or it is busy elsewhere. */
  get #window(): number {
    return 16 * this.#options.workers;
  }

  #flow(
    jobs: Iterable<unknown> | AsyncIterable<unknown>,
    signal: AbortSignal | undefined,
    ordered: boolean,
  ): AsyncGenerator<JobResult, void, undefined> {
    return flow(jobs, this.#start, {
      window: this.#window,
      ordered,
      signal,
      aborted: (raised) => aborted(raised, this.#options),
      closed: this.#closed.signal,
      disposed,
    });
  }
}

function notIterable(jobs: unknown): PtxCompileError {
  return new PtxCompileError("REFUSED_INPUT", `expected an iterable of jobs, found ${describeValue(jobs)}`);
}
