// Products of matrices in WebAssembly, which several models import.
import { MODULE } from "../wasm/dense.js";
import { instantiate } from "./backend.js";
import type * as dense from "./dense.js";

/** The functions of dense.ts, on the memory of a model. */
export const denseFunctions = (memory: object): typeof dense => instantiate(MODULE, memory) as typeof dense;
