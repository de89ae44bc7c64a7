// Devices whose blocks run on two CPU threads. Tests run the sources, workers the built files, as one file.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ROOT } from "../../../../scripts/lib/workspace.mjs";
import { oneFile } from "../../../../tests/support/one-file.js";
import { pageWorker as pageWorkerOf } from "../../../../tests/support/page-worker.js";
import type { EmulatedDeviceOptions } from "../../src/index.js";

const FILE = "packages/emulator/dist/workers/mm-ptx-emulator-worker.js";
const MODULE = pathToFileURL(await oneFile(FILE));

/** A worker of this package as in a page, which loads the built files: the one file needs Node. */
export const pageWorker = () => pageWorkerOf(pathToFileURL(join(ROOT, FILE)));

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
