// Threads for tests: tests run the sources, workers the built files.

import { Worker } from "node:worker_threads";
import { pageWorker as pageWorkerOf } from "../../../../tests/support/page-worker.js";
import { ColumnWorkers } from "../../src/index.js";

export const WORKER_MODULE = new URL("../../dist/workers/mm-ptx-columns-worker.js", import.meta.url);

interface StartedWorkers {
  readonly workers: ColumnWorkers;
  readonly started: readonly Worker[];
}

/** Workers, and their threads once they have started. */
export function startedWorkers(count: number, callerHelps: boolean): StartedWorkers {
  const started: Worker[] = [];
  const createWorker = () => {
    const worker = new Worker(WORKER_MODULE);
    started.push(worker);
    return worker;
  };
  return { workers: new ColumnWorkers({ count, callerHelps, createWorker }), started };
}

export const twoWorkers = (): StartedWorkers => startedWorkers(2, false);

/** A worker of this package as in a page. */
export const pageWorker = () => pageWorkerOf(WORKER_MODULE);
