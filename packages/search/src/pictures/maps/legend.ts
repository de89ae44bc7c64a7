// The colour bar beside a map: the best value is at its upper end.
import { fitted, type Picture } from "../drawing/svg.js";
import type { Values } from "../shown-value.js";
import { COLORS, legendTicks, PALETTE } from "./colors.js";

const BAR = 14;
/** The width of a legend with its labels. */
export const LEGEND_WIDTH = 104;
/** The least height of a legend. */
export const LEGEND_HEIGHT = 172;

/** Draws the legend; with `isComplete`, no square of the map is empty. */
export function legend(
  picture: Picture,
  x: number,
  y: number,
  height: number,
  values: Values,
  isComplete = false,
): void {
  const title = fitted(values.title, 12, LEGEND_WIDTH);
  picture.text(x, y + 10, title, {
    size: 12,
    weight: 600,
    ...(title === values.title ? {} : { title: values.title }),
  });
  const [top, base] = [y + 24, y + height - 26];
  const step = (base - top) / COLORS;
  // Each colour reaches down to the base, so that no gap is visible between it and the next one.
  for (let i = COLORS - 1; i >= 0; i--)
    picture.rect(x, base - step * (i + 1), BAR, step * (i + 1), { fill: PALETTE[i]! });
  let free = Number.POSITIVE_INFINITY;
  for (const { at, label } of [...legendTicks(values, base, top)].sort((a, b) => b.at - a.at)) {
    if (at > base + 0.5 || at < top - 0.5 || at + 6 > free) continue;
    free = at - 7;
    picture.line(x + BAR, at, x + BAR + 4, at, { stroke: "muted" });
    picture.text(x + BAR + 8, at + 4, fitted(label, 11, LEGEND_WIDTH - BAR - 8), { size: 11, ink: "muted" });
  }
  if (isComplete) return;
  picture.rect(x, y + height - 14, BAR, BAR, { fill: "empty", stroke: "edge" });
  picture.text(x + BAR + 8, y + height - 3, "empty", { size: 11, ink: "muted" });
}
