// The caller's handle of a worker thread, in Node and in browsers, for all packages. It has one request in flight at a time; a worker that
// exits unasked is an error.
import { describeError } from "./describe.js";
import type { NodeWorker, WorkerLike } from "./threads.js";

/** The additional methods of browser workers. */
interface PageWorker extends WorkerLike {
  addEventListener(event: string, listener: (event: never) => void): void;
}

/** A worker's message about an error after which it cannot continue. */
export interface BrokenMessage {
  readonly kind: "broken";
  readonly problem: string;
}

/** A message has a kind. */
interface Message {
  readonly kind: string;
}

/** The request in flight. */
interface Waiting<Answer> {
  readonly resolve: (message: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** How a package starts workers, and its errors for lost ones. */
export interface WorkerRules {
  readonly create: () => WorkerLike;
  /** The error for a lost worker, whose message says what was found instead. */
  readonly lost: (found: string, cause: unknown) => Error;
  /** A hint for a worker that has never answered; empty if there is none. */
  readonly cure: string;
}

/** A worker and its request in flight. */
export class WorkerHandle<Request extends Message, Answer extends Message> {
  readonly #worker: WorkerLike;
  readonly #rules: WorkerRules;
  #waiting: Waiting<Answer> | undefined;
  /** Why the worker is no longer usable. */
  #lost: Error | undefined;
  #hasAnswered = false;

  /** @throws what `lost` returns, if the worker cannot be started */
  constructor(rules: WorkerRules) {
    this.#rules = rules;
    try {
      this.#worker = rules.create();
    } catch (cause) {
      throw this.#error(describeError(cause), cause);
    }
    const answered = (message: Answer | BrokenMessage) => {
      this.#hasAnswered = true;
      if (message.kind === "broken") this.#lose(this.#error((message as BrokenMessage).problem, undefined));
      else this.#waiting?.resolve(message as Answer);
      this.#waiting = undefined;
    };
    const failed = (error: unknown) => this.#lose(this.#error(describeError(error), error));
    const ended = (found: string) => this.#lose(this.#error(found, undefined));
    if (isNode(this.#worker)) {
      this.#worker.on("message", answered);
      this.#worker.on("error", failed);
      this.#worker.on("messageerror", failed);
      this.#worker.on("exit", (code) => ended(`one that exited with code ${code}`));
    } else {
      const worker = this.#worker as PageWorker;
      worker.addEventListener("message", ({ data }: MessageEvent<Answer | BrokenMessage>) => answered(data));
      worker.addEventListener("error", ({ message }: ErrorEvent) =>
        ended(message || "one whose module cannot be loaded"),
      );
      worker.addEventListener("messageerror", () => ended("a message that cannot be read"));
    }
  }

  post(message: Request): void {
    this.#worker.postMessage(message);
  }

  /** Sends a request and waits for its answer. @throws what `lost` returns */
  async request<Kind extends Answer["kind"]>(
    message: Request,
    _kind: Kind,
  ): Promise<Extract<Answer, { readonly kind: Kind }>> {
    if (this.#lost !== undefined) throw this.#lost;
    // The worker only keeps the process alive while a request is in flight.
    const node = isNode(this.#worker) ? this.#worker : undefined;
    node?.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve: resolve as Waiting<Answer>["resolve"], reject };
        this.post(message);
      });
    } finally {
      node?.unref();
    }
  }

  /** Terminates the worker. */
  terminate(): void {
    this.#lose(this.#rules.lost("one that was terminated", undefined));
    this.#worker.terminate();
  }

  #error(found: string, cause: unknown): Error {
    return this.#rules.lost(this.#hasAnswered ? found : `${found}${this.#rules.cure}`, cause);
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    this.#waiting?.reject(this.#lost);
    this.#waiting = undefined;
  }
}

const isNode = (worker: WorkerLike): worker is NodeWorker => "unref" in worker;

/** Waits for all promises, even if one rejects, and then throws the first error. */
export async function settleAll<Result>(
  promises: readonly Promise<Result>[],
  whenOneFails: () => void = () => {},
): Promise<readonly Result[]> {
  for (const promise of promises) promise.catch(whenOneFails);
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}
