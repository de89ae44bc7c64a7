// What a device holds natively, through the lives of its connections: an isolated device that was lost gets a new one when it
// is asked for next. It does not hold the device object, so that one that is forgotten can be collected.

import { PtxCompiler } from "../ptx/compiler.js";
import type { Connection } from "./connection.js";
import type { CudaError } from "./error.js";
import { Handle, type Held } from "./handle.js";
import { type DeviceOptions, type OpenedDevice, openDevice } from "./open.js";
import type { DeviceDescription } from "./properties.js";
import { Queue } from "./queue.js";
import { stayFor } from "./stay.js";
import { watchLaunches } from "./watchdog.js";

/** CU_STREAM_NON_BLOCKING: it does not wait for the default stream of other code. */
const NON_BLOCKING = 1;

export class Session implements Held {
  readonly description: DeviceDescription;
  readonly #options: DeviceOptions;
  readonly #compilers = new Map<string, PtxCompiler>();
  #connection: Connection;
  #context: bigint;
  #defaultQueue: Queue | undefined;
  /** Streams that wait for events, of this connection. */
  #waiters: Queue[] = [];

  constructor({ connection, context, description }: OpenedDevice, options: DeviceOptions) {
    this.#options = options;
    this.#connection = connection;
    this.#context = context;
    this.description = description;
  }

  get isolated(): boolean {
    return this.#connection.isolated;
  }

  /** Of the connection that is in use. */
  get context(): bigint {
    return this.#context;
  }

  /** Why the connection is of no use any more. */
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
      // Whoever waits next is told what became of the work that nobody waited for.
      if (unheard !== undefined) this.defaultQueue().fail(unheard);
    }
    this.#connection.check();
    return this.#connection;
  }

  /** That of the device's own stream, made when it is first used. */
  defaultQueue(): Queue {
    const connection = this.connection();
    this.#defaultQueue ??= this.#newQueue(connection, 0);
    return this.#defaultQueue;
  }

  /** A stream, and what its wrapper holds. */
  createQueue(priority: number): { readonly queue: Queue; readonly held: Held } {
    const queue = this.#newQueue(this.connection(), priority);
    queue.owner = new Handle(queue.connection, queue.handle, ({ connection, value }) => {
      queue.remove();
      connection.post("cuStreamDestroy", [value]);
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

  /** Waits for an event, and not for what is queued behind it, on a stream that is kept for that. */
  async afterEvent(event: bigint): Promise<void> {
    const connection = this.connection();
    const waiter = this.#waiters.pop() ?? this.#newQueue(connection, 0);
    connection.post("cuStreamWaitEvent", [waiter.handle, event, 0], waiter.begin());
    await waiter.passed();
    if (this.#connection === connection) this.#waiters.push(waiter);
    waiter.throwFailure();
  }

  /** Waits for all streams. @throws CudaError the first failure of what was queued */
  async synchronize(): Promise<void> {
    const connection = this.connection();
    const queues = connection.queues();
    // What belongs to no stream has been done when a request behind it is.
    await Promise.all([connection.request("allocations", []), ...queues.map((queue) => queue.passed())]);
    const failure = connection.takeFailure();
    const failures = queues.map((queue) => queue.takeFailure());
    for (const each of [failure, ...failures]) if (each !== undefined) throw each;
  }

  /** Compiles PTX for this device. @throws PtxCompileError BACKEND_MISSING */
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
    for (const compiler of this.#compilers.values()) compiler[Symbol.dispose]();
    this.#connection.close();
  }

  /** Waits until everything is given back; `leave` goes before. */
  async closed(): Promise<void> {
    await stayFor(this.#connection.closed);
  }

  #newQueue(connection: Connection, priority: number): Queue {
    const handle = connection.call("cuStreamCreateWithPriority", [NON_BLOCKING, priority]).values[0]!;
    const queue = new Queue(connection, handle);
    const { timeoutMs } = this.#options;
    if (timeoutMs !== undefined) watchLaunches(queue, timeoutMs);
    return queue;
  }
}
