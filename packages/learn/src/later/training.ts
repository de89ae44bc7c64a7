// Trains in another thread, and hands the result over when it is asked for. Where there is no other thread, or it fails, the caller trains
// when it asks: the result has the same bits.
import { nodeThreads } from "@mm-ptx/types/internal";

/** Rows in the order of their ages, what is trained on them, and where the result is written. */
export interface TrainingTask<Options = unknown> {
  readonly columns: number;
  readonly values: Float32Array;
  readonly labels: Float32Array;
  readonly options: Options;
  /** The bytes of the model. */
  readonly result: Uint8Array;
  /** A state, and the number of bytes of the result. */
  readonly control: Int32Array;
}

/** Where the state and the number of bytes are, and the states: 0 is a task that has not been begun. */
export const STATE = 0;
export const LENGTH = 1;
export const BEGUN = 1;
export const DONE = 2;
export const FAILED = 3;

/** Milliseconds for which a task is waited for: until it is begun, and then until it is done. */
const BEGIN = 5000;
const END = 60_000;

/** A worker of Node. */
interface TrainingWorker {
  postMessage(message: TrainingTask): void;
  terminate(): unknown;
  on(event: "error" | "exit", listener: () => void): unknown;
  unref(): void;
}
interface Threads {
  readonly Worker: new (url: URL, options: { readonly execArgv: readonly string[] }) => TrainingWorker;
}

/** One thread trains for all models, unless it once could not be started. */
let shared: TrainingWorker | undefined;
let hasFailed = false;
/** The tasks that it has not finished, as far as anyone wants their results. */
const running = new Set<TrainingTask>();

function workerOf(threads: Threads): TrainingWorker {
  if (shared !== undefined) return shared;
  const worker = new threads.Worker(new URL("./mm-ptx-learn-worker.js", import.meta.url), { execArgv: [] });
  const lose = (): void => {
    if (shared === worker) shared = undefined;
  };
  worker.on("error", () => {
    hasFailed = true;
    lose();
  });
  worker.on("exit", lose);
  worker.unref();
  shared = worker;
  return worker;
}

export class LaterTraining<Options> {
  readonly #task: TrainingTask<Options>;
  readonly #worker: TrainingWorker | undefined = undefined;

  /** @param resultBytes the most bytes of the model */
  constructor(columns: number, count: number, resultBytes: number, options: Options) {
    let memoryOf = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined") {
      const threads = hasFailed ? undefined : nodeThreads<Threads>();
      if (threads !== undefined) {
        this.#worker = workerOf(threads);
        memoryOf = (bytes) => new SharedArrayBuffer(bytes) as unknown as ArrayBuffer;
      }
    }
    const values = new Float32Array(memoryOf(4 * columns * count));
    const labels = new Float32Array(memoryOf(4 * count));
    const result = new Uint8Array(memoryOf(resultBytes));
    const control = new Int32Array(memoryOf(8));
    this.#task = { columns, values, labels, options, result, control };
  }

  /** What is written before `start`. */
  get values(): Float32Array {
    return this.#task.values;
  }

  get labels(): Float32Array {
    return this.#task.labels;
  }

  start(): void {
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#worker !== undefined) {
      running.add(this.#task);
      this.#worker.postMessage(this.#task);
    }
  }

  /** The bytes of the model: of the other thread, or else what `train` returns. */
  take(train: (task: TrainingTask<Options>) => Uint8Array): Uint8Array {
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined") {
      running.delete(this.#task);
      const { control, result } = this.#task;
      if (this.#worker !== undefined && this.#worker === shared) {
        hasFailed = Atomics.wait(control, STATE, 0, BEGIN) === "timed-out";
        if (!hasFailed) Atomics.wait(control, STATE, BEGUN, END);
      }
      if (Atomics.load(control, STATE) === DONE) return new Uint8Array(result.slice(0, control[LENGTH]!));
    }
    return train(this.#task);
  }

  /** Ends the thread if no other model waits for it. The result is not taken then. */
  cancel(): void {
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined") {
      const { control } = this.#task;
      const isRunning = running.delete(this.#task) && Atomics.load(control, STATE) < DONE;
      if (!isRunning || running.size > 0 || this.#worker !== shared) return;
      shared = undefined;
      void this.#worker?.terminate();
    }
  }
}
