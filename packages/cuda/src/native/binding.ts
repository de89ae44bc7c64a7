// The addon's jobs with callbacks. Each wake-up of the event loop takes a bounded number of finished jobs, so that
// timers and input are served between batches however many results are waiting.

import type { Addon, NativePool, NativeResult, NativeTemplate } from "./load.js";

/** The number of results taken before the event loop gets a turn; each takes a few microseconds. */
const BATCH = 32;

type Settle = (result: NativeResult) => void;

/** The arguments of `Addon.submit` besides the pool and the job's number. */
export interface NativeJob {
  readonly target: number;
  readonly timeoutMs: number;
  readonly priority: number;
  readonly ptx: string | Uint8Array | NativeTemplate;
  /** For templates: all stubs, concatenated, and the end of each. */
  readonly stubs?: string;
  readonly stubEnds?: Uint32Array;
}

interface Job {
  readonly pool: NativePool;
  readonly settle: Settle;
}

/**
 * One object for each addon and environment. Module registries and bundlers can evaluate this package several times in one
 * environment, and the copies share the addon, so they have to share what takes its results. They are of one version, because
 * the addon's version is checked when it is loaded.
 */
export class PerAddon<Shared> {
  readonly #key: symbol;
  readonly #make: (addon: Addon) => Shared;

  /** @param name the same in all copies of the package */
  constructor(name: string, make: (addon: Addon) => Shared) {
    this.#key = Symbol.for(`@mm-ptx/cuda/${name}`);
    this.#make = make;
  }

  of(addon: Addon): Shared {
    const holder = addon as Addon & Record<symbol, Shared | undefined>;
    holder[this.#key] ??= this.#make(addon);
    return holder[this.#key]!;
  }
}

const bindings = new PerAddon("binding", (addon) => new Binding(addon));

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

  /** The single binding of an addon in this environment. */
  static of(addon: Addon): Binding {
    return bindings.of(addon);
  }

  /** Registers a function that is called whenever the addon has anything to be taken. */
  onWake(wake: () => void): void {
    this.#wakes.push(wake);
  }

  /** The number of jobs in all pools whose results are awaited. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Queues a job. Returns a function that forgets it, after which `settle` is not called any more. */
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

  /** Blocks until `done` returns true, and takes results of all jobs as they arrive. */
  waitUntil(done: () => boolean): void {
    while (!done()) {
      this.#addon.awaitResults();
      do this.#drain();
      while (this.#draining);
    }
  }

  /** Closes a pool and forgets its jobs, whose callbacks reference their texts. You can call it more than once. */
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
      // A full batch means that more results may be waiting, and no further wake-up would announce them.
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
      // Thrown from a microtask so that it reaches the process's handlers without affecting the batch's other results.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
