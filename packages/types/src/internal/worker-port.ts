// The worker's side of messages, in Node and in browsers, for all packages.
import { describeError } from "./describe.js";
import { nodeThreads } from "./threads.js";
import type { BrokenMessage } from "./worker-handle.js";

/** The caller, as a worker sees it. */
interface Port<Request, Answer> {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: Answer | BrokenMessage): void;
}

/**
 * Answers the caller's messages until the worker is terminated, if this is a worker. Messages are answered in order, even while an answer
 * takes time; messages without an answer get none.
 */
export function serveCaller<Request, Answer>(
  answer: (message: Request) => Answer | undefined | Promise<Answer | undefined>,
): void {
  const port = nodeThreads<{ readonly parentPort: Port<Request, Answer> | null }>()?.parentPort;
  const page =
    "WorkerGlobalScope" in globalThis ? (globalThis as unknown as Port<Request, Answer>) : undefined;
  const caller = port ?? page;
  if (caller === undefined) return;
  let last: Promise<void> = Promise.resolve();
  caller.onmessage = ({ data }) => {
    last = last
      .then(() => answer(data))
      .catch((error): BrokenMessage => ({ kind: "broken", problem: describeError(error) }))
      .then((reply) => {
        if (reply !== undefined) caller.postMessage(reply);
      });
  };
}
