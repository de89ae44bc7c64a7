// The work of one stream: it is numbered, so that what waits knows how far the stream has got, and kernels are remembered
// until then, so that a failure which shows later can name them. What failed is kept for who waits next.

import { refuse } from "./check.js";
import type { Connection } from "./connection.js";
import type { CudaError } from "./error.js";
import type { Handle } from "./handle.js";
import { stayFor } from "./stay.js";

/** What captured work uses. */
export interface CaptureUse {
  /** Whether it can still be used. @throws CudaError DISPOSED, DEVICE_LOST */
  check(): void;
  /** The work that was queued last needs it. */
  useOn(queue: Queue): void;
}

/** What is remembered of a launch. */
export interface Launched {
  /** Of the kernel. */
  readonly name: string;
  /** With what a launch of so many threads a block needs. */
  launchWords(threads: number): string;
}

/** That a stream gets to where it is waited for. */
interface Passing {
  readonly until: number;
  /** Idle as long as only give-backs wait. */
  readonly options: { idle: boolean };
  readonly promise: Promise<void>;
}

/** Launches that are remembered; a power of two. */
const REMEMBERED = 1024;

export class Queue {
  readonly connection: Connection;
  readonly handle: bigint;
  /** Beginning of the tags of its work. */
  readonly #base: number;
  /** Number of the last work that was queued. */
  #last = 0;
  /** Number of the last work that is known to be done. */
  #done = 0;
  readonly #launches: (Launched | undefined)[] = new Array(REMEMBERED).fill(undefined);
  /** Of a block of each. */
  readonly #threads = new Uint32Array(REMEMBERED);
  #passing: Passing | undefined;
  #failure: CudaError | undefined;
  /** What destroys the stream when its last user has left; undefined for streams that stay as long as their connection. */
  owner: Handle | undefined;
  /** What the work that is queued goes into a graph for, and nothing is done of it now; there while that is made. */
  capture: Set<CaptureUse> | undefined;
  /** Told of each launch, where launches are watched. */
  onLaunch: (() => void) | undefined;

  constructor(connection: Connection, handle: bigint) {
    this.connection = connection;
    this.handle = handle;
    this.#base = connection.addQueue(this);
  }

  /** Number of the last work that was queued. */
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

  /** The launch that has this number, counted by tags. */
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

  /** What failed since somebody waited last. */
  takeFailure(): CudaError | undefined {
    this.connection.hub.drain();
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Tells what failed since somebody waited last. @throws CudaError */
  throwFailure(): void {
    const failure = this.takeFailure();
    if (failure !== undefined) throw failure;
  }

  /** Told when all work up to this number is done. */
  reached(work: number): void {
    if (work > this.#done) this.#done = work;
  }

  /**
   * Waits until everything that is queued now is done. Failures of that work are not told here.
   * @param idle whether the process may end before
   */
  passed(idle = false): Promise<void> {
    // A capture ends in the same turn, and what would be asked for meanwhile would be part of it.
    if (this.capture !== undefined) return Promise.resolve().then(() => this.passed(idle));
    const until = this.#last;
    if (this.#done >= until) return Promise.resolve();
    const passing = this.#passing;
    if (passing?.until === until) {
      if (idle || !passing.options.idle) return passing.promise;
      passing.options.idle = false;
      return stayFor(passing.promise);
    }
    const options = { queue: this, idle };
    const promise = this.connection.request("notify", [this.handle], options).then(() => {
      this.reached(until);
    });
    this.#passing = { until, options, promise };
    return promise;
  }

  /** The stream stays, whatever becomes of its wrapper, until as many have let it go. */
  hold(): void {
    this.owner?.enter();
  }

  letGo(): void {
    this.owner?.useOn(this);
    this.owner?.leave();
  }

  /** Its place is free for another one. */
  remove(): void {
    this.connection.removeQueue(this.#base);
  }
}

/** Queued work uses it; a graph that is being captured does. */
export function use(used: CaptureUse, queue: Queue): void {
  if (queue.capture === undefined) used.useOn(queue);
  else queue.capture.add(used);
}

/** @throws CudaError INVALID_INPUT while the stream is captured; `why` says what can't be then */
export function checkNotCaptured({ capture }: Queue, why = "nothing can be waited for"): void {
  if (capture !== undefined)
    throw refuse(`expected a stream that is not captured, found one that is: ${why}`);
}

/** Numbers of work within tags begin anew after so many. */
const TAGS = 2 ** 20;
