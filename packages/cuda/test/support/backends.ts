// The backends of this machine. Tests are skipped for a backend that is missing, and for no other reason.

import { type BackendName, capabilities } from "../../src/index.js";

export const BACKENDS: readonly BackendName[] = capabilities()
  .backends.filter(({ available }) => available)
  .map(({ name }) => name);

export const ISOLATED = BACKENDS.includes("isolated");
export const IN_PROCESS = BACKENDS.includes("in-process");
export const PTXAS = BACKENDS.includes("ptxas");
