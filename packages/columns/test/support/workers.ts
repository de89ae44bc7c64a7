// Threads for tests: tests run the sources, workers the built files.
import { Worker } from "node:worker_threads";
import { ColumnWorkers } from "../../src/index.js";

export const WORKER_MODULE = new URL("../../dist/workers/mm-ptx-columns-worker.js", import.meta.url);

/** Two workers, and their threads once they have started. */
export function twoWorkers(): { readonly workers: ColumnWorkers; readonly started: readonly Worker[] } {
  const started: Worker[] = [];
  const createWorker = () => {
    const worker = new Worker(WORKER_MODULE);
    started.push(worker);
    return worker;
  };
  return { workers: new ColumnWorkers({ count: 2, createWorker }), started };
}

/** Gives a worker in Node the globals of a worker in a page. */
const PAGE = `
  const { parentPort } = require("node:worker_threads");
  globalThis.WorkerGlobalScope = class {};
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  process.getBuiltinModule = undefined;
  import(${JSON.stringify(WORKER_MODULE.href)}).then(() => {
    parentPort.on("message", (data) => globalThis.onmessage({ data }));
  });`;

/** A worker as in a page: it has event listeners and nothing of Node. */
export function pageWorker() {
  const worker = new Worker(PAGE, { eval: true });
  return {
    postMessage: (message: unknown) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
    addEventListener: (type: string, listener: (event: unknown) => void) => {
      worker.on(type, (value) => listener(type === "message" ? { data: value } : value));
    },
  };
}
