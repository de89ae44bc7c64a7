// The gallery.
import type { PlaygroundState } from "../state.js";
import type { Example } from "./example.js";
import { gelu } from "./gelu.js";
import { hash } from "./hash.js";
import { mandelbrot } from "./mandelbrot.js";
import { median } from "./median.js";
import { philox } from "./philox.js";
import { product } from "./product.js";
import { reduction } from "./reduction.js";
import { semiring } from "./semiring.js";

export type { Example, Variant } from "./example.js";

/** In the order of the gallery; a page without a link begins with the first. */
export const EXAMPLES: readonly Example[] = [
  gelu,
  mandelbrot,
  philox,
  product,
  reduction,
  hash,
  median,
  semiring,
];

/** Finds an example by its name; the empty name is that of the first. */
export function exampleOf(name: string): Example | undefined {
  return name === "" ? EXAMPLES[0] : EXAMPLES.find((example) => example.name === name);
}

/** The state that an example begins with. */
export const exampleState = (name: string): PlaygroundState | undefined => exampleOf(name)?.state;
