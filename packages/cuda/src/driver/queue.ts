// The work of one stream. It is numbered, so that callers can wait until the stream has reached a point, and kernels
// are remembered until then, so that a failure that surfaces later can name them. A failure is kept for the next caller
// that waits.

import { refuse } from "./check.js";
import type { Connection } from "./connection.js";
import type { CudaError } from "./error.js";
import type { Handle } from "./handle.js";
import { keepAliveUntil } from "./keep-alive.js";

/** A resource that captured work uses. */
export interface CaptureUse {
  /** Checks that it is still usable. @throws CudaError DISPOSED, DEVICE_LOST */
  check(): void;
  /** Records that the last queued work needs it. */
  useOn(queue: Queue): void;
}

/** What is remembered of a launch. */
export interface Launched {
  /** The kernel's name. */
  readonly name: string;
  /** The kernel and what a launch with this block size needs, in words. */
  launchWords(threads: number): string;
}

/** A pending wait until the stream reaches a point. */
interface Passing {
  readonly until: number;
  /** Idle while only pending frees wait. */
  readonly options: { idle: boolean };
  readonly promise: Promise<void>;
}

/** The number of launches that are remembered; a power of two. */
const REMEMBERED = 1024;

export class Queue {
  readonly connection: Connection;
  readonly handle: bigint;
  /** The upper bits of the tags of its work. */
  readonly #base: number;
  /** The number of the last queued work. */
  #last = 0;
  /** The number of the last work that is known to be done. */
  #done = 0;
  readonly #launches: (Launched | undefined)[] = new Array(REMEMBERED).fill(undefined);
  /** Threads per block of each launch. */
  readonly #threads = new Uint32Array(REMEMBERED);
  #passing: Passing | undefined;
  #notified: Promise<unknown> | undefined;
  #failure: CudaError | undefined;
  /**
   * Destroys the stream when its last user has released it; undefined for streams that live as long as their
   * connection.
   */
  owner: Handle | undefined;
  /**
   * The resources that captured work uses; defined only during a capture, when work is added to a graph instead of
   * being executed.
   */
  capture: Set<CaptureUse> | undefined;
  /** Called for each launch, if launches are watched. */
  onLaunch: (() => void) | undefined;

  constructor(connection: Connection, handle: bigint) {
    this.connection = connection;
    this.handle = handle;
    this.#base = connection.addQueue(this);
  }

  /** The number of the last queued work. */
  get last(): number {
    return this.#last;
  }

  isDone(work: number): boolean {
    return this.#done >= work;
  }

  /** Numbers a piece of work. @returns the tag of its record */
  begin(launched?: Launched, threads = 0): number {
    const work = ++this.#last;
    this.#launches[work % REMEMBERED] = launched;
    this.#threads[work % REMEMBERED] = threads;
    return this.#base + (work % TAGS);
  }

  /** The launch with this tag. */
  launchOf(tag: number): { readonly name: string; readonly words: string } | undefined {
    const work = this.#last - ((this.#last - tag + TAGS) % TAGS);
    const launched = this.#last - work < REMEMBERED ? this.#launches[work % REMEMBERED] : undefined;
    if (launched === undefined) return undefined;
    return { name: launched.name, words: launched.launchWords(this.#threads[work % REMEMBERED]!) };
  }

  /** Kernels whose launches are not known to be done, the oldest first. */
  pending(): readonly string[] {
    const names: string[] = [];
    for (let work = Math.max(this.#done, this.#last - REMEMBERED) + 1; work <= this.#last; work++) {
      const launched = this.#launches[work % REMEMBERED];
      if (launched !== undefined) names.push(launched.name);
    }
    return names;
  }

  /** Remembers the first failure of queued work. */
  fail(error: CudaError): void {
    this.#failure ??= error;
  }

  /** Takes the failure since the last wait. */
  takeFailure(): CudaError | undefined {
    this.connection.hub.drain();
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Throws the failure since the last wait. @throws CudaError */
  throwFailure(): void {
    const failure = this.takeFailure();
    if (failure !== undefined) throw failure;
  }

  /** Records that all work up to this number is done. */
  reached(work: number): void {
    if (work > this.#done) this.#done = work;
  }

  /**
   * Waits until everything that is queued now is done. It does not report failures of that work.
   * @param idle whether the process may exit before
   */
  passed(idle = false): Promise<void> {
    // A capture ends in the same turn, and requests that are sent meanwhile would become part of it.
    if (this.capture !== undefined) return Promise.resolve().then(() => this.passed(idle));
    const until = this.#last;
    if (this.#done >= until) return Promise.resolve();
    const passing = this.#passing;
    if (passing?.until === until) {
      if (idle || !passing.options.idle) return passing.promise;
      passing.options.idle = false;
      return keepAliveUntil(passing.promise);
    }
    const options = { queue: this, idle };
    const answer = this.connection.request("notify", [this.handle], options);
    this.#notified = answer;
    const forget = (): void => {
      if (this.#notified === answer) this.#notified = undefined;
    };
    answer.then(forget, forget);
    const promise = answer.then(() => {
      this.reached(until);
    });
    this.#passing = { until, options, promise };
    return promise;
  }

  /**
   * The last notification of this stream, until it arrives; earlier ones arrive before it. Work can be known to be done before
   * that, for example from an event, but the driver must keep the stream.
   */
  get notified(): Promise<unknown> | undefined {
    return this.#notified;
  }

  /** Keeps the stream alive, even if its wrapper is disposed, until `letGo` is called as often as this. */
  hold(): void {
    this.owner?.enter();
  }

  letGo(): void {
    this.owner?.useOn(this);
    this.owner?.leave();
  }

  /** Frees its index for another queue. */
  remove(): void {
    this.connection.removeQueue(this.#base);
  }
}

/** Records that queued work uses a resource; during a capture, the graph uses it. */
export function use(used: CaptureUse, queue: Queue): void {
  if (queue.capture === undefined) used.useOn(queue);
  else queue.capture.add(used);
}

/** @throws CudaError INVALID_ARGUMENT during a capture; `why` says what is not possible then */
export function checkNotCaptured({ capture }: Queue, why = "nothing can wait"): void {
  if (capture !== undefined)
    throw refuse(`expected a stream that is not being captured, found one that is: ${why}`);
}

/** The numbers of work in tags wrap around here. */
const TAGS = 2 ** 20;
