// The work queue of a device. All streams of an emulated device share one queue, so execution is deterministic. After a
// failed launch, all later work fails with the same error, as on a GPU.
import { describeError } from "@mm-ptx/types/internal";
import { eventLoopTurn, TURN_MS } from "../run/event-loop.js";

/** A unit of work, synchronous or not. */
type Work<Result> = () => Result | Promise<Result>;

export class WorkQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #lastTurn = performance.now();
  /** The failure after which no more work runs. */
  failure: Error | undefined;

  /** Queues work whose failure only affects its caller. */
  add<Result>(work: Work<Result>): Promise<Result> {
    return this.#append(() => {
      if (this.failure !== undefined) throw this.failure;
      return work();
    });
  }

  /** Queues work whose failure makes all later work fail as well. The promise may be left unhandled. */
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

  /** Queues work that runs even after a failure; with an empty queue, it runs immediately. */
  finally(work: () => void): void {
    if (this.#waiting === 0) work();
    else void this.#append(work);
  }

  /** Lets the event loop have a turn if one is due, for work that consists of many units. */
  async rest(): Promise<void> {
    if (this.#isTurnDue()) await this.#afterTurn(() => {});
  }

  /** Waits for everything that is queued now, whether it fails or not. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  #append<Result>(work: Work<Result>): Promise<Result> {
    this.#waiting++;
    const done = this.#tail
      .then(() => (this.#isTurnDue() ? this.#afterTurn(work) : work()))
      .finally(() => {
        this.#waiting--;
      });
    this.#tail = done.catch(() => {});
    return done;
  }

  /** Many short units in a row would starve the event loop as much as one long unit. */
  #isTurnDue(): boolean {
    return performance.now() - this.#lastTurn > TURN_MS;
  }

  async #afterTurn<Result>(work: Work<Result>): Promise<Result> {
    await eventLoopTurn();
    this.#lastTurn = performance.now();
    return work();
  }
}
