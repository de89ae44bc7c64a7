// One native session: records go out, replies come back to who waits for them. A result after which the context can't be
// used any more, or the death of the session's process, makes the connection lost: whoever comes later is told so.

import { describeError } from "@mm-ptx/types/core";
import type { LoadedAddon } from "../native/load.js";
import { DriverHub, type NativeSession, type Reply } from "./addon.js";
import { encodeRecord, type Slot, withPayload } from "./command.js";
import { CudaError, disposedDevice, type FailureContext, failureOf } from "./error.js";
import type { Queue } from "./queue.js";
import { CUDA_RESULTS, SUCCESS } from "./results.js";
import { stayFor } from "./stay.js";

/** A ticket that is waited for. */
interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: CudaError) => void;
  /** What is known of it when it fails. */
  readonly options: CallOptions;
}

/** What a call may have besides its arguments. */
export interface CallOptions extends FailureContext {
  readonly payload?: Uint8Array | undefined;
  readonly queue?: Queue;
  /** Nobody waits who would want the process to stay for it. */
  readonly idle?: boolean;
  /** What the reply of a failure tells besides. */
  readonly ofReply?: (reply: Reply) => FailureContext;
}

/** How a session is opened. */
export interface ConnectionOptions {
  /** Empty: as the system's loader finds it. */
  readonly driver: string;
  readonly isolate: boolean;
  /** Of synchronous calls; 0: none. */
  readonly timeoutMs: number;
}

const MAX_TICKET = 2 ** 32 - 1;
/** A tag has the queue's place in its upper bits and the work's number in the lower ones. */
const WORK_BITS = 20;
export const WORK_MASK = 2 ** WORK_BITS - 1;
/** Place 0 is no queue's. */
const MOST_QUEUES = 2 ** (32 - WORK_BITS) - 1;
/** What takes its time without any kernel being to blame: starting the process and the driver, loading code. */
const SLOW = new Set(["cuInit", "open", "load"]);
const SLOW_LIMIT_MS = 60_000;
/** Work that takes longer may go on when the process ends. */
const CLOSING_MS = 1000;
/** Statuses of the addon after which the session is of no use. */
const DIED = -5;
const KILLED = -6;

export class Connection {
  readonly hub: DriverHub;
  readonly native: NativeSession;
  readonly isolated: boolean;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #queues: (Queue | undefined)[] = [undefined];
  readonly #borrowers = new Set<Queue>();
  #lastTicket = 0;
  #lost: CudaError | undefined;
  #heard = false;
  #closed = false;
  /** Fulfilled when everything is given back, once it is closed. */
  closed: Promise<void> = Promise.resolve();
  /** Of what belongs to no queue, such as giving memory back. */
  #failure: CudaError | undefined;

  constructor({ addon, workerPath }: LoadedAddon, { driver, isolate, timeoutMs }: ConnectionOptions) {
    this.hub = DriverHub.of(addon);
    this.isolated = isolate;
    this.#timeoutMs = timeoutMs;
    const environment = isolate ? Object.entries(process.env).map(([name, value]) => `${name}=${value}`) : [];
    try {
      this.native = this.hub.addon.openDriver(driver, isolate ? workerPath! : "", environment);
    } catch (cause) {
      throw new CudaError(
        "INTERNAL",
        `expected a thread for the device, found none: ${describeError(cause)}`,
        {
          cause,
        },
      );
    }
    this.hub.add(this.native, (reply) => this.#take(reply));
  }

  /** Whether nothing that was made over it can be used any more. */
  get gone(): boolean {
    return this.#closed || this.#lost !== undefined;
  }

  /** The failure that made it lost. */
  get lost(): CudaError | undefined {
    return this.#lost;
  }

  /** The failure that made it lost, unless somebody has been told. */
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
   * Asks and waits, without a turn of the event loop.
   * @throws CudaError
   */
  call(operation: string, slots: readonly Slot[], options: CallOptions = {}): Reply {
    const reply = this.#call(operation, slots, options.payload);
    if (reply.status !== SUCCESS) throw this.failure(reply, options);
    return reply;
  }

  /** As `call`, for results that the caller knows what to do with: the reply, whatever its status. */
  ask(operation: string, slots: readonly Slot[], payload?: Uint8Array): Reply {
    const reply = this.#call(operation, slots, payload);
    this.#loseBy(reply, undefined);
    return reply;
  }

  /** Asks; the promise is rejected with a CudaError when it fails. */
  request(operation: string, slots: readonly Slot[], options: CallOptions = {}): Promise<Reply> {
    this.check();
    return this.#request(operation, slots, options);
  }

  /** The error of a reply that is no success; a result after which the context can't be used any more makes this lost. */
  failure(reply: Reply, options: CallOptions = {}): CudaError {
    const { status, text, operation } = reply;
    // What was lost is lost by the first failure; all later ones follow from it.
    if (this.#lost !== undefined) return this.#lost;
    const context = { ...options, ...options.ofReply?.(reply) };
    const sticky = CUDA_RESULTS.get(status)?.sticky === true;
    const suspects = context.suspects ?? (sticky ? this.#pending(options.queue) : []);
    const error = failureOf(this.hub.nameOf(operation), status, text, { ...context, suspects });
    this.#loseBy(reply, error);
    return error;
  }

  /** Asks for what nobody waits for; its failure is kept by the queue of the tag, or by the connection. */
  post(operation: string, slots: readonly Slot[], tag = 0): void {
    this.check();
    this.hub.addon.submitDriver(this.native, encodeRecord(this.hub.numberOf(operation), slots, { tag }));
  }

  /** Queues records that were encoded before. */
  submit(records: Uint8Array): void {
    this.hub.addon.submitDriver(this.native, records);
  }

  /** A place for a queue, whose work is told apart by its tags. @throws CudaError INVALID_INPUT */
  addQueue(queue: Queue): number {
    let place = this.#queues.indexOf(undefined, 1);
    if (place === -1) place = this.#queues.length;
    if (place > MOST_QUEUES)
      throw new CudaError("INVALID_INPUT", `expected at most ${MOST_QUEUES} streams of a device, found more`);
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

  /** The failure of what belongs to no queue, told once. */
  takeFailure(): CudaError | undefined {
    this.hub.drain();
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Ends an isolated session at once, for a reason that everybody is told who waits. */
  kill(reason: CudaError): void {
    this.#lose(reason);
    this.hub.addon.killDriver(this.native);
  }

  /** Work on a stream of another connection uses what belongs to this one. */
  lend(borrower: Queue): void {
    this.#borrowers.add(borrower);
  }

  /** Takes nothing new; what is queued is done and everything given back. Twice without harm. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const returned = [...this.#borrowers].map((queue) =>
      queue.connection.gone ? queue.connection.closed : queue.passed(true),
    );
    this.closed = returned.length === 0 ? this.#end() : Promise.allSettled(returned).then(() => this.#end());
    void stayFor(this.closed, CLOSING_MS);
  }

  #end(): Promise<void> {
    // Nobody is there to tell of a failure: what could not be given back goes with the process.
    const remove = (): void => this.hub.remove(this.native);
    return this.#request("close", [], { idle: true }).then(remove, remove);
  }

  /** With a ticket that nothing waits for. */
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
    const reply = this.hub.call(this.native, whole, this.#limitOf(operation));
    if (reply.status !== SUCCESS) this.#heard = true;
    return reply;
  }

  /** Milliseconds; 0: none. */
  #limitOf(operation: string): number {
    const limit = this.#timeoutMs;
    return limit > 0 && SLOW.has(operation) ? Math.max(limit, SLOW_LIMIT_MS) : limit;
  }

  #request(operation: string, slots: readonly Slot[], options: CallOptions): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const { ticket, record } = this.#record(operation, slots, options);
      this.hub.addon.submitDriver(this.native, record, options.payload);
      this.#waiting.set(ticket, { resolve, reject, options });
    });
  }

  #take(reply: Reply): void {
    const { ticket, tag, status } = reply;
    const waiting = this.#waiting.get(ticket);
    if (waiting !== undefined) {
      this.#waiting.delete(ticket);
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

  /** Kernels whose launches are not known to be done, on a stream or on all. */
  #pending(queue: Queue | undefined): readonly string[] {
    return queue === undefined ? this.queues().flatMap((each) => each.pending()) : queue.pending();
  }

  #loseBy(reply: Reply, error: CudaError | undefined): void {
    const { status, text, operation } = reply;
    if (status === DIED || status === KILLED || CUDA_RESULTS.get(status)?.sticky)
      this.#lose(
        error ?? failureOf(this.hub.nameOf(operation), status, text, { suspects: this.#pending(undefined) }),
      );
  }

  /** Whoever waits is told the reason; an isolated process that is of no use any more goes. */
  #lose(reason: CudaError): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    if (!this.isolated) return;
    for (const [ticket, waiting] of this.#waiting) {
      this.#waiting.delete(ticket);
      this.#reject(waiting, reason);
    }
    this.hub.addon.killDriver(this.native);
    this.close();
  }
}

/** The error of every call after the failure that made a device unusable. */
function lostDevice(cause: CudaError): CudaError {
  return new CudaError(
    "DEVICE_LOST",
    `expected a device that works, found one that was lost before: ${cause.message}`,
    { cause, suspects: cause.suspects },
  );
}
