// An owned driver object. It is freed when its last user has released it and all streams have finished the work that
// uses it. Wrappers that are garbage-collected without having been disposed release it as well.

import type { DeviceResource } from "@mm-ptx/types/device";
import { disposedText } from "@mm-ptx/types/internal";
import type { Connection } from "./connection.js";
import { CudaError } from "./error.js";
import type { Queue } from "./queue.js";

/** The driver object that a wrapper holds. */
export interface Held {
  leave(): void;
  /** Whether it ended with its device. */
  readonly gone: boolean;
}

/** With more streams than this, finished ones are forgotten. */
const MANY_STREAMS = 16;

export class Handle implements Held {
  readonly connection: Connection;
  /** The driver's handle. */
  readonly value: bigint;
  readonly #give: (handle: Handle) => void;
  /** The last work that needs it, by stream. */
  readonly #uses = new Map<Queue, number>();
  readonly #ordered: Queue | undefined;
  #users = 0;

  /**
   * @param give requests that it is freed; not called if its connection is gone
   * @param ordered the stream whose order the free follows, so that this stream needs no waiting
   */
  constructor(connection: Connection, value: bigint, give: (handle: Handle) => void, ordered?: Queue) {
    this.connection = connection;
    this.value = value;
    this.#give = give;
    this.#ordered = ordered;
  }

  /** Records that the last queued work of a stream needs it. */
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
    // A stream-ordered free must not become part of a capture; the capture ends in the same turn.
    if (this.#ordered?.capture !== undefined) waits.push(Promise.resolve());
    if (waits.length === 0) this.#release();
    else void Promise.allSettled(waits).then(() => this.#release());
  }

  #forgetDone(): void {
    for (const [queue, work] of this.#uses) if (queue.isDone(work)) this.#uses.delete(queue);
  }

  #release(): void {
    // The end of a session frees everything that is left in it.
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
      process.emitWarning(`garbage-collected without having been disposed: ${noun}`, "LeakWarning");
    held.leave();
  },
);

/** An owner of driver objects: it can be disposed twice and is unusable afterwards. */
export abstract class Resource implements DeviceResource {
  readonly #noun: string;
  readonly #held: Held | undefined;
  #disposed = false;

  /** @param held must not reference this object, which could never be garbage-collected then */
  protected constructor(noun: string, held: Held | undefined) {
    this.#noun = noun;
    this.#held = held;
    if (held !== undefined) collected.register(this, { noun, held }, this);
  }

  /** Whether the object or its device has been disposed. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Frees it once work in flight that needs it is done. You can call it more than once. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    collected.unregister(this);
    this.#held?.leave();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @throws CudaError DISPOSED */
  protected checkOpen(): void {
    if (this.disposed) throw new CudaError("DISPOSED", disposedText(this.#noun));
  }
}
