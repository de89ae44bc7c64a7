// Worker threads of Node and of browsers, as far as packages use them.

/** A browser's `Worker` or one of Node's `node:worker_threads`. */
export interface WorkerLike {
  /** Sends a message as a structured clone. */
  postMessage(message: unknown): void;
  /** Stops the worker immediately. */
  terminate(): unknown;
}

/** The additional methods of Node's workers. */
export interface NodeWorker extends WorkerLike {
  on(event: string, listener: (value: never) => void): unknown;
  ref(): void;
  unref(): void;
}

/** The part of `node:worker_threads` that starts workers. */
export interface NodeThreads {
  readonly Worker: new (url: URL, options: { readonly execArgv: readonly string[] }) => NodeWorker;
}

/** `node:worker_threads`, if there is such a module. */
export function nodeThreads<Module = NodeThreads>(): Module | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => Module | undefined };
  };
  return process?.getBuiltinModule?.("node:worker_threads");
}
