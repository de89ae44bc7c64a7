// For `node --expose-gc --import`: writes every second how many bytes this process keeps, without garbage, into a file of the
// folder MM_PTX_HEAPS that is named after the process.

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(/** @type {string} */ (process.env.MM_PTX_HEAPS), String(process.pid));
setInterval(() => {
  /** @type {any} */ (globalThis).gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${path}.new`, String(heapUsed + external));
  renameSync(`${path}.new`, path);
}, 1000).unref();
