// A linear model on random features in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { denseFunctions } from "../model/products.js";
import { MODULE } from "../wasm/linear.js";
import type { LinearKernels, LinearPlaces, LinearShape } from "./layout.js";

interface LinearExports extends LinearKernels {
  shape(columns: number, features: number, height: number): void;
  place(...places: number[]): void;
  placeBatch(...places: number[]): void;
  placeBlock(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyLinear(arena: Arena, places: LinearPlaces, shape: LinearShape): LinearKernels {
  const memory = arena.memory!;
  const kernels = instantiate(MODULE, memory, denseFunctions(memory)) as unknown as LinearExports;
  kernels.shape(shape.columns, shape.features, places.height);
  const { projection, offsets, factor, input, vector, weights } = places;
  kernels.place(projection, offsets, factor, input, vector, weights);
  kernels.placeBatch(places.batch, places.labels, places.batchFeatures, places.products);
  kernels.placeBlock(places.block, places.blockFeatures, places.means, places.spreads);
  return kernels;
}
