// The unfinished jobs of a compiler: each is started for its architectures and settled once, by its outcomes, by its
// signal, or with the compiler.

import { describeError, type PtxLimit, STRING_LIMIT } from "@mm-ptx/types/internal";
import { PtxCompileError } from "../error.js";
import { whenAborted } from "./abort.js";
import { asciiComments } from "./ascii-comments.js";
import type { Backend, BackendJob, BackendOutcome } from "./backend.js";
import { type ResolvedJob, resolveJob } from "./job.js";
import type { ResolvedOptions } from "./options.js";
import { type CompiledModule, type CompileResult, compileResult, readOutcome } from "./outcome.js";
import { renderSource, type Source, withText, writtenSource } from "./source.js";

/** Receives the outcome of a job. */
export type Done = (result: CompileResult | PtxCompileError) => void;

const NOTHING = (): void => {};

export class OpenJobs {
  readonly #backend: Backend;
  readonly #options: ResolvedOptions;
  readonly #limit: PtxLimit;
  readonly #settles = new Set<Done>();
  readonly #closed: AbortSignal;
  /** Resolves when the last job is done; created when it is first awaited. */
  #idle: Promise<void> | undefined;
  #wake = NOTHING;

  /** @param closed aborted when no more jobs are accepted */
  constructor(backend: Backend, options: ResolvedOptions, closed: AbortSignal) {
    this.#backend = backend;
    this.#options = options;
    const { memoryLimitBytes } = options;
    // A worker process reads all of its PTX into memory.
    this.#limit =
      backend.name === "isolated" && memoryLimitBytes < STRING_LIMIT.bytes
        ? { bytes: memoryLimitBytes, why: "`memoryLimitBytes` of a worker process" }
        : STRING_LIMIT;
    this.#closed = closed;
  }

  /**
   * Starts one job. Any failure, including an invalid job, is passed to `done`, immediately or later and only once,
   * unless the returned function cancels the job first.
   */
  start(job: unknown, timeout: number | undefined, done: Done, isSingle = false): () => void {
    const forgets: (() => void)[] = [];
    let open = true;
    const close = (): void => {
      if (!open) return;
      open = false;
      for (const forget of forgets) forget();
      this.#remove(settle);
    };
    const settle: Done = (result) => {
      if (!open) return;
      close();
      done(result);
    };
    try {
      if (this.#closed.aborted) throw disposed();
      const resolved = resolveJob(job, this.#limit);
      const { signal } = resolved;
      if (signal?.aborted) throw aborted(signal, this.#options);
      this.#settles.add(settle);
      if (signal !== undefined)
        forgets.push(whenAborted(signal, () => settle(aborted(signal, this.#options))));
      this.#startModules(this.#compiles(resolved, timeout, isSingle), forgets, settle);
    } catch (error) {
      settle(asCompileError(error));
    }
    return close;
  }

  /** Runs one job synchronously. @throws PtxCompileError */
  run(job: unknown, timeout: number | undefined): CompileResult {
    if (this.#closed.aborted) throw disposed();
    const resolved = resolveJob(job, this.#limit);
    const { signal } = resolved;
    if (signal?.aborted) throw aborted(signal, this.#options);
    const modules = this.#compiles(resolved, timeout, true).map((one) => {
      const result = this.#read(this.#backend.run(one), one);
      if (result instanceof PtxCompileError) throw result;
      return result;
    });
    return compileResult(modules);
  }

  /** Fails every unfinished job with `DISPOSED`. */
  fail(): void {
    for (const settle of [...this.#settles]) settle(disposed());
  }

  /** Waits for the unfinished jobs. */
  async idle(): Promise<void> {
    if (this.#settles.size === 0) return;
    this.#idle ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    await this.#idle;
  }

  /** Starts a compile for each architecture of the job, and adds the functions that cancel them to `forgets`. */
  #startModules(compiles: readonly BackendJob[], forgets: (() => void)[], settle: Done): void {
    const modules: CompiledModule[] = new Array(compiles.length);
    let left = compiles.length;
    for (const [i, one] of compiles.entries()) {
      const started = this.#backend.start(one, (outcome) => {
        const result = this.#read(outcome, one);
        if (result instanceof PtxCompileError) {
          settle(result);
          return;
        }
        modules[i] = result;
        left--;
        if (left === 0) settle(compileResult(modules));
      });
      forgets.push(started);
    }
  }

  /** One compile for each architecture of a job. */
  #compiles(job: ResolvedJob, timeout: number | undefined, isSingle: boolean): readonly BackendJob[] {
    const given = this.#backend.takesRecipes ? job.source : writtenSource(job.source);
    const source = this.#options.asciiComments ? inAscii(given) : given;
    return (job.arches ?? [this.#options.arch]).map((arch) => ({
      source,
      target: arch === this.#options.arch ? this.#options : { ...this.#options, arch },
      timeoutMs: job.timeoutMs ?? timeout ?? this.#options.timeoutMs ?? 0,
      priority: job.priority,
      isSingle,
    }));
  }

  /** Never throws, because no caller would catch the error. */
  #read(outcome: BackendOutcome, job: BackendJob): CompiledModule | PtxCompileError {
    try {
      return readOutcome(outcome, { job, backend: this.#backend.name });
    } catch (error) {
      return asCompileError(error);
    }
  }

  #remove(settle: Done): void {
    this.#settles.delete(settle);
    if (this.#settles.size === 0) this.#wake();
  }
}

export function aborted(signal: AbortSignal, options: ResolvedOptions): PtxCompileError {
  return new PtxCompileError("ABORTED", "the compile was aborted by its signal", {
    cause: signal.reason,
    options,
  });
}

export function disposed(): PtxCompileError {
  return new PtxCompileError("DISPOSED", "expected an open compiler, found a disposed one");
}

/** Converts comments to ASCII; a template is rendered for this, and its lines keep their positions. */
function inAscii(source: Source): Source {
  const ptx = renderSource(source);
  return withText(source, asciiComments(typeof ptx === "string" ? ptx : new TextDecoder().decode(ptx)));
}

/** Anything can be thrown, even an object that throws when it is inspected. */
function asCompileError(thrown: unknown): PtxCompileError {
  try {
    if (thrown instanceof PtxCompileError) return thrown;
  } catch {
    // It was a revoked proxy.
  }
  return new PtxCompileError("INTERNAL", describeError(thrown), { cause: thrown });
}
