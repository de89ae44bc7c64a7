// The time limit of an isolated device: each call has to be answered in time, or its process is ended.

import type { Queue } from "./queue.js";

/** A call that waits for its answer. */
export interface WaitingCall {
  readonly operation: string;
  /** The stream whose earlier work has to be done first. */
  readonly queue: Queue | undefined;
}

interface Waiting extends WaitingCall {
  readonly since: number;
}

/** What a limit needs of the connection that it watches. */
interface Watched {
  /** Takes all answers that have arrived, because a blocked event loop has not taken them yet. */
  drain(): void;
  /** A call was not answered in time. */
  expired(call: WaitingCall): void;
}

/**
 * Watches the calls that wait for an answer. The time of a call counts from its start, or from the last answer to a call
 * on the same stream, since streams work in order.
 */
export class TimeLimit {
  readonly #limitMs: number;
  readonly #watched: Watched;
  readonly #waiting = new Map<number, Waiting>();
  /** When the last call of a stream was answered. */
  readonly #answered = new WeakMap<Queue, number>();
  /** The same for calls without a stream. */
  #answeredNone = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, watched: Watched) {
    this.#limitMs = limitMs;
    this.#watched = watched;
  }

  begin(ticket: number, { operation, queue }: WaitingCall): void {
    this.#waiting.set(ticket, { operation, queue, since: performance.now() });
    if (this.#timer === undefined) this.#wait(this.#limitMs);
  }

  end(ticket: number): void {
    const waiting = this.#waiting.get(ticket);
    if (waiting === undefined) return;
    this.#waiting.delete(ticket);
    if (waiting.queue === undefined) this.#answeredNone = performance.now();
    else this.#answered.set(waiting.queue, performance.now());
  }

  /** Forgets all calls. */
  stop(): void {
    this.#waiting.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.ceil(milliseconds)));
    // A call that keeps the process alive does so itself.
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#next().left > 0) {
      this.#again();
      return;
    }
    this.#watched.drain();
    setImmediate(() => {
      const { call, left } = this.#next();
      if (call !== undefined && left <= 0) this.#watched.expired(call);
      else this.#again();
    });
  }

  #again(): void {
    const { call, left } = this.#next();
    if (call !== undefined && this.#timer === undefined) this.#wait(left);
  }

  /** The call whose time is over first, and the milliseconds until then. */
  #next(): { readonly call: WaitingCall | undefined; readonly left: number } {
    const now = performance.now();
    let call: WaitingCall | undefined;
    let left = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting.values()) {
      const { queue, since } = waiting;
      const answered = queue === undefined ? this.#answeredNone : (this.#answered.get(queue) ?? 0);
      const mine = Math.max(since, answered) + this.#limitMs - now;
      if (mine >= left) continue;
      left = mine;
      call = waiting;
    }
    return { call, left };
  }
}

/** Asks for the end of launches even if no caller waits for them, so that the time limit applies to them. */
export function watchLaunches(queue: Queue): void {
  let watching = false;
  const watch = async (): Promise<void> => {
    watching = true;
    try {
      for (let until = -1; until !== queue.last; ) {
        until = queue.last;
        await queue.passed(true);
      }
    } catch {
      // The caller that waits for the work receives the failure.
    } finally {
      watching = false;
    }
  };
  queue.onLaunch = () => {
    if (!watching) void watch();
  };
}
