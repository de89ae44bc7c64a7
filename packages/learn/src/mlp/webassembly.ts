// The operations of a multilayer perceptron in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { MODULE } from "../wasm/mlp.js";
import type { MlpKernels } from "./layout.js";

/** Kernels that use the memory of an arena. */
export const webAssemblyMlp = (arena: Arena): MlpKernels =>
  instantiate(MODULE, arena.memory!) as unknown as MlpKernels;
