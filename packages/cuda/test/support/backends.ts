// Which backends this machine has. Tests are skipped for a backend that is not there, and for nothing else.

import { type BackendName, capabilities } from "../../src/index.js";

export const BACKENDS: readonly BackendName[] = capabilities()
  .backends.filter(({ available }) => available)
  .map(({ name }) => name);

export const ISOLATED = BACKENDS.includes("isolated");
export const IN_PROCESS = BACKENDS.includes("in-process");
export const PTXAS = BACKENDS.includes("ptxas");
