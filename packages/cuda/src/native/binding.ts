// The addon's jobs as callbacks. One wake-up of the event loop takes what is finished, a bounded number at a time, so that
// timers and input get their turn between batches however many results wait.

import type { Addon, LoadedNative, NativePool, NativeResult } from "./load.js";

/** Results taken before the event loop gets its turn: each costs a few microseconds. */
const BATCH = 32;

type Settle = (result: NativeResult) => void;

const bindings = new Map<Addon, Binding>();

/** The one binding of an addon in this environment. */
export function bindingOf(native: LoadedNative): Binding {
  let binding = bindings.get(native.addon);
  if (binding === undefined) {
    binding = new Binding(native.addon);
    bindings.set(native.addon, binding);
  }
  return binding;
}

export class Binding {
  readonly #addon: Addon;
  readonly #pending = new Map<number, Settle>();
  #nextId = 1;
  #draining = false;

  constructor(addon: Addon) {
    this.#addon = addon;
    addon.onResults(() => {
      if (!this.#draining) this.#drain();
    });
  }

  /** Queues a job. Returns what forgets it: `settle` is not called any more after that. */
  submit(pool: NativePool, ptx: string | Uint8Array, timeoutMs: number, settle: Settle): () => void {
    const id = this.#nextId++;
    this.#addon.submit(pool, id, ptx, timeoutMs);
    this.#pending.set(id, settle);
    return () => {
      if (this.#pending.delete(id)) this.#addon.cancel(pool, id);
    };
  }

  #drain(): void {
    const results = this.#addon.drain(BATCH);
    this.#draining = results.length === BATCH;
    if (this.#draining) setImmediate(() => this.#drain());
    for (const result of results) {
      const id = result[0];
      const settle = this.#pending.get(id);
      this.#pending.delete(id);
      settle?.(result);
    }
  }
}
