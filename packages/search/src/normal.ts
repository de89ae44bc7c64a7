// Normally distributed numbers from the random numbers of a candidate, the same on all machines.
import { exp2, log2 } from "@mm-ptx/types/internal/floats";
import type { Draws } from "./draws.js";

const LAYERS = 256;
/** Where the tail begins, and the area of each layer and of the tail with the rectangle below it. */
const TAIL = 3.6541528853610088;
const AREA = 0.00492867323399;
/** Words without the bits of the layer are integers from -2^23 to 2^23 - 1; half a unit more makes them symmetrical. */
const LAYER_BITS = 8;
const UNIT = 1 / 8388608;
const HALF_LOG2_E = 0.5 / Math.LN2;
const TINY = 1 / 4294967296;

/** The widths of the layers from the widest on, and the density at the end of each, without its factor. */
const WIDTHS = new Float64Array(LAYERS + 1);
const HEIGHTS = new Float64Array(LAYERS + 1);
WIDTHS[0] = AREA / density(TAIL);
WIDTHS[1] = TAIL;
for (let layer = 2; layer < LAYERS; layer++) {
  const before = WIDTHS[layer - 1]!;
  WIDTHS[layer] = Math.sqrt(-2 * logarithm(AREA / before + density(before)));
}
for (let layer = 0; layer <= LAYERS; layer++) HEIGHTS[layer] = density(WIDTHS[layer]!);

/**
 * The next number of the standard normal distribution, by the ziggurat method (Marsaglia and Tsang, "The ziggurat method for generating
 * random variables", 2000), with separate bits for the layer and the place in it (Doornik, 2005). Most numbers take one word of `draws`.
 */
export function normal(draws: Draws): number {
  const word = draws.word() | 0;
  const layer = word & (LAYERS - 1);
  const value = ((word >> LAYER_BITS) + 0.5) * UNIT * WIDTHS[layer]!;
  return Math.abs(value) < WIDTHS[layer + 1]! ? value : atEdge(draws, layer, value);
}

/** The number for a value that may be outside of the curve: one of a hundred. */
function atEdge(draws: Draws, layer: number, value: number): number {
  if (layer === 0) return tail(draws, value < 0);
  const [outer, inner] = [HEIGHTS[layer]!, HEIGHTS[layer + 1]!];
  return outer + draws.fraction() * (inner - outer) < density(value) ? value : normal(draws);
}

/** A number beyond `TAIL` (Marsaglia, 1964). */
function tail(draws: Draws, isNegative: boolean): number {
  for (;;) {
    const x = -logarithm(draws.fraction() + TINY) / TAIL;
    const y = -logarithm(draws.fraction() + TINY);
    if (2 * y > x * x) return isNegative ? -TAIL - x : TAIL + x;
  }
}

function density(x: number): number {
  return exp2(-x * x * HALF_LOG2_E);
}

function logarithm(x: number): number {
  return log2(x) * Math.LN2;
}
