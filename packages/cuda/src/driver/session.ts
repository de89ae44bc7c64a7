// The native resources of a device across its connections: if an isolated device was lost, the next call opens a new
// connection. This does not reference the device object, so a forgotten device can be garbage-collected.

import { PtxCompiler } from "../ptx/compiler.js";
import type { Connection } from "./connection.js";
import type { CudaError } from "./error.js";
import { Handle, type Held } from "./handle.js";
import { keepAliveUntil } from "./keep-alive.js";
import { type CudaDeviceOptions, type OpenedDevice, openDevice } from "./open.js";
import type { CudaDeviceDescription } from "./properties.js";
import { Queue } from "./queue.js";
import { watchLaunches } from "./time-limit.js";

/** CU_STREAM_NON_BLOCKING: the stream does not wait for other code's default stream. */
const NON_BLOCKING = 1;

export class Session implements Held {
  readonly description: CudaDeviceDescription;
  readonly #options: CudaDeviceOptions;
  readonly #compilers = new Map<string, PtxCompiler>();
  #connection: Connection;
  #context: bigint;
  #defaultQueue: Queue | undefined;
  /** This connection's streams for waiting on events. */
  #waiters: Queue[] = [];

  constructor({ connection, context, description }: OpenedDevice, options: CudaDeviceOptions) {
    this.#options = options;
    this.#connection = connection;
    this.#context = context;
    this.description = description;
  }

  get isolated(): boolean {
    return this.#connection.isolated;
  }

  /** The context of the current connection. */
  get context(): bigint {
    return this.#context;
  }

  /** Why the connection is unusable. */
  get lost(): CudaError | undefined {
    return this.#connection.lost;
  }

  /** The live connection. @throws CudaError DEVICE_LOST */
  connection(): Connection {
    if (this.#connection.lost !== undefined && this.isolated) {
      const { unheard } = this.#connection;
      const opened = openDevice(this.description.ordinal, this.#options);
      this.#connection = opened.connection;
      this.#context = opened.context;
      this.#defaultQueue = undefined;
      this.#waiters = [];
      // The next caller that waits learns the fate of work that no caller waited for.
      if (unheard !== undefined) this.defaultQueue().fail(unheard);
    }
    this.#connection.check();
    return this.#connection;
  }

  /** The queue of the device's default stream, created on first use. */
  defaultQueue(): Queue {
    const connection = this.connection();
    this.#defaultQueue ??= this.#newQueue(connection, 0);
    return this.#defaultQueue;
  }

  /** A stream, and the handle for its wrapper. */
  createQueue(priority: number): { readonly queue: Queue; readonly held: Held } {
    const queue = this.#newQueue(this.connection(), priority);
    queue.owner = new Handle(queue.connection, queue.handle, ({ connection, value }) => {
      const destroy = (): void => {
        if (connection.gone) return;
        queue.remove();
        connection.post("cuStreamDestroy", [value]);
      };
      const { notified } = queue;
      if (notified === undefined) destroy();
      else void notified.then(destroy, destroy);
    });
    queue.hold();
    const held: Held = {
      get gone() {
        return queue.connection.gone;
      },
      leave: () => queue.letGo(),
    };
    return { queue, held };
  }

  /** Waits for an event, but not for work queued after it, on a stream that is kept for this purpose. */
  async afterEvent(event: bigint): Promise<void> {
    const connection = this.connection();
    const waiter = this.#waiters.pop() ?? this.#newQueue(connection, 0);
    connection.post("cuStreamWaitEvent", [waiter.handle, event, 0], waiter.begin());
    await waiter.passed();
    if (this.#connection === connection) this.#waiters.push(waiter);
    waiter.throwFailure();
  }

  /** Waits for all streams. @throws CudaError the first failure of queued work */
  async synchronize(): Promise<void> {
    const connection = this.connection();
    const queues = connection.queues();
    // When a request is done, all earlier work that belongs to no stream is done as well.
    await Promise.all([connection.request("allocations", []), ...queues.map((queue) => queue.passed())]);
    const failure = connection.takeFailure();
    const failures = queues.map((queue) => queue.takeFailure());
    for (const each of [failure, ...failures]) if (each !== undefined) throw each;
  }

  /** The PTX compiler for this device. @throws PtxCompileError UNAVAILABLE */
  compiler(arch: string, maxRegisters: number | undefined): PtxCompiler {
    const key = `${arch} ${maxRegisters ?? ""}`;
    let compiler = this.#compilers.get(key);
    if (compiler === undefined) {
      compiler = new PtxCompiler({
        arch,
        workers: 1,
        ...(maxRegisters === undefined ? {} : { maxRegisters }),
      });
      this.#compilers.set(key, compiler);
    }
    return compiler;
  }

  get gone(): boolean {
    return this.#connection.gone;
  }

  leave(): void {
    for (const compiler of this.#compilers.values()) compiler.dispose();
    this.#connection.close();
  }

  /** Waits until everything is freed; call `leave` first. */
  async closed(): Promise<void> {
    await keepAliveUntil(this.#connection.closed);
  }

  #newQueue(connection: Connection, priority: number): Queue {
    const handle = connection.call("cuStreamCreateWithPriority", [NON_BLOCKING, priority]).values[0]!;
    const queue = new Queue(connection, handle);
    if (this.#options.timeoutMs !== undefined) watchLaunches(queue);
    return queue;
  }
}
