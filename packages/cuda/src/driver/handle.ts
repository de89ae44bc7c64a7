// A thing of the driver that is owned: it is given back when its last user has left and the streams that work with it have
// got past that work; at once when they have. Wrappers that are collected without having been disposed of leave it, too.

import { type DeviceResource, disposedText } from "@mm-ptx/types/core";
import type { Connection } from "./connection.js";
import { CudaError } from "./error.js";
import type { Queue } from "./queue.js";

/** What a wrapper holds. */
export interface Held {
  leave(): void;
  /** Whether it went with its device. */
  readonly gone: boolean;
}

/** From so many on, those that are done with it are forgotten. */
const MANY_STREAMS = 16;

export class Handle implements Held {
  readonly connection: Connection;
  /** The driver's own number of it. */
  readonly value: bigint;
  readonly #give: (handle: Handle) => void;
  /** By stream, the last work that needs it. */
  readonly #uses = new Map<Queue, number>();
  readonly #ordered: Queue | undefined;
  #users = 0;

  /**
   * @param give asks for it to be given back; not called for what is gone with its connection
   * @param ordered the stream in whose order it is given back, which needs no waiting for that
   */
  constructor(connection: Connection, value: bigint, give: (handle: Handle) => void, ordered?: Queue) {
    this.connection = connection;
    this.value = value;
    this.#give = give;
    this.#ordered = ordered;
  }

  /** The work that was queued last needs it. */
  useOn(queue: Queue): void {
    if (this.#uses.size >= MANY_STREAMS && !this.#uses.has(queue)) this.#forgetDone();
    this.#uses.set(queue, queue.last);
    if (queue.connection !== this.connection) this.connection.lend(queue);
  }

  get gone(): boolean {
    return this.connection.gone;
  }

  enter(): void {
    this.#users++;
  }

  leave(): void {
    if (--this.#users > 0) return;
    const waits: Promise<void>[] = [];
    for (const [queue, work] of this.#uses) {
      if (queue === this.#ordered || queue.isDone(work) || this.connection.gone) continue;
      waits.push(queue.passed(true));
    }
    // What is given back in the order of a stream must not become part of a capture, which ends in the same turn.
    if (this.#ordered?.capture !== undefined) waits.push(Promise.resolve());
    if (waits.length === 0) this.#release();
    else void Promise.allSettled(waits).then(() => this.#release());
  }

  #forgetDone(): void {
    for (const [queue, work] of this.#uses) if (queue.isDone(work)) this.#uses.delete(queue);
  }

  #release(): void {
    // What a session leaves behind is given back at its end.
    if (!this.connection.gone) this.#give(this);
  }
}

/** A `give` that calls this function of the driver. */
export const destroyedBy =
  (operation: string) =>
  ({ connection, value }: Handle): void =>
    connection.post(operation, [value]);

const WARNING = "MM_PTX_WARN_LEAKS";

const collected = new FinalizationRegistry<{ readonly noun: string; readonly held: Held }>(
  ({ noun, held }) => {
    if (held.gone) return;
    if (process.env[WARNING] === "1")
      process.emitWarning(`collected without having been disposed of: ${noun}`, "LeakWarning");
    held.leave();
  },
);

/** What owns things of the driver: disposable, twice without harm, of no use afterwards. */
export abstract class Resource implements DeviceResource {
  readonly #noun: string;
  readonly #held: Held | undefined;
  #disposed = false;

  /** @param held must not hold this object, which could never be collected then */
  protected constructor(noun: string, held: Held | undefined) {
    this.#noun = noun;
    this.#held = held;
    if (held !== undefined) collected.register(this, { noun, held }, this);
  }

  /** Whether it, or its device, was disposed of. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Gives it back once work in flight that needs it is done; twice without harm. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    collected.unregister(this);
    this.#held?.leave();
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @throws CudaError DISPOSED */
  protected checkOpen(): void {
    if (this.disposed) throw new CudaError("DISPOSED", disposedText(this.#noun));
  }
}
