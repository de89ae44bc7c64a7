// The caller's handle of a worker, in Node and in browsers. It has one request in flight at a time; a worker that exits
// unasked is an error.
import { describeError } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import type { BrokenMessage, FromWorker, ToWorker } from "./messages.js";

/** A browser's `Worker` or one of Node's `node:worker_threads`. */
export interface WorkerLike {
  /** Sends a message as a structured clone. */
  postMessage(message: unknown): void;
  /** Stops the worker immediately. */
  terminate(): unknown;
}

/** The additional methods of Node's workers. */
interface NodeWorker extends WorkerLike {
  on(event: string, listener: (value: never) => void): unknown;
  ref(): void;
  unref(): void;
}

/** The additional methods of browser workers. */
interface PageWorker extends WorkerLike {
  addEventListener(event: string, listener: (event: never) => void): void;
}

interface Threads {
  readonly Worker: new (url: URL, options: { readonly execArgv: readonly string[] }) => NodeWorker;
}

/**
 * Starts a worker of this package from the file next to this one. The file has a name of its own, because a bundler that
 * does not recognize workers leaves the URL alone: then no other file beside the bundle may take its place.
 */
export function startWorker(): WorkerLike {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => Threads | undefined };
  };
  const threads = process?.getBuiltinModule?.("node:worker_threads");
  // Bundlers recognize this form.
  if (threads === undefined)
    return new Worker(new URL("./mm-ptx-emulator-worker.js", import.meta.url), { type: "module" });
  return new threads.Worker(new URL("./mm-ptx-emulator-worker.js", import.meta.url), { execArgv: [] });
}

/** The request in flight. */
interface Waiting {
  readonly resolve: (message: FromWorker) => void;
  readonly reject: (error: Error) => void;
}

type Answer<Kind extends FromWorker["kind"]> = Extract<FromWorker, { readonly kind: Kind }>;

/** A worker and its request in flight. */
export class WorkerHandle {
  readonly #worker: WorkerLike;
  #waiting: Waiting | undefined;
  /** Why the worker is no longer usable. */
  #lost: EmulatorError | undefined;
  /** What to do about a worker that has never answered; empty for others. */
  #cure: string;

  /** @throws EmulatorError WORKER_LOST if the worker cannot be started */
  constructor(create: () => WorkerLike) {
    this.#cure = create === startWorker ? CURE : "";
    try {
      this.#worker = create();
    } catch (cause) {
      throw lost(`${describeError(cause)}${this.#cure}`, cause);
    }
    const answered = (message: FromWorker) => {
      this.#cure = "";
      if (message.kind === "broken") this.#lose(lost(message.problem, undefined));
      else this.#waiting?.resolve(message);
      this.#waiting = undefined;
    };
    const failed = (error: unknown) => this.#lose(lost(`${describeError(error)}${this.#cure}`, error));
    if (isNode(this.#worker)) {
      this.#worker.on("message", answered);
      this.#worker.on("error", failed);
      this.#worker.on("messageerror", failed);
      this.#worker.on("exit", (code) =>
        this.#lose(lost(`one that exited with code ${code}${this.#cure}`, undefined)),
      );
    } else {
      const worker = this.#worker as PageWorker;
      const ended = (found: string) => this.#lose(lost(`${found}${this.#cure}`, undefined));
      worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => answered(data));
      worker.addEventListener("error", ({ message }: ErrorEvent) =>
        ended(message || "one whose module cannot be loaded"),
      );
      worker.addEventListener("messageerror", () => ended("a message that cannot be read"));
    }
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Sends a request and waits for its answer. @throws EmulatorError WORKER_LOST */
  async request<Kind extends Exclude<FromWorker, BrokenMessage>["kind"]>(
    message: ToWorker,
    _kind: Kind,
  ): Promise<Answer<Kind>> {
    if (this.#lost !== undefined) throw this.#lost;
    // The worker only keeps the process alive while a request is in flight.
    const node = isNode(this.#worker) ? this.#worker : undefined;
    node?.ref();
    try {
      return await new Promise<Answer<Kind>>((resolve, reject) => {
        this.#waiting = { resolve: resolve as Waiting["resolve"], reject };
        this.post(message);
      });
    } finally {
      node?.unref();
    }
  }

  /** Terminates the worker. */
  terminate(): void {
    this.#lose(lost("one that was terminated", undefined));
    this.#worker.terminate();
  }

  #lose(error: EmulatorError): void {
    this.#lost ??= error;
    this.#waiting?.reject(this.#lost);
    this.#waiting = undefined;
  }
}

const isNode = (worker: WorkerLike): worker is NodeWorker => "unref" in worker;

const CURE =
  "; in a bundle, pass `createWorker`, which starts a worker with a bundle of `@mm-ptx/emulator/worker`";

function lost(found: string, cause: unknown): EmulatorError {
  return new EmulatorError("WORKER_LOST", `expected a worker that runs blocks, found ${found}`, { cause });
}
