// The colours of values: dark for bad, bright for good, the same on light and dark pages. Their brightness grows evenly, so that a map
// remains readable without colours.
import { interpolateViridis } from "d3-scale-chromatic";
import { positionScale, type Tick } from "../drawing/scales.js";
import type { Values } from "../shown-value.js";

/** Pictures have this many colours, so that squares of the same one can be drawn together. */
export const COLORS = 64;

/** The ends of the colour map, which are not too close to dark and to white pages. */
const [FIRST, LAST] = [0.06, 0.98];

/** The colour of what has no finite number. */
export const NO_NUMBER = "#8d8d8d";

/** From the worst to the best. */
export const PALETTE: readonly `#${string}`[] = Array.from({ length: COLORS }, (_, i) =>
  hex(interpolateViridis(FIRST + ((LAST - FIRST) * i) / (COLORS - 1))),
);

function hex(color: string): `#${string}` {
  if (color.startsWith("#")) return color as `#${string}`;
  const parts = color.match(/\d+/g)!.slice(0, 3);
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the index in the palette of each value; -1 for what is not a number. */
export function paletteOf(values: Values): (value: number) => number {
  const { scale, isLessBetter, extent } = values;
  const place = positionScale(extent, 0, 1, { kind: scale, ticks: 2 });
  return (value) => {
    if (Number.isNaN(value)) return -1;
    const share = Number.isFinite(value) ? place.at(value) : value > 0 ? 1 : 0;
    const goodness = isLessBetter ? 1 - share : share;
    return Math.max(0, Math.min(COLORS - 1, Math.floor(goodness * COLORS)));
  };
}

/** Whether light text has more contrast than dark text on a colour of the palette (WCAG 2.2, "relative luminance"). */
export function needsLightText(index: number): boolean {
  const color = index < 0 ? NO_NUMBER : PALETTE[index]!;
  const light = [1, 3, 5].map((from) => {
    const part = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * light[0]! + 0.7152 * light[1]! + 0.0722 * light[2]! < 0.199;
}

/** The labels of a legend from the pixel of the worst to that of the best. */
export function legendTicks(
  { extent, scale, isLessBetter }: Values,
  worst: number,
  best: number,
): readonly Tick[] {
  const [from, to] = isLessBetter ? [best, worst] : [worst, best];
  return positionScale(extent, from, to, { kind: scale, ticks: 5 }).ticks;
}
