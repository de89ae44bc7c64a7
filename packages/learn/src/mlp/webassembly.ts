// The operations of a multilayer perceptron in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { MLP } from "../model/modules.js";
import { denseFunctions } from "../model/products.js";
import type { MlpKernels } from "./layout.js";

/** Kernels that use the memory of an arena. */
export function webAssemblyMlp(arena: Arena): MlpKernels {
  const memory = arena.memory!;
  const dense = denseFunctions(memory);
  return { ...dense, ...(instantiate(MLP, memory) as Omit<MlpKernels, keyof typeof dense>) };
}
