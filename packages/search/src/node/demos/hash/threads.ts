// Threads that count flipped bits. With one worker, this thread does it itself, a part at a time.
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { settleAll, WorkerHandle } from "@mm-ptx/types/internal/workers";
import { SearchError } from "../../../error.js";
import { counting } from "./answer.js";
import { BIT_PAIRS, BLOCKS } from "./avalanche.js";
import type { HashFunction } from "./hash-function.js";
import type { AnswerMessage, RequestMessage } from "./messages.js";
import type { Estimate, Rivals } from "./race.js";

/** What a thread counts at a time: about a tenth of a second. */
const PART = 2 ** 11;

type Answering = (message: RequestMessage) => Promise<AnswerMessage>;

export class CountingThreads {
  readonly #handles: WorkerHandle<RequestMessage, AnswerMessage>[] = [];
  readonly #answering: readonly Answering[];

  /** @param module the entry module of threads */
  constructor(workers: number, module = new URL("./mm-ptx-hash-worker.js", import.meta.url)) {
    if (workers === 1) {
      const answer = counting();
      this.#answering = [
        async (message) => {
          // Other events get their turn between two parts.
          await setImmediate();
          return answer(message);
        },
      ];
      return;
    }
    const create = (): Worker => new Worker(module, { execArgv: [] });
    for (let index = 0; index < workers; index++)
      this.#handles.push(new WorkerHandle({ create, lost, cure: "" }));
    this.#answering = this.#handles.map(
      (handle) => (message) => handle.request(message, message.kind === "race" ? "raced" : "counted"),
    );
  }

  /** Estimates functions, each against its own rivals. */
  async race(hashes: readonly HashFunction[], rivals: readonly Rivals[]): Promise<(Estimate | undefined)[]> {
    const found: (Estimate | undefined)[] = [];
    await this.#each(hashes.length, async (answer, index) => {
      const reply = await answer({ kind: "race", hash: hashes[index]!, rivals: rivals[index]! });
      if (reply.kind === "raced") found[index] = reply.estimate;
    });
    return found;
  }

  /**
   * Counts all pairs of inputs that differ in one bit.
   * @param progress receives the part that is done, up to 1
   * @throws the reason of the signal
   */
  async countAll(
    hash: HashFunction,
    { progress, signal }: { progress?: (done: number) => void; signal?: AbortSignal | undefined } = {},
  ): Promise<Uint32Array> {
    const counts = new Uint32Array(BIT_PAIRS);
    let done = 0;
    await this.#each(BLOCKS / PART, async (answer, index) => {
      signal?.throwIfAborted();
      const from = index * PART;
      const reply = await answer({ kind: "count", hash, from, to: from + PART });
      if (reply.kind === "counted")
        for (const [at, count] of reply.counts.entries()) counts[at] = counts[at]! + count;
      done += PART;
      progress?.(done / BLOCKS);
    });
    return counts;
  }

  /** Ends the threads. */
  end(): void {
    for (const handle of this.#handles) handle.terminate();
  }

  /** Runs tasks 0 up to `count`, one on each thread at a time. */
  async #each(count: number, run: (answer: Answering, index: number) => Promise<void>): Promise<void> {
    let next = 0;
    await settleAll(
      this.#answering.map(async (answer) => {
        while (next < count) await run(answer, next++);
      }),
    );
  }
}

const lost = (found: string, cause: unknown): SearchError =>
  new SearchError("EVALUATOR_FAILED", `expected a thread that counts flipped bits, found ${found}`, {
    cause,
  });
