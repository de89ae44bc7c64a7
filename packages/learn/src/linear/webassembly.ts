// A linear model on random features in WebAssembly.
import { type Arena, placesOf } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { LINEAR } from "../model/modules.js";
import { denseFunctions } from "../model/products.js";
import type { LinearKernels, LinearPlaces, LinearShape } from "./layout.js";

interface LinearExports extends LinearKernels {
  place(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyLinear(
  arena: Arena,
  places: LinearPlaces,
  { columns, features }: LinearShape,
  statistics: number,
): LinearKernels {
  const memory = arena.memory!;
  const kernels = instantiate(LINEAR, memory, denseFunctions(memory)) as LinearExports;
  kernels.place(columns, features, statistics, ...placesOf(places));
  return kernels;
}
