// One panel of a heat map: squares, and the labels at its left and lower edges.
import { svgNumber } from "@mm-ptx/types/internal";
import { binCount, binWords, type RealPictureAxis } from "../axes.js";
import { Extent, positionScale } from "../drawing/scales.js";
import { fitted, type Picture } from "../drawing/svg.js";
import { widthOf } from "../drawing/words.js";
import { COLORS, NO_NUMBER, needsLightText, PALETTE } from "./colors.js";
import type { ShownAxis } from "./grid.js";

/** The size of the squares of a panel. */
export interface Squares {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
}

/** A square with an elite. */
export interface Square {
  /** The index of its colour, or -1. */
  readonly color: number;
  readonly hover: string;
  /** What is printed in it, if anything. */
  readonly words: string | undefined;
}

/** The gap between squares that are drawn one by one. */
const GAP = 1.5;

/** Draws squares one by one, with what shows when the pointer rests on them. `square` is undefined where there is no elite. */
export function drawSquares(
  picture: Picture,
  left: number,
  top: number,
  size: Squares,
  square: (column: number, row: number) => Square | undefined,
): void {
  const { columns, rows, width, height } = size;
  const gap = Math.min(width, height) >= 8 ? GAP : 0;
  const radius = Math.min(width, height) >= 14 ? 2 : 0;
  let empty = "";
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const found = square(column, row);
      const x = left + column * width + gap / 2;
      const y = top + (rows - 1 - row) * height + gap / 2;
      const [w, h] = [width - gap, height - gap];
      if (found === undefined) {
        empty += `M${svgNumber(x)} ${svgNumber(y)}h${svgNumber(w)}v${svgNumber(h)}h${svgNumber(-w)}z`;
        continue;
      }
      const { color, hover, words } = found;
      picture.rect(x, y, w, h, { fill: colorOf(color), radius, title: hover });
      if (words !== undefined)
        picture.text(x + w / 2, y + h / 2 + 4, words, {
          size: 11,
          anchor: "middle",
          ink: needsLightText(color) ? "#ffffff" : "#15171c",
        });
    }
  picture.path(empty, { fill: "empty" });
}

/**
 * Draws squares as one shape for each colour, for maps with many of them. `colorAt` returns the index of a colour, -1 for what is not a
 * number, and undefined where there is no elite.
 */
export function drawRuns(
  picture: Picture,
  left: number,
  top: number,
  size: Squares,
  colorAt: (column: number, row: number) => number | undefined,
  hoverOf: (color: number) => string,
): void {
  const { columns, rows, width, height } = size;
  const paths = Array.from({ length: COLORS + 1 }, (): string[] => []);
  for (let row = 0; row < rows; row++) {
    const y = rows - 1 - row;
    for (let column = 0; column < columns; ) {
      const color = colorAt(column, row);
      const start = column++;
      while (column < columns && colorAt(column, row) === color) column++;
      if (color !== undefined) {
        const long = column - start;
        paths[color + 1]!.push(`M${start} ${y}h${long}v1h-${long}z`);
      }
    }
  }
  picture.rect(left, top, columns * width, rows * height, { fill: "empty" });
  picture.open(
    `translate(${svgNumber(left)} ${svgNumber(top)}) scale(${width} ${height})`,
    ' shape-rendering="crispEdges"',
  );
  for (const [i, parts] of paths.entries())
    picture.path(parts.join(""), { fill: colorOf(i - 1), title: hoverOf(i - 1) });
  picture.close();
}

const colorOf = (index: number): `#${string}` => (index < 0 ? NO_NUMBER : PALETTE[index]!);

/** A label of an edge: its place in pixels from the start of the axis. */
export interface EdgeLabel {
  readonly at: number;
  readonly words: string;
}

/** How far labels may be beyond the ends of an edge. */
const OVERHANG = 7;

/** The labels that fit along an edge whose squares are `each` pixels long, one below the other or side by side. */
export function edgeLabels(shown: ShownAxis, each: number, isVertical: boolean): EdgeLabel[] {
  const long = shown.count * each;
  const labels =
    shown.axis.kind === "real"
      ? tickLabels(shown.axis, long, isVertical)
      : binLabels(shown, each, isVertical);
  if (isVertical) return labels;
  const fits = labels.filter(({ at, words }) => {
    const half = widthOf(words, 11) / 2;
    return at - half >= -OVERHANG && at + half <= long + OVERHANG;
  });
  if (fits.length > 0 || labels.length === 0) return fits;
  return [{ at: long / 2, words: fitted(labels[0]!.words, 11, long + 2 * OVERHANG) }];
}

function tickLabels(axis: RealPictureAxis, long: number, isVertical: boolean): EdgeLabel[] {
  const extent = new Extent("linear");
  extent.add(axis.from);
  extent.add(axis.to);
  const count = Math.max(2, Math.min(10, Math.floor(long / (isVertical ? 36 : 56))));
  const { ticks } = positionScale(extent, 0, long, { kind: "linear", ticks: count });
  const labels = ticks.map(({ at, label }) => ({ at, words: label }));
  if (labels.length < 2) return labels;
  return thinned(labels, Math.abs(labels[1]!.at - labels[0]!.at), isVertical);
}

function binLabels({ axis, count, bins }: ShownAxis, each: number, isVertical: boolean): EdgeLabel[] {
  const labelsOf = (wordsOf: (square: number) => string): EdgeLabel[] =>
    Array.from({ length: count }, (_, i) => ({ at: (i + 0.5) * each, words: wordsOf(i) }));
  const whole = labelsOf((i) => binWords(axis, i * bins, Math.min((i + 1) * bins, binCount(axis))));
  const kept = thinned(whole, each, isVertical);
  if (axis.kind !== "integer" || kept.length === count) return kept;
  // The first number of a bin needs less room.
  return thinned(
    labelsOf((i) => `${axis.from + i * bins * axis.width}`),
    each,
    isVertical,
  );
}

/** Every label, or every second one, and so on, so that none meets the next. */
function thinned(labels: readonly EdgeLabel[], distance: number, isVertical: boolean): EdgeLabel[] {
  const needed = isVertical ? 15 : Math.max(...labels.map(({ words }) => widthOf(words, 11))) + 8;
  const step = Math.ceil(needed / distance - 1e-9);
  return labels.filter((_, i) => i % step === 0);
}

/** Whether the labels below an axis have to run upwards to be readable. */
export function needsUprightLabels({ axis, count }: ShownAxis, each: number): boolean {
  if (axis.kind !== "categorical") return false;
  return (
    each < Math.max(...axis.labels.slice(0, count).map((label) => widthOf(fitted(label, 11, 110), 11))) + 6
  );
}

export const longestLabel = (labels: readonly EdgeLabel[], most: number): number =>
  Math.min(most, Math.max(0, ...labels.map(({ words }) => widthOf(words, 11))));
