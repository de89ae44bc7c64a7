// Worker threads: the first task starts them, and they wait for more until they are ended. The calling thread only waits, so its event
// loop keeps running.
import {
  isFunction,
  isWhole,
  nodeThreads,
  settleAll,
  WorkerHandle,
  type WorkerLike,
} from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { readOptions } from "../evaluate/options.js";
import { Control } from "./control.js";
import type { TaskData, TaskKind, TaskResult } from "./kinds.js";
import type { EndMessage, TaskMessage } from "./messages.js";

/** What workers need. */
export interface ColumnWorkersOptions {
  /** The number of worker threads, from 1 to 256. */
  readonly count: number;
  /**
   * Creates a worker whose module is `@mm-ptx/columns/worker` or imports it, for bundles that do not contain this package's own worker
   * file. Called when the first task needs workers.
   */
  readonly createWorker?: () => WorkerLike;
}

export const MOST_WORKERS = 256;

type Handle = WorkerHandle<TaskMessage, EndMessage>;

/**
 * Threads for the functions that take `workers`. The first call that uses them starts them, one call has them at a time, and they do not
 * keep the process alive while they wait.
 */
export class ColumnWorkers implements Disposable {
  /** The number of worker threads. */
  readonly count: number;
  readonly #create: () => WorkerLike;
  readonly #control: Control | undefined;
  #handles: readonly Handle[] | undefined;
  #isDisposed = false;
  /** Resolves when the last task is over. */
  #last: Promise<unknown> = Promise.resolve();

  /** @throws ColumnsError INVALID_ARGUMENT */
  constructor(options: ColumnWorkersOptions) {
    const { count, createWorker } = readOptions<ColumnWorkersOptions>(
      options,
      { count: isWhole(1, MOST_WORKERS), createWorker: isFunction },
      { required: ["count"] },
    );
    this.count = count;
    this.#create = createWorker ?? startWorker;
    this.#control = typeof SharedArrayBuffer === "undefined" ? undefined : new Control();
  }

  /** Ends the threads; tasks that they run fail. */
  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * Runs a task when those before it are over. Returns what each worker returns.
   *
   * @param progress called about every 16 ms with the number of parts that are finished
   * @throws ColumnsError that of the first part that fails, WORKER_LOST, INVALID_ARGUMENT if the workers were disposed; or the reason of
   * the signal
   * @internal
   */
  async run<Kind extends TaskKind>(
    task: Kind,
    data: TaskData<Kind>,
    { signal, progress }: { signal?: AbortSignal | undefined; progress?: (done: number) => void } = {},
  ): Promise<readonly TaskResult<Kind>[]> {
    const before = this.#last;
    const own = before.then(() => {
      signal?.throwIfAborted();
      return this.#runNow(task, data, signal, progress);
    });
    this.#last = own.catch(() => {});
    // A task that waits for others ends at once when it is aborted.
    return signal === undefined ? own : Promise.race([own, abortedWhile(before, signal)]);
  }

  async #runNow<Kind extends TaskKind>(
    task: Kind,
    data: TaskData<Kind>,
    signal: AbortSignal | undefined,
    progress: ((done: number) => void) | undefined,
  ): Promise<readonly TaskResult<Kind>[]> {
    const control = this.#control!;
    const stop = (): void => control.stop();
    let timer: ReturnType<typeof setInterval> | undefined;
    try {
      const handles = this.#start();
      control.begin();
      signal?.addEventListener("abort", stop);
      if (progress !== undefined) timer = setInterval(() => progress(control.done), PROGRESS);
      const message = { kind: "task", task, data, control: control.buffer, workers: this.count } as const;
      const ends = await settleAll(
        handles.map((handle) => handle.request(message, "end")),
        stop,
      );
      signal?.throwIfAborted();
      throwFirst(ends);
      return ends.map(({ result }) => result as TaskResult<Kind>);
    } catch (error) {
      // The others cannot be used without the one that was lost.
      if (error instanceof ColumnsError && error.code === "WORKER_LOST") this.#end();
      throw error;
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  #start(): readonly Handle[] {
    if (this.#isDisposed) {
      throw new ColumnsError("INVALID_ARGUMENT", "expected workers that run, found disposed ones");
    }
    if (this.#handles !== undefined) return this.#handles;
    const started: Handle[] = [];
    // Those that were started end with the error, if the next one cannot be started.
    this.#handles = started;
    const rules = { create: this.#create, lost, cure: this.#create === startWorker ? CURE : "" };
    while (started.length < this.count) started.push(new WorkerHandle(rules));
    return started;
  }

  #end(): void {
    for (const handle of this.#handles ?? []) handle.terminate();
    this.#handles = undefined;
  }
}

/** Milliseconds between two progress reports. */
const PROGRESS = 16;

/**
 * Starts a worker of this package from the file next to this one. The file has a name of its own, because a bundler that does not
 * recognize workers leaves the URL alone: then no other file beside the bundle may take its place.
 */
function startWorker(): WorkerLike {
  const threads = nodeThreads();
  // Bundlers recognize this form.
  if (threads === undefined)
    return new Worker(new URL("./mm-ptx-columns-worker.js", import.meta.url), { type: "module" });
  return new threads.Worker(new URL("./mm-ptx-columns-worker.js", import.meta.url), { execArgv: [] });
}

const CURE =
  "; in a bundle, pass `createWorker`, which starts a worker with a bundle of `@mm-ptx/columns/worker`";

const lost = (found: string, cause: unknown): ColumnsError =>
  new ColumnsError("WORKER_LOST", `expected a worker that runs codes, found ${found}`, undefined, { cause });

/** Throws the error of the first part that failed, as if parts ran one after the other. */
function throwFirst(ends: readonly EndMessage[]): void {
  const [first] = ends.flatMap(({ failure }) => failure ?? []).sort((a, b) => a.part - b.part);
  if (first === undefined) return;
  const { code, message, place } = first;
  // The message says the place already.
  throw Object.assign(new ColumnsError(code, message), { place });
}

/** Rejects when the signal aborts before the promise resolves, and never settles otherwise. */
function abortedWhile(before: Promise<unknown>, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    void before.then(() => signal.removeEventListener("abort", abort));
  });
}
