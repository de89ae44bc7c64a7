// A worker's share of a task.
import { ColumnsError } from "../error.js";
import type { Control, Parts } from "./control.js";
import type { Failure } from "./failure.js";

/** Called when a share has computed for a while. */
export type Pause = () => Promise<void> | undefined;

export class Share {
  /** The number of workers that take part. */
  readonly workers: number;
  /** Lets other tasks of the thread run; only needed in a thread that has others. */
  readonly pause: Pause;
  readonly #control: Control;
  #failure: Failure | undefined;

  constructor(control: Control, workers: number, pause: Pause = () => undefined) {
    this.#control = control;
    this.workers = workers;
    this.pause = pause;
  }

  /** Whether to stop immediately, because the results are no longer needed. */
  get isStopped(): boolean {
    return this.#control.isStopped;
  }

  /** The error of this worker's share. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /**
   * Runs parts until none are left. If one of them throws a `ColumnsError`, the task fails with the error of the first part that does.
   *
   * @param total the number of parts of the task
   * @param most the most parts to take at a time
   * @param run runs consecutive parts; an error belongs to the part that its place names, or else to the first one
   */
  async each(total: number, most: number, run: (parts: Parts) => Promise<void> | void): Promise<void> {
    for (;;) {
      const parts = this.#control.take(total, this.workers, most);
      if (parts === undefined) return;
      try {
        await run(parts);
      } catch (error) {
        if (!(error instanceof ColumnsError)) throw error;
        const { code, message, place } = error;
        const part = place?.code ?? parts.first;
        this.#failure = { part, code, message, place };
        this.#control.fail(part);
        return;
      }
      this.#control.finish(parts);
      await this.pause();
    }
  }
}
