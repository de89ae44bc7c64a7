// One native session: records go out, and replies are dispatched to the callers that wait for them. A result that
// leaves the context unusable, or the death of the session's process, makes the connection lost; later callers get that
// failure.

import { describeError } from "@mm-ptx/types/internal";
import { driverEnvironment } from "../native/environment.js";
import type { LoadedAddon } from "../native/load.js";
import { DriverHub, type NativeSession, type Reply } from "./addon.js";
import { encodeRecord, type Slot, withPayload } from "./command.js";
import { CudaError, disposedDevice, type FailureContext, failureOf, lostDevice } from "./error.js";
import { keepAliveUntil } from "./keep-alive.js";
import type { Queue } from "./queue.js";
import { CUDA_RESULTS, SUCCESS } from "./results.js";
import { TimeLimit, type WaitingCall } from "./time-limit.js";

/** A ticket that a caller waits for. */
interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: CudaError) => void;
  /** Context for the error if it fails. */
  readonly options: CallOptions;
}

/** The options of a call. */
export interface CallOptions extends FailureContext {
  readonly payload?: Uint8Array | undefined;
  readonly queue?: Queue;
  /** The call does not keep the process alive. */
  readonly idle?: boolean;
  /** Extracts further context from the reply of a failure. */
  readonly ofReply?: (reply: Reply) => FailureContext;
}

/** How a session is opened. */
export interface ConnectionOptions {
  /** Empty: the driver that the system's loader finds. */
  readonly driver: string;
  readonly isolate: boolean;
  /** The time limit of calls; 0: no limit. Only isolated sessions can have one. */
  readonly timeoutMs: number;
}

const MAX_TICKET = 2 ** 32 - 1;
/** A tag holds the queue's index in its upper bits and the work's number in its lower bits. */
const WORK_BITS = 20;
export const WORK_MASK = 2 ** WORK_BITS - 1;
/** Index 0 is reserved for calls without a queue. */
const MOST_QUEUES = 2 ** (32 - WORK_BITS) - 1;
/** The least time limit of calls while the device is opened: the process and the driver start, which can take long. */
export const OPENING_MS = 60_000;
/** How long a close keeps the process alive for running work. */
const CLOSING_MS = 1000;
/** The addon reports this status when the session's process has died or was killed. */
const DIED = -5;
const KILLED = -6;

export class Connection {
  readonly hub: DriverHub;
  readonly native: NativeSession;
  readonly isolated: boolean;
  readonly #timeoutMs: number;
  readonly #limit: TimeLimit | undefined;
  readonly #waiting = new Map<number, Waiting>();
  readonly #queues: (Queue | undefined)[] = [undefined];
  readonly #borrowers = new Set<Queue>();
  #lastTicket = 0;
  #opening = true;
  #lost: CudaError | undefined;
  #heard = false;
  #closed = false;
  /** Fulfilled when everything is freed after a close. */
  closed: Promise<void> = Promise.resolve();
  /** The failure of an operation that belongs to no queue, such as freeing memory. */
  #failure: CudaError | undefined;

  constructor({ addon, workerPath }: LoadedAddon, { driver, isolate, timeoutMs }: ConnectionOptions) {
    this.hub = DriverHub.of(addon);
    this.isolated = isolate;
    this.#timeoutMs = timeoutMs;
    const environment = isolate ? driverEnvironment() : [];
    try {
      this.native = this.hub.addon.openDriver(driver, isolate ? workerPath! : "", environment);
    } catch (cause) {
      throw new CudaError("INTERNAL", `could not start the device's thread: ${describeError(cause)}`, {
        cause,
      });
    }
    this.hub.add(this.native, (reply) => this.#take(reply));
    const expired = ({ operation, queue }: WaitingCall): void =>
      this.kill(this.#errorOf(operation, { status: KILLED, text: "" }, { queue }));
    const watched = { drain: () => this.hub.drain(), expired };
    this.#limit = timeoutMs === 0 ? undefined : new TimeLimit(timeoutMs, watched);
  }

  /** Whether everything that was made over this connection is unusable. */
  get gone(): boolean {
    return this.#closed || this.#lost !== undefined;
  }

  /** The failure that lost the connection. */
  get lost(): CudaError | undefined {
    return this.#lost;
  }

  /** The failure that lost the connection, unless a caller has already received it. */
  get unheard(): CudaError | undefined {
    return this.#heard ? undefined : this.#lost;
  }

  /** @throws CudaError DEVICE_LOST, DISPOSED */
  check(): void {
    if (this.#lost !== undefined) {
      this.#heard = true;
      throw lostDevice(this.#lost);
    }
    if (this.#closed) throw disposedDevice();
  }

  /**
   * Sends a request and blocks the event loop until the reply.
   * @throws CudaError
   */
  call(operation: string, slots: readonly Slot[], options: CallOptions = {}): Reply {
    const reply = this.#call(operation, slots, options.payload);
    if (reply.status !== SUCCESS) throw this.failure(reply, options);
    return reply;
  }

  /** Like `call`, but returns the reply whatever its status, for callers that handle failures themselves. */
  ask(operation: string, slots: readonly Slot[], payload?: Uint8Array): Reply {
    const reply = this.#call(operation, slots, payload);
    this.#loseBy(reply, undefined);
    return reply;
  }

  /** Sends a request; the promise rejects with a CudaError if it fails. */
  request(operation: string, slots: readonly Slot[], options: CallOptions = {}): Promise<Reply> {
    this.check();
    return this.#request(operation, slots, options);
  }

  /** The error for a reply that reports a failure. A result that leaves the context unusable loses the connection. */
  failure(reply: Reply, options: CallOptions = {}): CudaError {
    // The first failure lost the connection; all later ones follow from it.
    if (this.#lost !== undefined) return this.#lost;
    const context = { ...options, ...options.ofReply?.(reply) };
    const error = this.#errorOf(this.hub.nameOf(reply.operation), reply, context);
    this.#loseBy(reply, error);
    return error;
  }

  /** Sends a request without waiting; a failure is kept by the queue of the tag, or by the connection. */
  post(operation: string, slots: readonly Slot[], tag = 0): void {
    this.check();
    this.hub.addon.submitDriver(this.native, encodeRecord(this.hub.numberOf(operation), slots, { tag }));
  }

  /** Queues records that are already encoded. */
  submit(records: Uint8Array): void {
    this.hub.addon.submitDriver(this.native, records);
  }

  /** An index for a queue; its work is identified by tags. @throws CudaError INVALID_ARGUMENT */
  addQueue(queue: Queue): number {
    let place = this.#queues.indexOf(undefined, 1);
    if (place === -1) place = this.#queues.length;
    if (place > MOST_QUEUES)
      throw new CudaError(
        "INVALID_ARGUMENT",
        `expected at most ${MOST_QUEUES} streams per device, found more`,
      );
    this.#queues[place] = queue;
    return place << WORK_BITS;
  }

  removeQueue(base: number): void {
    this.#queues[base >>> WORK_BITS] = undefined;
  }

  /** All of its streams. */
  queues(): readonly Queue[] {
    return this.#queues.filter((queue) => queue !== undefined);
  }

  /** Takes the failure of an operation that belongs to no queue; it is reported only once. */
  takeFailure(): CudaError | undefined {
    this.hub.drain();
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Kills an isolated session at once; every pending call is rejected with the reason. */
  kill(reason: CudaError): void {
    this.#lose(reason);
    this.hub.addon.killDriver(this.native);
  }

  /** Records that a stream of another connection uses resources of this one. */
  lend(borrower: Queue): void {
    this.#borrowers.add(borrower);
  }

  /** Accepts no new work; queued work is completed and everything is freed. You can call it more than once. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const returned = [...this.#borrowers].map((queue) =>
      queue.connection.gone ? queue.connection.closed : queue.passed(true),
    );
    this.closed = returned.length === 0 ? this.#end() : Promise.allSettled(returned).then(() => this.#end());
    void keepAliveUntil(this.closed, CLOSING_MS);
  }

  #end(): Promise<void> {
    // No caller is left to report a failure to, and the process frees whatever could not be freed here.
    const remove = (): void => this.hub.remove(this.native);
    return this.#request("close", [], { idle: true }).then(remove, remove);
  }

  /** The device is open: from now on, calls have the time limit that the user set. */
  opened(): void {
    this.#opening = false;
  }

  /** A record with a ticket that nothing waits for. */
  #record(operation: string, slots: readonly Slot[], { payload, idle = false }: CallOptions) {
    do this.#lastTicket = (this.#lastTicket % MAX_TICKET) + 1;
    while (this.#waiting.has(this.#lastTicket));
    const ticket = this.#lastTicket;
    const payloadBytes = payload?.byteLength ?? 0;
    const record = encodeRecord(this.hub.numberOf(operation), slots, { ticket, idle, payloadBytes });
    return { ticket, record };
  }

  #call(operation: string, slots: readonly Slot[], payload?: Uint8Array): Reply {
    this.check();
    const { record } = this.#record(operation, slots, { payload });
    const whole = payload === undefined ? record : withPayload(record, payload);
    const reply = this.hub.call(this.native, whole, this.#limitMs);
    if (reply.status !== SUCCESS) this.#heard = true;
    return reply;
  }

  /** The time limit of a call in milliseconds; 0: no limit. */
  get #limitMs(): number {
    const limit = this.#timeoutMs;
    return limit > 0 && this.#opening ? Math.max(limit, OPENING_MS) : limit;
  }

  #request(operation: string, slots: readonly Slot[], options: CallOptions): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const { ticket, record } = this.#record(operation, slots, options);
      this.hub.addon.submitDriver(this.native, record, options.payload);
      this.#waiting.set(ticket, { resolve, reject, options });
      this.#limit?.begin(ticket, { operation, queue: options.queue });
    });
  }

  #take(reply: Reply): void {
    const { ticket, tag, status } = reply;
    const waiting = this.#waiting.get(ticket);
    if (waiting !== undefined) {
      this.#waiting.delete(ticket);
      this.#limit?.end(ticket);
      if (status === SUCCESS) waiting.resolve(reply);
      else this.#reject(waiting, this.failure(reply, waiting.options));
      return;
    }
    if (ticket !== 0 || status === SUCCESS) return;
    const queue = this.#queues[tag >>> WORK_BITS];
    const launched = queue?.launchOf(tag & WORK_MASK);
    const options = launched === undefined ? {} : { asked: launched.words, kernel: launched.name };
    const error = this.failure(reply, queue === undefined ? options : { ...options, queue });
    if (queue === undefined) this.#failure ??= error;
    else queue.fail(error);
  }

  #reject({ reject, options }: Waiting, error: CudaError): void {
    if (options.idle !== true) this.#heard = true;
    reject(error);
  }

  /** Kernels whose launches are not known to be done, on one stream or on all. */
  #pending(queue: Queue | undefined): readonly string[] {
    return queue === undefined ? this.queues().flatMap((each) => each.pending()) : queue.pending();
  }

  #errorOf(
    operation: string,
    { status, text }: Pick<Reply, "status" | "text">,
    context: FailureContext & { readonly queue?: Queue | undefined },
  ): CudaError {
    // Work of the stream, or of all streams, can be to blame.
    const blames = status === KILLED || isSticky(status);
    const suspects = context.suspects ?? (blames ? this.#pending(context.queue) : []);
    return failureOf(operation, status, text, { ...context, suspects, limitMs: this.#limitMs });
  }

  #loseBy(reply: Reply, error: CudaError | undefined): void {
    const { status, operation } = reply;
    if (status === DIED || status === KILLED || isSticky(status))
      this.#lose(error ?? this.#errorOf(this.hub.nameOf(operation), reply, {}));
  }

  /** Rejects all pending calls with the reason; ends the process of an isolated session. */
  #lose(reason: CudaError): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.#limit?.stop();
    if (!this.isolated) return;
    for (const [ticket, waiting] of this.#waiting) {
      this.#waiting.delete(ticket);
      this.#reject(waiting, reason);
    }
    this.hub.addon.killDriver(this.native);
    this.close();
  }
}

const isSticky = (status: number): boolean => CUDA_RESULTS.get(status)?.sticky === true;
