// The public class of worker threads. The code that starts and feeds them is loaded by the first task that needs it.
import { isBoolean, isFunction, isWhole, type WorkerLike } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { readOptions } from "../evaluate/options.js";
import type { RunShare, TaskData, TaskKind, TaskResult } from "./kinds.js";
import type { TaskHooks, WorkerPool } from "./pool.js";

/** Options of `ColumnWorkers`. */
export interface ColumnWorkersOptions {
  /** The number of worker threads, from 1 to 256. */
  readonly count: number;
  /**
   * Whether the calling thread computes too, whenever it has nothing else to do; `false` by default. With 1 worker and a caller that helps,
   * two threads compute.
   */
  readonly callerHelps?: boolean;
  /**
   * Creates a worker whose module is `@mm-ptx/columns/worker` or imports it, for bundles that do not contain this package's own worker
   * file. Called when the first task needs workers.
   */
  readonly createWorker?: () => WorkerLike;
}

export const MOST_WORKERS = 256;

/**
 * Threads for the functions that take `workers`. The first call that uses them starts them, they serve one call at a
 * time, and they do not keep the process alive while they wait.
 */
export class ColumnWorkers implements Disposable {
  /** The number of worker threads. */
  readonly count: number;
  readonly #options: ColumnWorkersOptions;
  #loading: Promise<WorkerPool> | undefined;
  #pool: WorkerPool | undefined;
  #isDisposed = false;

  /** @throws ColumnsError INVALID_ARGUMENT */
  constructor(options: ColumnWorkersOptions) {
    this.#options = readOptions<ColumnWorkersOptions>(
      options,
      { count: isWhole(1, MOST_WORKERS), callerHelps: isBoolean, createWorker: isFunction },
      { required: ["count"] },
    );
    this.count = this.#options.count;
  }

  /** Ends the threads; calls that use them fail. */
  dispose(): void {
    this.#isDisposed = true;
    void this.#loading?.then((pool) => pool.end());
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * Runs a task when those before it are over. Returns what each thread returns. If the threads run and have nothing to do, they begin
   * before this function returns.
   *
   * @param runShare what the workers run, for a caller that helps; it is passed because the caller of this function has loaded it
   * @throws ColumnsError the error of the first part that fails, WORKER_LOST, INVALID_ARGUMENT if the workers were
   * disposed; or the reason of the signal
   * @internal
   */
  async run<Kind extends TaskKind>(
    task: Kind,
    data: TaskData<Kind>,
    runShare: RunShare<Kind>,
    hooks: TaskHooks,
  ): Promise<readonly TaskResult<Kind>[]> {
    this.#loading ??= import("./pool.js").then(({ WorkerPool }) => {
      this.#pool = new WorkerPool(this.#options);
      return this.#pool;
    });
    const pool = this.#pool ?? (await this.#loading);
    if (this.#isDisposed) {
      throw new ColumnsError("INVALID_ARGUMENT", "expected workers that run, found disposed ones");
    }
    return pool.run(task, data, runShare, hooks);
  }
}
