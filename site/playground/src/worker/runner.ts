// Runs kernels in a worker, one at a time. A newer launch replaces one that waits, and ends one that takes long.
import { WORK_MS } from "../model/limits.js";
import type { RunOutcome, RunRequest } from "../model/run.js";

/** How long a launch may go on once a newer one waits. */
const PATIENCE = 600;

interface Job {
  readonly request: RunRequest;
  readonly settle: (outcome: RunOutcome | undefined) => void;
}

export class Runner {
  #worker: Worker | undefined;
  #current: Job | undefined;
  #began = 0;
  #waiting: Job | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Loads the emulator before the first launch. */
  start(): void {
    this.#worker ??= this.#create();
  }

  /** The outcome of a launch; `undefined` if a newer one replaced it. */
  run(request: RunRequest): Promise<RunOutcome | undefined> {
    return new Promise((settle) => {
      this.#waiting?.settle(undefined);
      this.#waiting = { request, settle };
      if (this.#current === undefined) this.#next();
      else this.#limit(Math.max(0, this.#began + PATIENCE - performance.now()), undefined);
    });
  }

  /** Ends the launch that is running. */
  stop(): void {
    this.#replace({ ok: false, code: "STOPPED", problems: [{ message: "You stopped the kernel" }] });
  }

  #next(): void {
    const job = this.#waiting;
    this.#waiting = undefined;
    this.#current = job;
    if (job === undefined) return;
    this.start();
    this.#began = performance.now();
    this.#worker?.postMessage(job.request);
    // The emulator itself limits how long the kernel runs.
    this.#limit(WORK_MS, {
      ok: false,
      code: "STOPPED",
      problems: [
        {
          message: `The kernel was not read, translated and run within ${WORK_MS / 1000} seconds, and was stopped`,
        },
      ],
    });
  }

  #limit(milliseconds: number, outcome: RunOutcome | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#replace(outcome), milliseconds);
  }

  /** Ends the worker with its launch, and goes on with what waits. */
  #replace(outcome: RunOutcome | undefined): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#end(outcome);
  }

  #end(outcome: RunOutcome | undefined): void {
    clearTimeout(this.#timer);
    this.#current?.settle(outcome);
    this.#current = undefined;
    this.#next();
  }

  #create(): Worker {
    const { content = "" } = document.querySelector<HTMLMetaElement>('meta[name="run-worker"]') ?? {};
    const worker = new Worker(new URL(content, document.baseURI), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<RunOutcome>) => this.#end(data));
    worker.addEventListener("error", ({ message }) => {
      this.#replace({
        ok: false,
        code: "WORKER",
        problems: [{ message: `The emulator could not be loaded${message ? `: ${message}` : ""}` }],
      });
    });
    return worker;
  }
}
