// Products of matrices in WebAssembly, which several models import.
import { instantiate } from "./backend.js";
import type * as dense from "./dense.js";
import { DENSE } from "./modules.js";

/** The functions of dense.ts, on the memory of a model. */
export const denseFunctions = (memory: object): typeof dense => instantiate(DENSE, memory) as typeof dense;
