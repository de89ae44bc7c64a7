// The addon's jobs as callbacks. One wake-up of the event loop takes what is finished, a bounded number at a time, so that
// timers and input get their turn between batches however many results wait.

import type { Addon, NativePool, NativeResult, NativeTemplate } from "./load.js";

/** Results taken before the event loop gets its turn: each costs a few microseconds. */
const BATCH = 32;

type Settle = (result: NativeResult) => void;

/** What `Addon.submit` takes besides the pool and the job's number. */
export interface NativeJob {
  readonly target: number;
  readonly timeoutMs: number;
  readonly priority: number;
  readonly ptx: string | Uint8Array | NativeTemplate;
  /** Of a template: all its stubs, one after the other, and where each ends. */
  readonly stubs?: string;
  readonly stubEnds?: Uint32Array;
}

interface Job {
  readonly pool: NativePool;
  readonly settle: Settle;
}

const bindings = new Map<Addon, Binding>();

export class Binding {
  readonly #addon: Addon;
  readonly #pending = new Map<number, Job>();
  readonly #wakes: (() => void)[] = [];
  #nextId = 1;
  #draining = false;

  constructor(addon: Addon) {
    this.#addon = addon;
    addon.onResults(() => {
      if (!this.#draining) this.#drain();
      for (const wake of this.#wakes) wake();
    });
  }

  /** The one binding of an addon in this environment. */
  static of(addon: Addon): Binding {
    let binding = bindings.get(addon);
    if (binding === undefined) {
      binding = new Binding(addon);
      bindings.set(addon, binding);
    }
    return binding;
  }

  /** Calls it whenever the addon has something that waits to be taken, whatever that is. */
  onWake(wake: () => void): void {
    this.#wakes.push(wake);
  }

  /** Jobs of all pools whose results are waited for. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Queues a job. Returns what forgets it: `settle` is not called any more after that. */
  submit(pool: NativePool, job: NativeJob, settle: Settle): () => void {
    const id = this.#nextId++;
    const { target, timeoutMs, priority, ptx, stubs, stubEnds } = job;
    if (stubs === undefined) this.#addon.submit(pool, id, target, timeoutMs, priority, ptx);
    else this.#addon.submit(pool, id, target, timeoutMs, priority, ptx, stubs, stubEnds);
    this.#pending.set(id, { pool, settle });
    return () => {
      if (this.#pending.delete(id)) this.#addon.cancel(pool, id);
    };
  }

  /** Blocks until `done`, taking results of all jobs as they come. */
  waitUntil(done: () => boolean): void {
    while (!done()) {
      this.#addon.awaitResults();
      do this.#drain();
      while (this.#draining);
    }
  }

  /** Closes a pool and forgets its jobs, whose callbacks hold their texts. Twice without harm. */
  close(pool: NativePool): void {
    this.#addon.closePool(pool);
    for (const [id, job] of this.#pending) {
      if (job.pool === pool) this.#pending.delete(id);
    }
  }

  #drain(): void {
    let results: readonly NativeResult[] = [];
    try {
      results = this.#addon.drain(BATCH);
    } finally {
      // A full batch means that more may wait, of which no further wake-up would tell.
      this.#draining = results.length === BATCH;
      if (this.#draining) setImmediate(() => this.#drain());
    }
    for (const result of results) this.#settle(result);
  }

  #settle(result: NativeResult): void {
    const id = result[0];
    const job = this.#pending.get(id);
    this.#pending.delete(id);
    try {
      job?.settle(result);
    } catch (error) {
      // Thrown where it ends in the process's handlers, and not at the other results of the batch.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
