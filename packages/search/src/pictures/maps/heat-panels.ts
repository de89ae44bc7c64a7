// Draws the panels of a heat map, their labels, and the marks in their cells.
import { axisTitle, binCount, binWords } from "../axes.js";
import { fitted, type Picture } from "../drawing/svg.js";
import { widthOf } from "../drawing/words.js";
import type { Values } from "../shown-value.js";
import { COLORS, paletteOf } from "./colors.js";
import type { HeatGrid, ShownAxis } from "./grid.js";
import type { HeatLayout } from "./heat-layout.js";
import { BADGE, badge, letterOf, type PlacedMark } from "./marks.js";
import { drawRuns, drawSquares, type Square } from "./panel.js";

/** The most squares that are drawn one by one unless the caller asks for it. */
const MOST_HOVER = 4000;

export interface HeatContent {
  readonly grid: HeatGrid;
  readonly layout: HeatLayout;
  readonly values: Values;
  readonly texts: readonly string[] | undefined;
  readonly print: boolean | undefined;
  readonly hover: boolean | undefined;
}

export function drawPanels(picture: Picture, left: number, top: number, content: HeatContent): void {
  const { grid, layout, values, texts } = content;
  const { shown, squares, panels, heading, stepX } = layout;
  const colorOf = paletteOf(values);
  const isHovering = content.hover ?? grid.elites.length <= MOST_HOVER;
  const print = printer(content);
  const headings = Array.from({ length: panels }, (_, panel) =>
    outerBins(shown, panel).map((bin, i) => wordsOf(shown[i + 2]!, bin)),
  );
  // All headings name their axes, or none does.
  const isNaming = headings.every((words) => {
    const names = words.map((each, i) => `${axisTitle(shown[i + 2]!.axis)} ${each}`);
    return widthOf(names.join(", "), 11) <= stepX - 6;
  });
  const spans = isHovering ? [] : spansOf(content, colorOf);
  for (let panel = 0; panel < panels; panel++) {
    const outer = outerBins(shown, panel);
    const { x, y } = placeOfPanel(layout, outer);
    const eliteAt = (column: number, row: number): number =>
      grid.elites[(shown.length > 1 ? column * squares.rows + row : column) * panels + panel]!;
    if (heading > 0) {
      const words = headings[panel]!;
      const title = outer.map((_, i) => `${axisTitle(shown[i + 2]!.axis)} ${words[i]}`).join(", ");
      const all = isNaming ? title : fitted(words.join(" · "), 11, stepX - 6);
      picture.text(left + x, top + y - 7, all, {
        size: 11,
        weight: 600,
        ...(all === title ? {} : { title }),
      });
    }
    if (isHovering)
      drawSquares(picture, left + x, top + y, squares, (column, row): Square | undefined => {
        const elite = eliteAt(column, row);
        if (elite < 0) return undefined;
        const value = values.at(elite);
        const lines = [placeWords(shown, [column, row, ...outer]), `${values.title}: ${values.words(value)}`];
        if (texts?.[elite] !== undefined) lines.push(texts[elite]);
        return { color: colorOf(value), hover: lines.join("\n"), words: print(value) };
      });
    else
      drawRuns(
        ...([picture, left + x, top + y, squares] as const),
        (column, row) => {
          const elite = eliteAt(column, row);
          return elite < 0 ? undefined : colorOf(values.at(elite));
        },
        (color) => spans[color + 1]!,
      );
  }
}

/** The bins of the third and the fourth axis that a panel shows; the last axis counts fastest. */
function outerBins(shown: readonly ShownAxis[], panel: number): number[] {
  if (shown.length < 3) return [];
  if (shown.length === 3) return [panel];
  return [Math.floor(panel / shown[3]!.count), panel % shown[3]!.count];
}

/** Panels are in the order of reading, or in columns of the third and rows of the fourth axis. */
function placeOfPanel(layout: HeatLayout, [third = 0, fourth]: readonly number[]): { x: number; y: number } {
  const { columns, stepX, stepY, heading } = layout;
  const [across, down] =
    fourth === undefined ? [third % columns, Math.floor(third / columns)] : [third, fourth];
  return { x: across * stepX, y: down * stepY + heading };
}

const wordsOf = ({ axis, bins }: ShownAxis, square: number): string => {
  const first = square * bins;
  return binWords(axis, first, Math.min(first + bins, binCount(axis)));
};

const placeWords = (shown: readonly ShownAxis[], squares: readonly number[]): string => {
  const places = shown.length === 1 ? squares.slice(0, 1) : squares;
  return shown.map((axis, i) => `${axisTitle(axis.axis)} ${wordsOf(axis, places[i]!)}`).join(", ");
};

/** Returns what is printed in the squares: nothing, or the values that fit. */
function printer({ grid, layout, values, print }: HeatContent): (value: number) => string | undefined {
  const { width, height } = layout.squares;
  const wordsOf = (value: number): string => values.words(value, values.scale === "log" ? 2 : 3);
  const fits = (words: string): boolean => height >= 16 && widthOf(words, 11) <= width - 4;
  const isPrinting =
    print ?? (width >= 24 && grid.elites.every((elite) => elite < 0 || fits(wordsOf(values.at(elite)))));
  return (value) => {
    const words = isPrinting ? wordsOf(value) : "";
    return words !== "" && fits(words) ? words : undefined;
  };
}

/** For each colour, what is not a number first, the range of the values that have it. */
function spansOf({ grid, values }: HeatContent, colorOf: (value: number) => number): string[] {
  const [least, most] = [new Float64Array(COLORS + 1), new Float64Array(COLORS + 1)];
  least.fill(Number.POSITIVE_INFINITY);
  most.fill(Number.NEGATIVE_INFINITY);
  for (const elite of grid.elites) {
    if (elite < 0) continue;
    const value = values.at(elite);
    const color = colorOf(value) + 1;
    least[color] = Math.min(least[color]!, value);
    most[color] = Math.max(most[color]!, value);
  }
  return Array.from(least, (from, i) => {
    if (i === 0) return `${values.title}: not a number`;
    const [low, high] = [values.words(from), values.words(most[i]!)];
    return `${values.title}: ${low === high ? low : `${low} to ${high}`}`;
  });
}

/** Draws the labels at the outer edges of the panels, and the names of the first two axes. */
export function drawAxes(picture: Picture, left: number, top: number, layout: HeatLayout): void {
  const { shown, columns, panels, below, beside, isUpright, panelHeight, stepX, stepY } = layout;
  const rows = Math.ceil(panels / columns);
  for (let panel = 0; panel < panels; panel++) {
    const [across, down] = [panel % columns, Math.floor(panel / columns)];
    const [x, y] = [left + across * stepX, top + down * stepY + layout.heading];
    const base = y + panelHeight;
    if (across === 0)
      for (const { at, words } of beside) {
        if (shown[1]!.axis.kind === "real")
          picture.line(x - 5, base - at, x - 1, base - at, { stroke: "faint" });
        picture.text(x - 8, base - at + 4, fitted(words, 11, 120), { size: 11, ink: "muted", anchor: "end" });
      }
    // The lowest panel of each column.
    if (panel + columns < panels) continue;
    for (const { at, words } of below) {
      if (shown[0]!.axis.kind === "real")
        picture.line(x + at, base + 1, x + at, base + 5, { stroke: "faint" });
      const style = { size: 11, ink: "muted" } as const;
      if (isUpright)
        picture.text(x + at + 4, base + 8, fitted(words, 11, 110), { ...style, anchor: "end", isUpright });
      else picture.text(x + at, base + 18, words, { ...style, anchor: "middle" });
    }
  }
  const base = top + rows * stepY - 10 + layout.belowHeight;
  const name = (axis: ShownAxis, room: number): string =>
    fitted(axisTitle(axis.axis), 12, Math.max(160, room));
  const middle = left + layout.width / 2;
  picture.text(middle, base + 14, name(shown[0]!, layout.width), { size: 12, weight: 600, anchor: "middle" });
  if (shown.length > 1) {
    const x = left - layout.besideWidth - 18;
    const y = top + layout.heading + (layout.height - layout.heading) / 2;
    const words = name(shown[1]!, layout.height);
    picture.text(x, y, words, { size: 12, weight: 600, anchor: "middle", isUpright: true });
  }
}

/** Draws the letters of marks: beside each other at the right edges of their squares, or around the middle of small ones. */
export function drawMarks(
  picture: Picture,
  left: number,
  top: number,
  layout: HeatLayout,
  marks: readonly PlacedMark[],
): void {
  const { shown, squares } = layout;
  const used = new Map<string, number>();
  for (const [i, { mark, bins }] of marks.entries()) {
    if (bins === undefined) continue;
    const places = shown.map((axis, k) => Math.floor(bins[k]! / axis.bins));
    const [column, row = 0, ...outer] = places;
    const panel = placeOfPanel(layout, outer);
    const key = places.join();
    const before = used.get(key) ?? 0;
    used.set(key, before + 1);
    const x = left + panel.x + (column! + 1) * squares.width;
    const y = top + panel.y + (squares.rows - 1 - row) * squares.height;
    const isLarge = squares.width >= 3 * BADGE && squares.height >= 2.5 * BADGE;
    const shift = before * (2 * BADGE + 1);
    if (isLarge) badge(picture, x - 4 - shift, y + 4, letterOf(i), mark.label);
    else badge(picture, x - squares.width / 2 + shift, y + squares.height / 2, letterOf(i), mark.label);
  }
}
