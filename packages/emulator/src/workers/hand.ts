// One worker as its caller sees it, in Node and in a page alike: one message is answered at a time, and a worker that ends
// before it was told to is an error.
import { describeError } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { BrokenMessage, FromWorker, ToWorker } from "./messages.js";

/** A `Worker` of a page, or one of Node's `node:worker_threads`. */
export interface WorkerLike {
  /** Sends it a message, as a structured clone. */
  postMessage(message: unknown): void;
  /** Ends it, in the middle of whatever it does. */
  terminate(): unknown;
}

/** What only Node's workers have. */
interface NodeWorker extends WorkerLike {
  on(event: string, listener: (value: never) => void): unknown;
  ref(): void;
  unref(): void;
}

/** What only those of a page have. */
interface PageWorker extends WorkerLike {
  addEventListener(event: string, listener: (event: never) => void): void;
}

interface Threads {
  readonly Worker: new (url: URL, options: { readonly execArgv: readonly string[] }) => NodeWorker;
}

/** Starts a worker of this package, from the file beside this one. */
export function startWorker(): WorkerLike {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => Threads | undefined };
  };
  const threads = process?.getBuiltinModule?.("node:worker_threads");
  // Bundlers know this form.
  if (threads === undefined) return new Worker(new URL("./main.js", import.meta.url), { type: "module" });
  return new threads.Worker(new URL("./main.js", import.meta.url), { execArgv: [] });
}

/** What the caller waits for. */
interface Waiting {
  readonly resolve: (message: FromWorker) => void;
  readonly reject: (error: Error) => void;
}

type Answer<Kind extends FromWorker["kind"]> = Extract<FromWorker, { readonly kind: Kind }>;

export class Hand {
  readonly #worker: WorkerLike;
  #waiting: Waiting | undefined;
  /** Why it does nothing any more. */
  #lost: EmulatorError | undefined;

  /** @throws EmulatorError WORKER_LOST when it can't be started */
  constructor(create: () => WorkerLike) {
    try {
      this.#worker = create();
    } catch (cause) {
      throw lost(describeError(cause), cause);
    }
    const answered = (message: FromWorker) => {
      if (message.kind === "broken") this.#lose(lost(message.problem, undefined));
      else this.#waiting?.resolve(message);
      this.#waiting = undefined;
    };
    const failed = (error: unknown) => this.#lose(lost(describeError(error), error));
    if (isNode(this.#worker)) {
      this.#worker.on("message", answered);
      this.#worker.on("error", failed);
      this.#worker.on("messageerror", failed);
      this.#worker.on("exit", (code) => this.#lose(lost(`its end with exit code ${code}`, undefined)));
    } else {
      const worker = this.#worker as PageWorker;
      const ended = (found: string) => this.#lose(lost(found, undefined));
      worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => answered(data));
      worker.addEventListener("error", ({ message }: ErrorEvent) =>
        ended(message || "one whose module can't be loaded"),
      );
      worker.addEventListener("messageerror", () => ended("a message that can't be read"));
    }
  }

  tell(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Tells it something and waits for the answer. @throws EmulatorError WORKER_LOST */
  async ask<Kind extends Exclude<FromWorker, BrokenMessage>["kind"]>(
    message: ToWorker,
    _kind: Kind,
  ): Promise<Answer<Kind>> {
    if (this.#lost !== undefined) throw this.#lost;
    // It keeps the process alive only while somebody waits for it.
    const node = isNode(this.#worker) ? this.#worker : undefined;
    node?.ref();
    try {
      return await new Promise<Answer<Kind>>((resolve, reject) => {
        this.#waiting = { resolve: resolve as Waiting["resolve"], reject };
        this.tell(message);
      });
    } finally {
      node?.unref();
    }
  }

  /** Ends it. */
  end(): void {
    this.#lose(lost("one that was ended", undefined));
    this.#worker.terminate();
  }

  #lose(error: EmulatorError): void {
    this.#lost ??= error;
    this.#waiting?.reject(this.#lost);
    this.#waiting = undefined;
  }
}

const isNode = (worker: WorkerLike): worker is NodeWorker => "unref" in worker;

function lost(found: string, cause: unknown): EmulatorError {
  return new EmulatorError("WORKER_LOST", `expected a worker that runs blocks, found ${found}`, { cause });
}
