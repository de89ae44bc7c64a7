// Streams many jobs through one compiler, a bounded number at a time, so that memory stays bounded whatever the
// producer and the consumer do.

import { describeValue } from "@mm-ptx/types/internal";
import { PtxCompileError } from "../error.js";

import type { CompileResult } from "./outcome.js";

/** The outcome of one of many jobs; a failure is a value, so that it does not affect other jobs. */
export type JobResult =
  | ({
      readonly ok: true;
      /** The job's index in the input, counted from 0. */
      readonly index: number;
    } & CompileResult)
  | { readonly ok: false; readonly index: number; readonly error: PtxCompileError };

/** Adds the index to a result. The object is new and not shared; a copy would evaluate its PTX. */
export function jobResult(result: CompileResult | PtxCompileError, index: number): JobResult {
  return result instanceof Error
    ? { ok: false, index, error: result }
    : Object.assign(result, { ok: true as const, index });
}

/** Starts one job; `done` is called once, immediately or later, unless the returned function cancels the job first. */
export type StartJob = (job: unknown, done: (result: CompileResult | PtxCompileError) => void) => () => void;

export interface FlowOptions {
  /** The maximum number of started jobs whose results have not been consumed; read before each job. */
  readonly window: number;
  /** Whether results are in input order instead of completion order. */
  readonly ordered: boolean;
  readonly signal: AbortSignal | undefined;
  /** The error to throw when the signal is aborted. */
  readonly aborted: (signal: AbortSignal) => PtxCompileError;
  /** Aborted when no more jobs can be started. */
  readonly closed: AbortSignal;
  /** The error to throw then, after the results of the jobs started before. */
  readonly disposed: () => PtxCompileError;
}

/**
 * Runs jobs as their results are consumed. Leaving the loop early or aborting the signal cancels running jobs and
 * closes the producer; an error of the producer is thrown after the results of its earlier jobs.
 *
 * @throws PtxCompileError `INVALID_ARGUMENT` if the producer is not iterable or yields an invalid step
 */
export async function* flow(
  jobs: Iterable<unknown> | AsyncIterable<unknown>,
  start: StartJob,
  options: FlowOptions,
): AsyncGenerator<JobResult, void, undefined> {
  const running = new Map<number, () => void>();
  const ready = new Ready(options.ordered);
  const { signal, closed } = options;
  // A single object, because the functions below modify it in ways that the type checker's narrowing does not see.
  const producer: { is: "open" | "asked" | "ended"; failure?: { readonly error: unknown } } = { is: "open" };
  let started = 0;
  // The number of results that were available immediately since the last turn of the event loop.
  let immediate = 0;
  let notify = (): void => {};

  const launch = (job: unknown): void => {
    const index = started++;
    let launched = false;
    let done = false;
    const forget = start(job, (result) => {
      done = true;
      immediate = launched ? 0 : immediate + 1;
      running.delete(index);
      ready.add(jobResult(result, index));
      notify();
    });
    launched = true;
    if (!done) running.set(index, forget);
  };
  const accept = (step: IteratorResult<unknown>): void => {
    checkStep(step);
    producer.is = step.done === true ? "ended" : "open";
    if (step.done !== true) launch(step.value);
  };
  const fail = (error: unknown): void => {
    producer.is = "ended";
    producer.failure = { error };
  };
  const iterator = iteratorOf(jobs);
  const fill = (): void => {
    while (producer.is === "open" && running.size + ready.size < options.window) {
      try {
        const step = iterator.next();
        if (!(step instanceof Promise)) {
          accept(step);
          continue;
        }
        producer.is = "asked";
        step.then(
          (value) => {
            try {
              if (producer.is === "asked") accept(value);
            } catch (error) {
              fail(error);
            }
            notify();
          },
          (error: unknown) => {
            if (producer.is === "asked") fail(error);
            notify();
          },
        );
      } catch (error) {
        fail(error);
      }
    }
  };

  const onAbort = (): void => notify();
  signal?.addEventListener("abort", onAbort);
  closed.addEventListener("abort", onAbort);
  try {
    for (;;) {
      if (signal?.aborted) throw options.aborted(signal);
      if (closed.aborted && producer.is !== "ended") {
        fail(options.disposed());
        closeProducer(iterator);
      }
      if (immediate >= options.window) {
        // An endless producer of jobs that fail immediately must not starve the event loop.
        await new Promise<void>((resolve) => setImmediate(resolve));
        immediate = 0;
        continue;
      }
      fill();
      const result = ready.take();
      if (result !== undefined) yield result;
      else if (running.size === 0 && producer.is === "ended") {
        if (producer.failure !== undefined) throw producer.failure.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    closed.removeEventListener("abort", onAbort);
    const open = producer.is !== "ended";
    producer.is = "ended";
    for (const forget of running.values()) forget();
    // Not awaited, because a producer that never answers must not block the consumer from leaving.
    if (open) closeProducer(iterator);
  }
}

/**
 * Collects all values of an iterable.
 *
 * @throws PtxCompileError `INVALID_ARGUMENT` if its iterator is invalid or yields an invalid step
 */
export function collect(jobs: Iterable<unknown>): unknown[] {
  const iterator = checkIterator(jobs[Symbol.iterator]());
  const all: unknown[] = [];
  for (;;) {
    const step = iterator.next();
    checkStep(step);
    if (step.done === true) return all;
    all.push(step.value);
  }
}

function checkIterator<T extends { next(): unknown }>(iterator: T): T {
  if (typeof iterator?.next === "function") return iterator;
  throw refused("an iterator of jobs with a function `next`", iterator);
}

function checkStep(step: unknown): void {
  if (typeof step !== "object" || step === null)
    throw refused("a step with `done` or `value` from the iterator of jobs", step);
}

function refused(expected: string, found: unknown): PtxCompileError {
  return new PtxCompileError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
}

function closeProducer(iterator: Producer): void {
  try {
    Promise.resolve(iterator.return?.()).catch(() => {});
  } catch {
    // The consumer has left, so the failure can't be reported.
  }
}

interface Producer {
  next(): IteratorResult<unknown> | Promise<IteratorResult<unknown>>;
  return?(): unknown;
}

function iteratorOf(jobs: Iterable<unknown> | AsyncIterable<unknown>): Producer {
  if (!(Symbol.asyncIterator in jobs)) return checkIterator(jobs[Symbol.iterator]());
  const iterator = checkIterator(jobs[Symbol.asyncIterator]());
  return {
    // Foreign thenables are converted to promises, so that a single test distinguishes them from plain results.
    next: () => Promise.resolve(iterator.next()),
    return: () => iterator.return?.(),
  };
}

/** Results that wait for the consumer, in the order of delivery. */
class Ready {
  readonly #ordered: boolean;
  readonly #results = new Map<number, JobResult>();
  #next = 0;

  constructor(ordered: boolean) {
    this.#ordered = ordered;
  }

  get size(): number {
    return this.#results.size;
  }

  add(result: JobResult): void {
    this.#results.set(result.index, result);
  }

  take(): JobResult | undefined {
    const index = this.#ordered ? this.#next : this.#results.keys().next().value;
    const result = index === undefined ? undefined : this.#results.get(index);
    if (result === undefined) return undefined;
    this.#results.delete(result.index);
    this.#next++;
    return result;
  }
}
