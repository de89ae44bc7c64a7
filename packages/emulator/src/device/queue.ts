// The work of a device, one piece after the other. Streams of an emulated device share one queue, so that what runs is the
// same every time. Once a launch has failed nothing more is done, as on a GPU: everything behind it fails likewise.
import { describeError } from "@mm-ptx/types/core";
import { eventLoopTurn, TURN_MS } from "../run/event-loop.js";

/** A piece of work; done at once, or some time. */
type Work<Result> = () => Result | Promise<Result>;

export class WorkQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #lastTurn = performance.now();
  /** Why nothing more is done. */
  failure: Error | undefined;

  /** Queues work whose failure is its caller's alone. */
  add<Result>(work: Work<Result>): Promise<Result> {
    return this.#append(() => {
      if (this.failure !== undefined) throw this.failure;
      return work();
    });
  }

  /** Queues work whose failure becomes that of all behind it; nobody needs to wait for it. */
  start<Result>(work: Work<Result>): Promise<Result> {
    const done = this.add(async () => {
      try {
        return await work();
      } catch (error) {
        this.failure = error instanceof Error ? error : new Error(describeError(error));
        throw this.failure;
      }
    });
    done.catch(() => {});
    return done;
  }

  /** Queues what must be done in any case; at once when nothing is before it. */
  finally(work: () => void): void {
    if (this.#waiting === 0) work();
    else void this.#append(work);
  }

  #append<Result>(work: Work<Result>): Promise<Result> {
    this.#waiting++;
    const done = this.#tail
      .then(() => (this.#isTurnDue() ? this.#behindTurn(work) : work()))
      .finally(() => {
        this.#waiting--;
      });
    this.#tail = done.catch(() => {});
    return done;
  }

  /** Much short work after each other would keep the event loop from its turns as well as long work does. */
  #isTurnDue(): boolean {
    return performance.now() - this.#lastTurn > TURN_MS;
  }

  async #behindTurn<Result>(work: Work<Result>): Promise<Result> {
    await eventLoopTurn();
    this.#lastTurn = performance.now();
    return work();
  }
}
