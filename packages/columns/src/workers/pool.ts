// The threads of `ColumnWorkers`: the first task starts them, and they wait for more until they are ended. The calling thread only waits,
// or helps in short turns, so its event loop keeps running.
import { nodeThreads, TURN, turn, type WorkerLike } from "@mm-ptx/types/internal";
import { settleAll, WorkerHandle } from "@mm-ptx/types/internal/workers";
import { ColumnsError } from "../error.js";
import { Control } from "./control.js";
import type { RunShare, TaskData, TaskKind, TaskResult } from "./kinds.js";
import type { EndMessage, TaskMessage } from "./messages.js";
import { Share } from "./share.js";
import { takePart } from "./take-part.js";

/** How the caller of a task follows its progress and stops it. */
export interface TaskHooks {
  /** Stops the workers soon; the task is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called about every 16 ms with the number of parts that are finished. If it throws, the task is rejected with its error. */
  readonly progress?: ((done: number) => void) | undefined;
}

/** See `ColumnWorkersOptions`. */
interface PoolOptions {
  readonly count: number;
  readonly callerHelps?: boolean;
  readonly createWorker?: () => WorkerLike;
}

type Handle = WorkerHandle<TaskMessage, EndMessage>;

export class WorkerPool {
  readonly #count: number;
  readonly #callerHelps: boolean;
  readonly #create: () => WorkerLike;
  readonly #control = new Control();
  #handles: readonly Handle[] | undefined;
  #hasEnded = false;
  /** The number of unfinished tasks, and a promise that resolves when the last of them is finished. */
  #tasks = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ count, callerHelps = false, createWorker = startWorker }: PoolOptions) {
    this.#count = count;
    this.#callerHelps = callerHelps;
    this.#create = createWorker;
  }

  /** Ends the threads for good. */
  end(): void {
    this.#hasEnded = true;
    this.#terminate();
  }

  /** Runs a task when those before it are over: see `ColumnWorkers.run`. */
  async run<Kind extends TaskKind>(
    task: Kind,
    data: TaskData<Kind>,
    runShare: RunShare<Kind>,
    hooks: TaskHooks,
  ): Promise<readonly TaskResult<Kind>[]> {
    const { signal } = hooks;
    const before = this.#last;
    // If no task is running, this one starts immediately, before the caller continues.
    const own =
      this.#tasks++ === 0
        ? this.#runNow(task, data, runShare, hooks)
        : before.then(() => this.#runNow(task, data, runShare, hooks));
    const over = (): void => {
      this.#tasks--;
    };
    this.#last = own.then(over, over);
    // A task that waits for others ends immediately when it is aborted.
    return signal === undefined ? own : Promise.race([own, abortedWhile(before, signal)]);
  }

  async #runNow<Kind extends TaskKind>(
    task: Kind,
    data: TaskData<Kind>,
    runShare: RunShare<Kind>,
    { signal, progress }: TaskHooks,
  ): Promise<readonly TaskResult<Kind>[]> {
    signal?.throwIfAborted();
    const control = this.#control;
    const stop = (): void => control.stop();
    let timer: ReturnType<typeof setInterval> | undefined;
    let thrown: { readonly error: unknown } | undefined;
    const report = (): void => {
      try {
        progress!(control.done);
      } catch (error) {
        thrown ??= { error };
        stop();
      }
    };
    try {
      const handles = this.#start();
      control.begin();
      signal?.addEventListener("abort", stop);
      if (progress !== undefined) timer = setInterval(report, PROGRESS);
      const workers = this.#count + (this.#callerHelps ? 1 : 0);
      const message = { kind: "task", task, data, control: control.buffer, workers } as const;
      const shares = handles.map((handle): Promise<EndMessage> => handle.request(message, "end"));
      if (this.#callerHelps) {
        const own = new Share(control, workers, pauses());
        // The caller continues before this thread computes.
        shares.push(turn().then(() => takePart(runShare, data, own)));
      }
      const ends = await settleAll(shares, stop);
      if (thrown !== undefined) throw thrown.error;
      signal?.throwIfAborted();
      throwFirst(ends);
      return ends.map(({ result }) => result as TaskResult<Kind>);
    } catch (error) {
      // The others cannot be used without the one that was lost.
      if (error instanceof ColumnsError && error.code === "WORKER_LOST") this.#terminate();
      throw error;
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  #start(): readonly Handle[] {
    if (this.#hasEnded) throw lost("one that was terminated", undefined);
    if (this.#handles !== undefined) return this.#handles;
    const started: Handle[] = [];
    // Those that were started end with the error, if the next one cannot be started.
    this.#handles = started;
    const rules = { create: this.#create, lost, cure: this.#create === startWorker ? CURE : "" };
    while (started.length < this.#count) started.push(new WorkerHandle(rules));
    return started;
  }

  #terminate(): void {
    for (const handle of this.#handles ?? []) handle.terminate();
    this.#handles = undefined;
  }
}

/** Gives other tasks of this thread a turn every few milliseconds. */
function pauses(): () => Promise<void> | undefined {
  let until = performance.now() + TURN;
  return () => {
    if (performance.now() < until) return undefined;
    return turn().then(() => {
      until = performance.now() + TURN;
    });
  };
}

/** Milliseconds between two progress reports. */
const PROGRESS = 16;

/**
 * Starts a worker of this package from the file next to this one. The file has a name of its own, because a bundler
 * that does not recognize workers leaves the URL as it is, and no other file next to the bundle may then be mistaken
 * for it.
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
  // The message already contains the place.
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
