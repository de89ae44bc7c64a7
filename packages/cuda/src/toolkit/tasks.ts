// Calls that wait for a free slot, run elsewhere, and end with a result, a signal, a timeout or disposal, whichever
// comes first.

import { whenAborted } from "../ptx/abort.js";

/** The errors that a call may end with, in the caller's words. */
export interface TaskErrors {
  aborted(signal: AbortSignal): Error;
  /** @param which the limit in words, if it is not the caller's */
  timedOut(timeoutMs: number, which: string | undefined): Error;
  disposed(): Error;
}

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Counted from the start of the work. */
  readonly timeoutMs?: number | undefined;
  /** Which limit that is, if it is not the caller's. */
  readonly timeoutWords?: string | undefined;
}

/**
 * Begins the work and returns a function that stops it. `done` is called once, asynchronously, unless the work is
 * stopped.
 */
export type Begin<T> = (done: (result: T | Error) => void) => () => void;

interface Task {
  begin(): void;
  end(error: Error): void;
}

/** Runs at most `limit` tasks at once, in the order of their arrival. */
export class Tasks {
  readonly #limit: number;
  readonly #errors: TaskErrors;
  readonly #queue = new Set<Task>();
  readonly #running = new Set<Task>();
  #closed = false;
  #wakeDisposer = (): void => {};

  constructor(limit: number, errors: TaskErrors) {
    this.#limit = limit;
    this.#errors = errors;
  }

  /** Why a task could not be started now. */
  refusal({ signal }: TaskOptions): Error | undefined {
    if (this.#closed) return this.#errors.disposed();
    return signal?.aborted ? this.#errors.aborted(signal) : undefined;
  }

  run<T>(begin: Begin<T>, { signal, timeoutMs, timeoutWords }: TaskOptions): Promise<T> {
    const refusal = this.refusal({ signal });
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise<T>((resolve, reject) => {
      let stop = (): void => {};
      let timer: NodeJS.Timeout | undefined;
      let settled = false;
      const settle = (result: T | Error): void => {
        // Work that was stopped may still report a result.
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        unlisten();
        this.#queue.delete(task);
        this.#running.delete(task);
        if (result instanceof Error) reject(result);
        else resolve(result);
        this.#next();
      };
      const task: Task = {
        begin: () => {
          try {
            stop = begin(settle);
          } catch (error) {
            settle(error as Error);
            return;
          }
          if (timeoutMs !== undefined)
            timer = setTimeout(() => task.end(this.#errors.timedOut(timeoutMs, timeoutWords)), timeoutMs);
        },
        end: (error) => {
          stop();
          settle(error);
        },
      };
      const unlisten =
        signal === undefined ? () => {} : whenAborted(signal, () => task.end(this.#errors.aborted(signal)));
      this.#queue.add(task);
      this.#next();
    });
  }

  /** Ends all tasks; later ones fail. You can call it more than once. */
  close(): void {
    this.#closed = true;
    for (const task of [...this.#queue, ...this.#running]) task.end(this.#errors.disposed());
  }

  /** Accepts no more tasks and waits for the existing ones. */
  async finish(): Promise<void> {
    this.#closed = true;
    if (this.#queue.size + this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const before = this.#wakeDisposer;
      this.#wakeDisposer = () => {
        before();
        resolve();
      };
    });
  }

  #next(): void {
    for (const task of this.#queue) {
      if (this.#running.size >= this.#limit) return;
      this.#queue.delete(task);
      this.#running.add(task);
      task.begin();
    }
    if (this.#queue.size + this.#running.size === 0) this.#wakeDisposer();
  }
}
