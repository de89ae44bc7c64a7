// Devices whose blocks run on two CPU threads. Tests run the sources, workers the built files.
import { Worker } from "node:worker_threads";
import type { EmulatedDeviceOptions } from "../../src/index.js";

const MODULE = new URL("../../dist/workers/mm-ptx-emulator-worker.js", import.meta.url);

/** Gives a worker in Node the globals of a worker in a page. */
const PAGE = `
  const { parentPort } = require("node:worker_threads");
  globalThis.WorkerGlobalScope = class {};
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  process.getBuiltinModule = undefined;
  import(${JSON.stringify(MODULE.href)}).then(() => {
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

/** Options of a device with two workers, and the workers that it has started. */
export function twoWorkers(): {
  readonly options: EmulatedDeviceOptions;
  readonly started: readonly Worker[];
} {
  const started: Worker[] = [];
  const createWorker = () => {
    const worker = new Worker(MODULE);
    started.push(worker);
    return worker;
  };
  return { options: { engine: "webassembly", workers: 2, createWorker }, started };
}
