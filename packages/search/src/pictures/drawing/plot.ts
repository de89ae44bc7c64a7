// What plots have in common: grid lines, the labels of both axes, and curves of many points.
import { svgNumber } from "@mm-ptx/types/internal";
import type { Scale, Tick } from "./scales.js";
import { fitted, type Picture, type ShapeStyle } from "./svg.js";
import { widthOf } from "./words.js";

/** The edges of a plot. */
export interface PlotBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly base: number;
}

export interface PlotTitles {
  readonly x?: string;
  readonly y?: string;
}

/** The distance of the labels of an axis from it. */
const LABEL_GAP = 10;

/** The room that the labels of a vertical axis need, with its title if there is one. */
export const labelRoom = (ticks: readonly Tick[], hasTitle = false): number =>
  Math.max(0, ...ticks.map(({ label }) => widthOf(label, 11))) + LABEL_GAP + (hasTitle ? 22 : 0);

/** Draws the grid lines and labels of a plot. */
export function drawGrid(picture: Picture, box: PlotBox, x: Scale, y: Scale, titles: PlotTitles = {}): void {
  const { left, right, top, base } = box;
  let free = Number.POSITIVE_INFINITY;
  for (const { at: place, label } of y.ticks.toSorted((a, b) => b.at - a.at)) {
    picture.line(left, place, right, place, { stroke: "rule" });
    if (place + 5 > free) continue;
    free = place - 7;
    picture.text(left - LABEL_GAP, place + 4, label, { size: 11, ink: "muted", anchor: "end" });
  }
  free = Number.NEGATIVE_INFINITY;
  for (const { at: place, label } of x.ticks) {
    picture.line(place, base, place, base + 4, { stroke: "faint" });
    const half = widthOf(label, 11) / 2 + 4;
    if (place - half < free) continue;
    free = place + half;
    picture.text(place, base + 18, label, { size: 11, ink: "muted", anchor: "middle" });
  }
  const style = { size: 11, ink: "muted", anchor: "middle" } as const;
  if (titles.x !== undefined)
    picture.text((left + right) / 2, base + 36, fitted(titles.x, 11, right - left), style);
  if (titles.y !== undefined)
    picture.text(left - labelRoom(y.ticks) - 8, (top + base) / 2, fitted(titles.y, 11, base - top), {
      ...style,
      isUpright: true,
    });
}

/**
 * Draws a curve. Where many points are in a column of pixels, the first and the last, the least and the greatest are enough.
 *
 * @param count the number of points, whose places are ordered from left to right
 */
export function drawCurve(
  picture: Picture,
  count: number,
  px: (i: number) => number,
  py: (i: number) => number,
  style: ShapeStyle,
): void {
  picture.curve(
    thinned(count, px, py).map((i) => [px(i), py(i)] as const),
    style,
  );
}

/** The indices of the points that a curve needs. */
export function thinned(count: number, px: (i: number) => number, py: (i: number) => number): number[] {
  if (count <= 512) return Array.from({ length: count }, (_, i) => i);
  const kept: number[] = [];
  for (let first = 0; first < count; ) {
    const column = Math.floor(px(first));
    let [last, least, most] = [first, first, first];
    let gap = Number.isFinite(py(first)) ? -1 : first;
    for (; last + 1 < count && Math.floor(px(last + 1)) === column; ) {
      last++;
      const value = py(last);
      if (!Number.isFinite(value)) gap = last;
      if (value < py(least)) least = last;
      if (value > py(most)) most = last;
    }
    kept.push(...new Set([first, least, most, gap, last].filter((i) => i >= 0).sort((a, b) => a - b)));
    // A place that is not finite is equal to no column.
    first = last + 1;
  }
  return kept;
}

/** Draws the area between two curves; it is interrupted where one of them is not finite. */
export function drawBand(
  picture: Picture,
  count: number,
  px: (i: number) => number,
  low: (i: number) => number,
  high: (i: number) => number,
  style: ShapeStyle,
): void {
  let data = "";
  let [above, below]: [string[], string[]] = [[], []];
  const close = (): void => {
    if (above.length > 0) data += `M${[...above, ...below.toReversed()].join("L")}z`;
    [above, below] = [[], []];
  };
  const indices = [...new Set([...thinned(count, px, low), ...thinned(count, px, high)])].sort(
    (a, b) => a - b,
  );
  for (const i of indices) {
    const [x, y, z] = [px(i), low(i), high(i)];
    if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)) {
      above.push(`${svgNumber(x)} ${svgNumber(z)}`);
      below.push(`${svgNumber(x)} ${svgNumber(y)}`);
    } else close();
  }
  close();
  picture.path(data, style);
}
