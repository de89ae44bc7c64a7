// The heat map of an archive: its cells by two measures, and one panel for each bin of a third and a fourth one.
import { isBoolean, isOneOf, isText } from "@mm-ptx/types/internal";
import type { ArchiveRows } from "../archives/archive.js";
import { readOptions } from "../options.js";
import { checkAxes, type PictureAxis } from "./axes.js";
import { card, MARGIN, PADDING, page, TOP } from "./drawing/page.js";
import { Picture, type PictureTheme } from "./drawing/svg.js";
import { capitalized, grouped, listed, percent } from "./drawing/words.js";
import { type HeatGrid, heatGrid } from "./maps/grid.js";
import { AXIS_TITLE, heatLayout } from "./maps/heat-layout.js";
import { drawAxes, drawMarks, drawPanels } from "./maps/heat-panels.js";
import { LEGEND_HEIGHT, LEGEND_WIDTH, legend } from "./maps/legend.js";
import { areMarks, binsOfMark, markList, type PictureMark } from "./maps/marks.js";
import { areTexts, checkRows } from "./rows.js";
import { isShownValue, type ShownValue, type Values, valuesOf } from "./shown-value.js";

/** Options of maps of archives. */
export interface MapOptions {
  readonly title?: string;
  /** The pages that the picture is for: light and dark ones (`auto`, the default), which viewers choose, or only one kind. */
  readonly theme?: PictureTheme;
  /** What the colours show; by default, the objective. */
  readonly value?: ShownValue;
  /** Named points, each with a letter in its cell. */
  readonly marks?: readonly PictureMark[];
  /** A text for each elite, which shows when the pointer rests on its cell. */
  readonly texts?: readonly string[];
  /**
   * Whether each cell has its own text for the pointer; by default, if there are not more than 4,000. Without, cells of the same colour
   * are one shape, whose text is the range of values.
   */
  readonly hover?: boolean;
}

/** Options of `archiveHeatmap`. */
export interface HeatmapOptions extends MapOptions {
  /** Whether values are printed in cells where there is room; by default, if there is room in all of them. */
  readonly print?: boolean;
}

export const MAP_CHECKS = {
  title: isText,
  theme: isOneOf(["auto", "light", "dark"]),
  value: isShownValue,
  marks: areMarks,
  texts: areTexts,
  hover: isBoolean,
};

const LEAST_WIDTH = 560;

/**
 * Draws an archive as SVG: a square for each cell with the colour of its elite, by one or two axes; for each bin of a third and a fourth
 * axis, there is a panel. Bins that have no room share a square, which has the best elite, and the picture says so.
 *
 * @param axes the axes of the archive, from 1 to 4, in the order of its measures
 * @throws SearchError INVALID_ARGUMENT, and NOT_FOUND if there is no such field
 */
export function archiveHeatmap(
  rows: ArchiveRows,
  axes: readonly PictureAxis[],
  options: HeatmapOptions = {},
): string {
  checkAxes(axes, 1, 4);
  checkRows(rows, axes.length);
  const { theme = "auto", ...given } = readOptions<HeatmapOptions>(
    options,
    { ...MAP_CHECKS, print: isBoolean },
    { of: "`archiveHeatmap`" },
  );
  const values = valuesOf(rows, given.value);
  const layout = heatLayout(axes);
  const grid = heatGrid(rows, layout.shown, values);
  const { marks = [], title = mapTitle(values, axes) } = given;
  const places = marks.map((mark) => ({ mark, bins: binsOfMark(mark, axes) }));

  const left = MARGIN + PADDING + (axes.length > 1 ? AXIS_TITLE : 0) + layout.besideWidth + 10;
  const top = TOP + PADDING;
  const right = left + layout.width;
  const width = Math.max(LEAST_WIDTH, right + 28 + LEGEND_WIDTH + PADDING + MARGIN);
  const room = width - 2 * MARGIN - 2 * PADDING;
  const mapHeight = Math.max(LEGEND_HEIGHT, layout.height + layout.belowHeight + AXIS_TITLE);
  const listHeight = markList(undefined, 0, 0, room, places);
  const cardHeight = 2 * PADDING + mapHeight + (listHeight === 0 ? 0 : 12 + listHeight);
  const height = TOP + cardHeight + MARGIN;

  const picture = new Picture(theme);
  const note = noteOf(grid, values, axes);
  page(picture, width, height, title, note);
  card(picture, { x: MARGIN, y: TOP, width: width - 2 * MARGIN, height: cardHeight });
  const { texts, print, hover } = given;
  drawPanels(picture, left, top, { grid, layout, values, texts, print, hover });
  drawAxes(picture, left, top, layout);
  legend(picture, right + 28, top, Math.min(280, Math.max(LEGEND_HEIGHT, layout.height)), values);
  drawMarks(picture, left, top, layout, places);
  markList(picture, MARGIN + PADDING, top + mapHeight + 12, room, places);
  return picture.toString(width, height, `${title}: ${note}`);
}

export const mapTitle = (values: Values, axes: readonly PictureAxis[]): string =>
  capitalized(`${values.name} by ${listed(axes.map(({ name }) => name))}`);

function noteOf(
  { axes: shown, best, filled, cells }: HeatGrid,
  values: Values,
  axes: readonly PictureAxis[],
): string {
  const joined = shown.map(({ bins }) => bins).join(" × ");
  const outer = axes.slice(2).map(({ name }) => name);
  return [
    coverageWords(filled, cells),
    best < 0 ? "no elites yet" : `best ${values.name} ${values.words(values.at(best))}`,
    ...(shown.some(({ bins }) => bins > 1) ? [`a square shows the best of ${joined} cells`] : []),
    ...(outer.length === 1 ? [`panels by ${outer[0]}`] : []),
    ...(outer.length === 2
      ? [`panels by ${outer[0]} from left to right, ${outer[1]} from top to bottom`]
      : []),
  ].join("; ");
}

export const coverageWords = (filled: number, cells: number): string =>
  `${grouped(filled)} of ${grouped(cells)} cells (${percent(Math.min(1, filled / cells))})`;
