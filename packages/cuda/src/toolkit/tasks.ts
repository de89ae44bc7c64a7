// Calls that wait for a place, run elsewhere, and end with a result, a signal, a timeout or disposal, whichever is first.

import { whenAborted } from "../ptx/abort.js";

/** The errors that a call may end with, in the words of whoever offers it. */
export interface TaskErrors {
  aborted(signal: AbortSignal): Error;
  timedOut(timeoutMs: number): Error;
  disposed(): Error;
}

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Counted from the start. */
  readonly timeoutMs?: number | undefined;
}

/** Begins the work and returns what ends it early. `done` is called once, later, unless it was ended. */
export type Begin<T> = (done: (result: T | Error) => void) => () => void;

interface Task {
  begin(): void;
  end(error: Error): void;
}

/** At most `limit` tasks run at once, in the order in which they came. */
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

  run<T>(begin: Begin<T>, { signal, timeoutMs }: TaskOptions): Promise<T> {
    if (this.#closed) return Promise.reject(this.#errors.disposed());
    if (signal?.aborted) return Promise.reject(this.#errors.aborted(signal));
    return new Promise<T>((resolve, reject) => {
      let stop = (): void => {};
      let timer: NodeJS.Timeout | undefined;
      let settled = false;
      const settle = (result: T | Error): void => {
        // What was ended may still say so.
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
            timer = setTimeout(() => task.end(this.#errors.timedOut(timeoutMs)), timeoutMs);
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

  /** Ends all tasks; those to come fail. Twice without harm. */
  close(): void {
    this.#closed = true;
    for (const task of [...this.#queue, ...this.#running]) task.end(this.#errors.disposed());
  }

  /** Takes no more tasks and waits for those there are. */
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
