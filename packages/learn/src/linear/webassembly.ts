// A linear model on random features in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { LINEAR } from "../model/modules.js";
import { denseFunctions } from "../model/products.js";
import type { LinearKernels, LinearPlaces, LinearShape } from "./layout.js";

/** Kernels that use the memory of an arena. */
export function webAssemblyLinear(
  { memory }: Arena,
  places: LinearPlaces,
  { columns, features }: LinearShape,
  statistics: number,
): LinearKernels {
  const sizes = [columns, features, statistics];
  return instantiate(LINEAR, memory!, denseFunctions(memory!), sizes, places) as LinearKernels;
}
