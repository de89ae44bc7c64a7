// The map of an archive whose cells are those of centroids.
import { svgNumber } from "@mm-ptx/types/internal";
import { Delaunay } from "d3-delaunay";
import type { ArchiveRows } from "../archives/archive.js";
import { invalid, readOptions } from "../options.js";
import { axisTitle, checkAxes, type RealPictureAxis } from "./axes.js";
import { card, MARGIN, PADDING, page, TOP } from "./drawing/page.js";
import { Extent, positionScale, type Scale } from "./drawing/scales.js";
import { fitted, Picture } from "./drawing/svg.js";
import { significant, widthOf } from "./drawing/words.js";
import { coverageWords, MAP_CHECKS, type MapOptions, mapTitle } from "./heat-map.js";
import { COLORS, NO_NUMBER, PALETTE, paletteOf } from "./maps/colors.js";
import { LEGEND_WIDTH, legend } from "./maps/legend.js";
import { badge, letterOf, markList, type PictureMark } from "./maps/marks.js";
import { checkRows } from "./rows.js";
import { type Values, valuesOf } from "./shown-value.js";

/** The ends of a measure. */
export interface PictureRange {
  readonly name: string;
  readonly unit?: string;
  readonly from: number;
  readonly to: number;
}

/** The cells of an archive with centroids: two coordinates for each, and the ranges of the two measures. */
export interface PictureCentroids {
  /** `coordinates[2 * cell + axis]`. */
  readonly coordinates: ArrayLike<number>;
  readonly axes: readonly [PictureRange, PictureRange];
}

const SIDE = 520;
/** Up to this many cells have edges, and their own texts for the pointer unless the caller decides. */
const MOST_OUTLINED = 4000;

/**
 * Draws an archive with centroids as SVG: each cell is what is nearest to its centroid.
 *
 * @throws SearchError INVALID_ARGUMENT, and NOT_FOUND if there is no such field
 */
export function cvtHeatmap(rows: ArchiveRows, cells: PictureCentroids, options: MapOptions = {}): string {
  const axes = checkCells(cells);
  checkRows(rows, 2);
  const given = readOptions<MapOptions>(options, MAP_CHECKS, { of: "`cvtHeatmap`" });
  const { theme = "auto", marks = [] } = given;
  const values = valuesOf(rows, given.value);
  const { title = mapTitle(values, axes) } = given;
  const count = cells.coordinates.length / 2;
  const [left0, top] = [MARGIN + PADDING + 24, TOP + PADDING];
  const [x, y] = scalesOf(axes);
  const left = left0 + Math.max(...y.ticks.map(({ label }) => widthOf(label, 11))) + 12;
  const width = left + SIDE + 28 + LEGEND_WIDTH + PADDING + MARGIN;
  const room = width - 2 * MARGIN - 2 * PADDING;
  const places = marks.map((mark) => ({ mark, ...placeOf(mark, cells, axes) }));
  const listHeight = markList(undefined, 0, 0, room, places);
  const mapHeight = SIDE + 46;
  const cardHeight = 2 * PADDING + mapHeight + (listHeight === 0 ? 0 : 12 + listHeight);
  const height = TOP + cardHeight + MARGIN;

  const elites = elitesOf(rows, values, count);
  const best = bestOf(elites, values);
  const filled = elites.reduce((sum, elite) => sum + (elite < 0 ? 0 : 1), 0);
  const words = best < 0 ? "no elites yet" : `best ${values.name} ${values.words(values.at(best))}`;
  const note = `${coverageWords(filled, count)}; ${words}`;
  const picture = new Picture(theme);
  page(picture, width, height, title, note);
  card(picture, { x: MARGIN, y: TOP, width: width - 2 * MARGIN, height: cardHeight });
  drawCells(picture, left, top, { cells, elites, values, given, x, y, axes });
  drawEdges(picture, left, top, x, y, axes);
  legend(picture, left + SIDE + 28, top, 280, values);
  for (const [i, { mark, bins, measures }] of places.entries())
    if (bins !== undefined)
      badge(picture, left + x.at(measures[0]), top + y.at(measures[1]), letterOf(i), mark.label);
  markList(picture, MARGIN + PADDING, top + mapHeight + 12, room, places);
  return picture.toString(width, height, `${title}: ${note}`);
}

function checkCells(cells: PictureCentroids): readonly [RealPictureAxis, RealPictureAxis] {
  if (typeof cells !== "object" || cells === null) throw invalid("centroids with their axes", cells);
  const { coordinates, axes } = cells;
  if (!Array.isArray(axes)) throw invalid("2 axes", axes);
  const real = axes.map((axis): RealPictureAxis => ({ ...axis, kind: "real", cells: 1 }));
  checkAxes(real, 2, 2);
  const isList = Array.isArray(coordinates) || ArrayBuffer.isView(coordinates);
  if (!isList || coordinates.length === 0 || coordinates.length % 2 !== 0)
    throw invalid(
      "two coordinates for each centroid",
      isList ? `${coordinates.length} numbers` : coordinates,
    );
  for (let i = 0; i < coordinates.length; i++)
    if (!Number.isFinite(coordinates[i]))
      throw invalid(`a finite number as coordinate ${i} of the centroids`, coordinates[i]);
  return real as [RealPictureAxis, RealPictureAxis];
}

function scalesOf(axes: readonly [RealPictureAxis, RealPictureAxis]): [Scale, Scale] {
  const scale = ({ from, to }: RealPictureAxis, start: number, end: number): Scale => {
    const extent = new Extent("linear");
    extent.add(from);
    extent.add(to);
    return positionScale(extent, start, end, { kind: "linear", ticks: 8 });
  };
  return [scale(axes[0], 0, SIDE), scale(axes[1], SIDE, 0)];
}

/** Where a mark is: at its measures, or at the centroid of its cell. */
function placeOf(
  { measures, cell }: PictureMark,
  { coordinates }: PictureCentroids,
  axes: readonly [RealPictureAxis, RealPictureAxis],
): { readonly bins: readonly number[] | undefined; readonly measures: readonly [number, number] } {
  const from = measures ?? [coordinates[2 * cell![0]!], coordinates[2 * cell![0]! + 1]];
  const [x = Number.NaN, y = Number.NaN] = from;
  const isInside = [x, y].every((measure, i) => measure >= axes[i]!.from && measure <= axes[i]!.to);
  return { bins: isInside ? [] : undefined, measures: [x, y] };
}

/** The elite of each cell, or -1. */
function elitesOf(rows: ArchiveRows, values: Values, count: number): Int32Array {
  const elites = new Int32Array(count).fill(-1);
  for (let elite = 0; elite < rows.count; elite++) {
    const cell = rows.cell[elite]!;
    if (cell < 0 || cell >= count) throw invalid(`cells from 0 to ${count - 1} in \`rows.cell\``, cell);
    if (elites[cell] === -1 || values.isBetter(values.at(elite), values.at(elites[cell]!)))
      elites[cell] = elite;
  }
  return elites;
}

const bestOf = (elites: Int32Array, values: Values): number =>
  elites.reduce(
    (best, elite) =>
      elite >= 0 && (best < 0 || values.isBetter(values.at(elite), values.at(best))) ? elite : best,
    -1,
  );

interface Content {
  readonly cells: PictureCentroids;
  readonly elites: Int32Array;
  readonly values: Values;
  readonly given: MapOptions;
  readonly x: Scale;
  readonly y: Scale;
  readonly axes: readonly [RealPictureAxis, RealPictureAxis];
}

function drawCells(picture: Picture, left: number, top: number, content: Content): void {
  const { cells, elites, values, given, x, y, axes } = content;
  const { coordinates } = cells;
  const count = elites.length;
  const places = new Float64Array(2 * count);
  for (let cell = 0; cell < count; cell++) {
    places[2 * cell] = left + x.at(coordinates[2 * cell]!);
    places[2 * cell + 1] = top + y.at(coordinates[2 * cell + 1]!);
  }
  const voronoi = new Delaunay(places).voronoi([left, top, left + SIDE, top + SIDE]);
  const shapeOf = (cell: number): string => {
    const corners = voronoi.cellPolygon(cell);
    // Centroids beyond the axes, and all but the first of equal ones, have no cell.
    if (!corners) return "";
    return `M${corners
      .slice(0, -1)
      .map(([cx, cy]) => `${svgNumber(cx)} ${svgNumber(cy)}`)
      .join("L")}z`;
  };
  const colorOf = paletteOf(values);
  const isHovering = given.hover ?? count <= MOST_OUTLINED;
  picture.rect(left, top, SIDE, SIDE, { fill: "empty" });
  const edges = count <= MOST_OUTLINED ? ({ stroke: "card", width: count <= 400 ? 1.5 : 0.5 } as const) : {};
  let empty = "";
  const byColor = Array.from({ length: COLORS + 1 }, (): string[] => []);
  for (let cell = 0; cell < count; cell++) {
    const elite = elites[cell]!;
    if (elite < 0) {
      empty += shapeOf(cell);
      continue;
    }
    const value = values.at(elite);
    const color = colorOf(value);
    if (!isHovering) {
      byColor[color + 1]!.push(shapeOf(cell));
      continue;
    }
    const centroid = axes.map((axis, i) => `${axisTitle(axis)} ${significant(coordinates[2 * cell + i]!)}`);
    const text = given.texts?.[elite];
    const lines = [
      `cell ${cell}: ${centroid.join(", ")}`,
      `${values.title}: ${values.words(value)}`,
      ...(text === undefined ? [] : [text]),
    ];
    picture.path(shapeOf(cell), { fill: fillOf(color), ...edges, title: lines.join("\n") });
  }
  for (const [i, shapes] of byColor.entries())
    picture.path(shapes.join(""), { fill: fillOf(i - 1), ...edges });
  if (count <= MOST_OUTLINED) picture.path(empty, { fill: "empty", ...edges });
}

const fillOf = (color: number): `#${string}` => (color < 0 ? NO_NUMBER : PALETTE[color]!);

function drawEdges(
  picture: Picture,
  left: number,
  top: number,
  x: Scale,
  y: Scale,
  axes: readonly [RealPictureAxis, RealPictureAxis],
): void {
  const base = top + SIDE;
  for (const { at: place, label } of x.ticks) {
    picture.line(left + place, base + 1, left + place, base + 5, { stroke: "faint" });
    picture.text(left + place, base + 18, label, { size: 11, ink: "muted", anchor: "middle" });
  }
  for (const { at: place, label } of y.ticks) {
    picture.line(left - 5, top + place, left - 1, top + place, { stroke: "faint" });
    picture.text(left - 8, top + place + 4, label, { size: 11, ink: "muted", anchor: "end" });
  }
  const style = { size: 12, weight: 600, anchor: "middle" } as const;
  const [name, second] = axes.map((axis) => fitted(axisTitle(axis), 12, SIDE));
  picture.text(left + SIDE / 2, base + 40, name!, style);
  picture.text(MARGIN + PADDING + 10, top + SIDE / 2, second!, { ...style, isUpright: true });
}
