// One stream of a compiler for all packs of a run, with a promise for each job.
import type { JobResult, PtxJob } from "@mm-ptx/cuda";
import { MmPtxError } from "@mm-ptx/types/core";
import { describeError, describeValue } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";

/** What compiles PTX: a `PtxCompiler`, or anything else with its `stream`. */
export interface StreamingCompiler {
  /** Compiles jobs as they arrive. A failure is a result, and results may come in any order. */
  stream(jobs: AsyncIterable<PtxJob>, options?: { readonly signal?: AbortSignal }): AsyncIterable<JobResult>;
  /** What is known of a `PtxCompiler`; part of the keys of a results store. */
  readonly options?: {
    readonly arch: string;
    readonly effort?: string;
    readonly workers?: number;
    readonly lineInfo?: boolean;
  };
  /** The version of the compiler; part of the keys of a results store. */
  readonly version?: string;
}

interface Waiting {
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

export class CompileLane {
  readonly #compiler: StreamingCompiler;
  readonly #signal: AbortSignal;
  readonly #queue: PtxJob[] = [];
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #wake: () => void = () => {};
  #isEnded = false;
  #pumping: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(compiler: StreamingCompiler, signal: AbortSignal) {
    this.#compiler = compiler;
    this.#signal = signal;
  }

  /** Compiles a job. Rejects if the stream itself fails: its signal is aborted, or the compiler was disposed. */
  compile(job: PtxJob): Promise<JobResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    const result = new Promise<JobResult>((resolve, reject) => {
      this.#waiting.set(this.#next++, { resolve, reject });
    });
    this.#queue.push(job);
    this.#pumping ??= this.#pump();
    this.#wake();
    return result;
  }

  /** Accepts no more jobs, and waits for those that are running. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#wake();
    await this.#pumping;
  }

  async #pump(): Promise<void> {
    try {
      for await (const result of this.#compiler.stream(this.#jobs(), { signal: this.#signal })) {
        checkResult(result);
        const waiting = this.#waiting.get(result.index);
        this.#waiting.delete(result.index);
        waiting?.resolve(result);
      }
      if (this.#waiting.size > 0 || !this.#isEnded)
        throw broken("a result for each job", "the end of the compiler's stream");
    } catch (error) {
      this.#fail(error instanceof MmPtxError ? error : broken("results", describeError(error), error));
    }
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async *#jobs(): AsyncGenerator<PtxJob, void, undefined> {
    for (;;) {
      const job = this.#queue.shift();
      if (job !== undefined) yield job;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** Results of compilers of the caller's are used only if they have what is needed of them. */
function checkResult(result: unknown): void {
  const { ok, index, error, cubin, info } = (result ?? {}) as Partial<Record<string, unknown>>;
  if (!Number.isSafeInteger(index))
    throw broken("results with the `index` of their job", describeValue(result));
  if (ok === true) {
    const { kernels } = (info ?? {}) as { readonly kernels?: unknown };
    if (cubin instanceof Uint8Array && Array.isArray(kernels)) return;
    throw broken("a `cubin` and `info.kernels` in a result", "none");
  }
  if (ok !== false || !(error instanceof Error))
    throw broken("an `error` in a result that is not `ok`", "none");
}

const broken = (expected: string, found: string, cause?: unknown): PipelineError =>
  new PipelineError("COMPILER_FAILED", `expected ${expected} of the compiler, found ${found}`, { cause });
