// Workers as pages have them, made of worker threads of Node.
import { Worker } from "node:worker_threads";

/** Gives a worker in Node the globals of a worker in a page. */
const pageOf = (module: URL): string => `
  const { parentPort } = require("node:worker_threads");
  globalThis.WorkerGlobalScope = class {};
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  process.getBuiltinModule = undefined;
  import(${JSON.stringify(module.href)}).then(() => {
    parentPort.on("message", (data) => globalThis.onmessage({ data }));
  });`;

/** A worker as in a page: it has event listeners and nothing of Node. */
export function pageWorker(module: URL) {
  const worker = new Worker(pageOf(module), { eval: true });
  return {
    postMessage: (message: unknown) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
    addEventListener: (type: string, listener: (event: unknown) => void) => {
      worker.on(type, (value) => listener(type === "message" ? { data: value } : value));
    },
  };
}
