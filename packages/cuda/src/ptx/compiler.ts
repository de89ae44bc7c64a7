// The PTX compiler: checks inputs, and returns the outcomes of jobs as promises and streams until it is disposed.

// For projects whose `lib` has no `Disposable`.
/// <reference lib="esnext.disposable" preserve="true" />

import { setMaxListeners } from "node:events";
import { type Checks, describeValue, isBoolean, isSignal, isWhole } from "@mm-ptx/types/internal";
import { type CacheCounts, cachingBackend } from "../cache/backend.js";
import { TieredCache } from "../cache/tiers.js";
import { PtxCompileError } from "../error.js";
import { isTimeout } from "../toolkit/checks.js";
import { whenAborted } from "./abort.js";
import { runAll } from "./all.js";
import type { Backend, BackendStats, OpenBackend } from "./backend.js";
import { collect, flow, type JobResult, type StartJob } from "./flow.js";
import type { PtxJob } from "./job.js";
import { aborted, disposed, OpenJobs } from "./open-jobs.js";
import {
  type BackendName,
  checkOptions,
  type PtxCompilerOptions,
  type ResolvedOptions,
  resolveOptions,
} from "./options.js";
import type { CompileResult } from "./outcome.js";
import { type Progress, type ProgressOptions, progressEvents } from "./progress.js";
import { type Capabilities, capabilities, selectBackend } from "./select.js";

const PROGRESS_OPTIONS: Checks = { intervalMs: isWhole(1, 3_600_000), signal: isSignal };
const COMPILE_OPTIONS: Checks = { signal: isSignal, timeoutMs: isTimeout };
const COMPILE_SYNC_OPTIONS: Checks = { timeoutMs: isTimeout };
const COMPILE_ALL_OPTIONS: Checks = { signal: isSignal };
const STREAM_OPTIONS: Checks = { signal: isSignal, ordered: isBoolean };

/** Options of one `compile`. */
export interface CompileCallOptions {
  /** Aborts the call with `ABORTED`; the error's `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
  /** Overrides the compiler's time limit for this call. */
  readonly timeoutMs?: number;
}

/** Options of one `compileAll`. */
export interface CompileAllOptions {
  /** Aborts unfinished jobs with `ABORTED`. */
  readonly signal?: AbortSignal;
}

/** Options of one `stream`. */
export interface StreamOptions {
  /** Aborts the stream with `ABORTED`. */
  readonly signal?: AbortSignal;
  /** Returns results in input order instead of completion order. */
  readonly ordered?: boolean;
}

/** A compiler's current state and totals; totals only grow. */
export interface CompilerStats extends BackendStats {
  /** Jobs whose cubin came from an earlier compile. */
  readonly fromCache: number;
  /** Jobs that received the cubin of an equal job in flight; if that job failed, they count as failed. */
  readonly duplicates: number;
  /** Why results are not stored on disk: the cache's folder is not safe to use, or the last write failed. */
  readonly cacheProblem?: string;
}

const NOTHING = (): void => {};

/**
 * Compiles PTX to cubins on several workers at once, without a driver and without blocking the event loop.
 *
 * With the `in-process` backend, a timeout or a signal ends the call immediately, but the thread stays busy until the
 * compiler next checks for cancellation, which it does between the phases of a kernel.
 */
export class PtxCompiler implements Disposable, AsyncDisposable {
  readonly #options: ResolvedOptions;
  readonly #backend: Backend;
  readonly #cache: TieredCache | undefined;
  readonly #spared: CacheCounts = { fromCache: 0, duplicates: 0 };
  readonly #jobs: OpenJobs;
  /** Aborted on disposal; streams listen to it. */
  readonly #closed = new AbortController();

  /**
   * Finds the backend; nothing is started before the first job.
   *
   * @param openBackend makes another backend than those of this package; `@mm-ptx/cuda/backend` has what it needs
   * @throws PtxCompileError `INVALID_ARGUMENT`, `UNAVAILABLE`
   */
  constructor(options: PtxCompilerOptions, openBackend: OpenBackend = selectBackend) {
    this.#options = resolveOptions(options);
    const { cache } = this.#options;
    const backend = openBackend(this.#options);
    if (cache) this.#cache = TieredCache.open(cache);
    this.#backend =
      this.#cache === undefined
        ? backend
        : cachingBackend(backend, this.#cache, this.#spared, this.#options.tenant);
    this.#jobs = new OpenJobs(this.#backend, this.#options, this.#closed.signal);
    // Each stream adds one listener, and their number is not limited.
    setMaxListeners(0, this.#closed.signal);
  }

  /** The options with all defaults. */
  get options(): ResolvedOptions {
    return this.#options;
  }

  /** The backend in use. */
  get backend(): BackendName {
    return this.#backend.name;
  }

  /**
   * The version of the compiler that generates the machine code, as `ptxas --version` reports it, for example
   * `13.0.88`.
   */
  get version(): string {
    return this.#backend.version;
  }

  /** The compiler's current state and totals. */
  get stats(): CompilerStats {
    const cacheProblem = this.#cache?.problem;
    const stats = { ...this.#backend.stats(), ...this.#spared };
    return cacheProblem === undefined ? stats : { ...stats, cacheProblem };
  }

  /**
   * Yields the compiler's progress now and at intervals until it is disposed or the signal is aborted, followed by a
   * last event. Each call yields its own events.
   *
   * @throws PtxCompileError `INVALID_ARGUMENT`
   */
  progress(options: ProgressOptions = {}): AsyncGenerator<Progress, void, undefined> {
    checkOptions(options, PROGRESS_OPTIONS);
    const { intervalMs, signal } = options;
    const ended = signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    return progressEvents(() => this.stats, intervalMs ?? 250, ended);
  }

  /** The capabilities of this machine, independent of this compiler's options. */
  capabilities(): Capabilities {
    return capabilities();
  }

  /**
   * Compiles one module.
   *
   * @throws PtxCompileError with any code; `UNAVAILABLE` only if `arch` is `native`
   */
  async compile(job: PtxJob, options: CompileCallOptions = {}): Promise<CompileResult> {
    checkOptions(options, COMPILE_OPTIONS);
    const { signal } = options;
    if (signal?.aborted) throw aborted(signal, this.#options);
    return new Promise((resolve, reject) => {
      let forget = NOTHING;
      const onAbort = (): void => {
        forget();
        reject(aborted(signal!, this.#options));
      };
      const unlisten = signal === undefined ? NOTHING : whenAborted(signal, onAbort);
      const done = (result: CompileResult | PtxCompileError): void => {
        unlisten();
        if (result instanceof PtxCompileError) reject(result);
        else resolve(result);
      };
      forget = this.#jobs.start(job, options.timeoutMs, done, true);
      // The job itself aborted the signal, in a getter, before there was anything to cancel.
      if (signal?.aborted) forget();
    });
  }

  /**
   * Compiles one module and blocks the event loop until it is done, so signals that are aborted meanwhile have no
   * effect. Earlier jobs continue.
   *
   * @throws PtxCompileError with any code; `UNAVAILABLE` only if `arch` is `native`
   */
  compileSync(job: PtxJob, options: Pick<CompileCallOptions, "timeoutMs"> = {}): CompileResult {
    checkOptions(options, COMPILE_SYNC_OPTIONS);
    return this.#jobs.run(job, options.timeoutMs);
  }

  /**
   * Compiles many modules: results are in input order, and failures are values. If the signal is aborted, unfinished
   * jobs fail with `ABORTED`; on disposal, with `DISPOSED`.
   *
   * @throws PtxCompileError `INVALID_ARGUMENT` if an option is invalid, `jobs` is not iterable, or its iterator yields
   * no steps
   */
  async compileAll(jobs: Iterable<PtxJob>, options: CompileAllOptions = {}): Promise<JobResult[]> {
    checkOptions(options, COMPILE_ALL_OPTIONS);
    if (
      typeof jobs === "string" ||
      typeof (jobs as Partial<Iterable<PtxJob>>)?.[Symbol.iterator] !== "function"
    ) {
      throw notIterable(jobs);
    }
    const { signal } = options;
    return runAll(
      collect(jobs),
      this.#start,
      Object.assign(this.#windowed, {
        signal,
        aborted: (raised: AbortSignal) => aborted(raised, this.#options),
      }),
    );
  }

  /**
   * Compiles modules as they arrive; failures are values. It takes a bounded number of `jobs` ahead of the results that
   * the loop consumes; leaving the loop early cancels the rest. An aborted signal throws `ABORTED` from the loop;
   * disposal throws `DISPOSED` from it, after the results of the jobs taken before.
   *
   * @throws PtxCompileError `INVALID_ARGUMENT` if an option is invalid or `jobs` is not iterable; from the loop also if
   * its iterator yields no steps
   */
  stream(
    jobs: Iterable<PtxJob> | AsyncIterable<PtxJob>,
    options: StreamOptions = {},
  ): AsyncGenerator<JobResult, void, undefined> {
    checkOptions(options, STREAM_OPTIONS);
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

  /** Ends the compiler at once: jobs that have not finished fail with `DISPOSED`. You can call it more than once. */
  dispose(): void {
    this.#closed.abort();
    this.#backend.close();
    this.#jobs.fail();
  }

  /**
   * Accepts no new jobs, waits for running jobs and pending writes to the cache, then ends the compiler. You can call
   * it more than once.
   */
  async disposeAsync(): Promise<void> {
    this.#closed.abort();
    await this.#jobs.idle();
    this.#backend.close();
    await this.#cache?.flush();
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Calls `disposeAsync`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }

  readonly #start: StartJob = (job, done) => this.#jobs.start(job, undefined, done);

  /** The number of concurrent jobs: enough to keep all workers busy while results wait for the event loop. */
  get #windowed(): { readonly window: number } {
    const backend = this.#backend;
    const usual = 16 * this.#options.workers;
    return {
      get window() {
        return backend.window ?? usual;
      },
    };
  }

  #flow(
    jobs: Iterable<unknown> | AsyncIterable<unknown>,
    signal: AbortSignal | undefined,
    ordered: boolean,
  ): AsyncGenerator<JobResult, void, undefined> {
    return flow(
      jobs,
      this.#start,
      Object.assign(this.#windowed, {
        ordered,
        signal,
        aborted: (raised: AbortSignal) => aborted(raised, this.#options),
        closed: this.#closed.signal,
        disposed,
      }),
    );
  }
}

function notIterable(jobs: unknown): PtxCompileError {
  return new PtxCompileError(
    "INVALID_ARGUMENT",
    `expected an iterable of jobs, found ${describeValue(jobs)}`,
  );
}
