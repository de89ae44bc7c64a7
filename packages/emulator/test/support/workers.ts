// Devices whose blocks run on two threads of the machine. Tests run the sources, workers what was built of them.
import { Worker } from "node:worker_threads";
import type { EmulatedDeviceOptions } from "../../src/index.js";

const MODULE = new URL("../../dist/workers/main.js", import.meta.url);

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
