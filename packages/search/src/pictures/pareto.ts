// The front of cost against value: what each unit of cost buys, with the formulas of the knees.
import { isList, isNumber, isOneOf, isOptions, isText, isWhole, svgNumber } from "@mm-ptx/types/internal";
import type { ArchiveRows } from "../archives/archive.js";
import { invalid, readOptions } from "../options.js";
import { type Area, LABEL_SIZE, placeLabels } from "./drawing/labels.js";
import { card, MARGIN, nothing, PADDING, page, TOP } from "./drawing/page.js";
import { drawGrid, labelRoom } from "./drawing/plot.js";
import { Extent, positionScale, type Scale, type ScaleKind } from "./drawing/scales.js";
import { Picture, type PictureTheme } from "./drawing/svg.js";
import { capitalized, counted, grouped, named, onScale, significant } from "./drawing/words.js";
import { byKnees, frontOf } from "./front.js";
import { areTexts, checkRows } from "./rows.js";
import { fieldOf, isShownValue, type ShownValue, type Values, valuesOf } from "./shown-value.js";

/** What elites cost: a measure or a field. Less is better. */
export interface PictureCost {
  /** The index of a measure. */
  readonly measure?: number;
  /** The name of a field, instead of a measure. */
  readonly field?: string;
  readonly name?: string;
  readonly unit?: string;
  readonly scale?: ScaleKind;
}

/** A named point in a plot of cost against value. */
export interface FrontMark {
  readonly label: string;
  readonly cost: number;
  readonly value: number;
}

/** Options of `paretoFront`. */
export interface FrontOptions {
  readonly title?: string;
  readonly theme?: PictureTheme;
  /** By default, the first measure, called `cost`. */
  readonly cost?: PictureCost;
  /** By default, the objective. */
  readonly value?: ShownValue;
  /** A text for each elite, such as its formula. */
  readonly texts?: readonly string[];
  readonly marks?: readonly FrontMark[];
  /** The most labels; default 8. */
  readonly labels?: number;
}

const WIDTH = 1000;
const PLOT = 420;
/** The most elites beside the front that are drawn. */
const MOST_POINTS = 1000;
/** Smaller steps of the front, in pixels, are no knees. */
const LEAST_STEP = 0.02 * PLOT;
/** The part of the plot's width that points use, so that formulas have room to the right of them. */
const POINTS_PART = 0.74;

const FRONT_CHECKS = {
  title: isText,
  theme: isOneOf(["auto", "light", "dark"]),
  cost: isOptions({
    measure: isWhole(0, 1000),
    field: isText,
    name: isText,
    unit: isText,
    scale: isOneOf(["linear", "log"]),
  }),
  value: isShownValue,
  texts: areTexts,
  marks: isList(
    isOptions(
      { label: isText, cost: isNumber(-Infinity, Infinity), value: isNumber(-Infinity, Infinity) },
      { required: ["label", "cost", "value"] },
    ),
  ),
  labels: isWhole(0, 100),
};

/**
 * Draws the elites by cost and value as SVG: the front as a line, with the texts of its knees, and the other elites as faint points. Knees
 * are the best elite, and those that improve most per unit of cost over the one before on the front, by 2 % of the scale at least.
 *
 * @throws SearchError INVALID_ARGUMENT, and NOT_FOUND if there is no such field
 */
export function paretoFront(rows: ArchiveRows, options: FrontOptions = {}): string {
  const given = readOptions<FrontOptions>(options, FRONT_CHECKS, { of: "`paretoFront`" });
  const { theme = "auto", cost = {}, texts = [], marks = [], labels = 8 } = given;
  checkRows(rows, 0);
  const values = valuesOf(rows, given.value);
  const costs = costsOf(rows, cost);
  const title = given.title ?? capitalized(`${values.name} against ${costs.name}`);
  const front = frontOf(rows.count, costs.at, values);
  const note = noteOf(rows, values, front);

  const cardHeight = PLOT + PADDING + 64;
  const height = TOP + cardHeight + MARGIN;
  const picture = new Picture(theme);
  page(picture, WIDTH, height, title, note);
  const box = { x: MARGIN, y: TOP, width: WIDTH - 2 * MARGIN, height: cardHeight };
  card(picture, box);
  if (front.length === 0 && marks.length === 0) nothing(picture, box, "no elites yet");
  else drawFront(picture, { rows, values, costs, front, texts, marks, labels });
  return picture.toString(WIDTH, height, `${title}: ${note}`);
}

function noteOf(rows: ArchiveRows, values: Values, front: readonly number[]): string {
  if (front.length === 0) return "no elites yet";
  const others = rows.count - front.length;
  const words =
    others > MOST_POINTS ? `${grouped(MOST_POINTS)} of ${grouped(others)} others` : counted(others, "other");
  const best = `best ${values.name} ${values.words(values.at(front.at(-1)!))}`;
  return `${counted(front.length, "elite")} on the front, ${words}; ${best}; elites beyond the scale are at its edge`;
}

interface Costs {
  readonly name: string;
  readonly title: string;
  readonly kind: ScaleKind;
  at(elite: number): number;
}

function costsOf(rows: ArchiveRows, { measure, field, name, unit, scale = "linear" }: PictureCost): Costs {
  const called = name ?? field ?? "cost";
  const common = { name: called, title: named(called, unit), kind: scale };
  if (field !== undefined) {
    const column = fieldOf(rows, field);
    return { ...common, at: (elite) => column[elite]! };
  }
  const { count, measures } = rows;
  const dimensions = count === 0 ? 1 : measures.length / count;
  const axis = measure ?? 0;
  if (!Number.isInteger(dimensions) || axis >= dimensions)
    throw invalid(`a measure from 0 to ${dimensions - 1} as the cost`, axis);
  return { ...common, at: (elite) => measures[elite * dimensions + axis]! };
}

interface Content {
  readonly rows: ArchiveRows;
  readonly values: Values;
  readonly costs: Costs;
  readonly front: readonly number[];
  readonly texts: readonly string[];
  readonly marks: readonly FrontMark[];
  readonly labels: number;
}

function drawFront(picture: Picture, content: Content): void {
  const { rows, values, costs, front, marks } = content;
  const [top, base] = [TOP + PADDING + 6, TOP + PADDING + PLOT];
  const [ex, ey] = [new Extent(costs.kind), new Extent(values.scale)];
  for (let elite = 0; elite < rows.count; elite++) ex.add(costs.at(elite));
  for (const mark of marks) {
    ex.add(mark.cost);
    ey.add(mark.value);
  }
  // The scale belongs to the front: other elites may be worse by any factor.
  for (const elite of front) ey.add(values.at(elite));
  const y = positionScale(ey, base, top, { kind: values.scale, ticks: 8, isRound: true });
  const left = MARGIN + PADDING + labelRoom(y.ticks, true);
  const right = WIDTH - MARGIN - PADDING;
  const end = left + 14 + (right - left - 14) * POINTS_PART;
  const isWhole = Array.from({ length: rows.count }, (_, elite) => costs.at(elite)).every(Number.isInteger);
  const x = positionScale(ex, left + 14, end, { kind: costs.kind, ticks: 10, isWhole });
  drawGrid(picture, { left, right, top, base }, x, y, {
    x: onScale(costs.title, costs.kind),
    y: onScale(values.title, values.scale),
  });
  const inPlot = (value: number): number => Math.max(top, Math.min(base, y.at(value)));
  drawOthers(picture, content, x, inPlot);
  const places = front.map((elite) => ({ elite, x: x.at(costs.at(elite)), y: inPlot(values.at(elite)) }));
  let line = "";
  for (const [i, place] of places.entries())
    line +=
      i === 0
        ? `M${svgNumber(place.x)} ${svgNumber(place.y)}`
        : `H${svgNumber(place.x)}V${svgNumber(place.y)}`;
  if (places.length > 0) picture.path(`${line}H${svgNumber(end + 14)}`, { stroke: "blue", width: 2 });
  const marked = marks.map(({ label, cost, value }) => ({ label, x: x.at(cost), y: y.at(value), value }));
  drawLabels(picture, content, places, marked, { left, right, top: top - 6, base });
  for (const { elite, x: px, y: py } of places)
    picture.dot(px, py, 4.5, { fill: "blue", stroke: "card", width: 1.5, title: hoverOf(content, elite) });
  for (const { label, x: px, y: py, value } of marked) {
    const diamond = `M${svgNumber(px)} ${svgNumber(py - 6)}l6 6l-6 6l-6 -6z`;
    const title = `${label}: ${values.title} ${values.words(value)}`;
    picture.path(diamond, { fill: "orange", stroke: "card", width: 1.5, title });
  }
}

function drawOthers(picture: Picture, content: Content, x: Scale, inPlot: (value: number) => number): void {
  const { rows, values, costs, front } = content;
  const isOnFront = new Set(front);
  const others: number[] = [];
  for (let elite = 0; elite < rows.count; elite++)
    if (!isOnFront.has(elite) && Number.isFinite(costs.at(elite)) && Number.isFinite(values.at(elite)))
      others.push(elite);
  const step = Math.max(1, others.length / MOST_POINTS);
  for (let i = 0; i < others.length; i += step) {
    const elite = others[Math.floor(i)]!;
    const [px, py] = [x.at(costs.at(elite)), inPlot(values.at(elite))];
    picture.dot(px, py, 2.5, { fill: "faint", opacity: 0.7, title: hoverOf(content, elite) });
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function drawLabels(
  picture: Picture,
  content: Content,
  places: readonly (Place & { readonly elite: number })[],
  marked: readonly (Place & { readonly label: string; readonly value: number })[],
  bounds: { readonly left: number; readonly right: number; readonly top: number; readonly base: number },
): void {
  const { values, costs, texts, labels, front } = content;
  const placeOf = new Map(places.map((place) => [place.elite, place]));
  const knees = byKnees(front, costs.at, (elite) => placeOf.get(elite)!.y, LEAST_STEP);
  const wishes = [
    ...marked.map(({ x, y, label, value }) => ({
      x,
      y,
      lines: [`${label}: ${values.words(value)}`],
      title: label,
      isMark: true,
    })),
    ...knees.map((elite) => {
      const { x, y } = placeOf.get(elite)!;
      const text = texts[elite];
      const lines = [
        ...(text === undefined ? [] : [oneLine(text)]),
        `${values.words(values.at(elite))}, ${costs.name} ${significant(costs.at(elite))}`,
      ];
      return { x, y, lines, title: hoverOf(content, elite), isMark: false };
    }),
  ];
  let left = labels + marked.length;
  const placed = placeLabels(wishes, bounds, values.isLessBetter ? -1 : 1, obstaclesOf(places, marked));
  for (const [i, label] of placed.entries()) {
    if (label === undefined || left-- <= 0) continue;
    const { isMark, title, x, y } = wishes[i]!;
    const middle = label.y - 4 + (label.lines.length - 1) * 8;
    const isFar = Math.abs(middle - y) > 8 * label.lines.length + 4;
    if (isFar) picture.line(x, y, label.x - (label.anchor === "start" ? 2 : -2), middle, { stroke: "faint" });
    for (const [k, words] of label.lines.entries())
      picture.text(label.x, label.y + 16 * k, words, {
        size: LABEL_SIZE,
        anchor: label.anchor,
        halo: "card",
        ...(isMark
          ? { weight: 600 }
          : k === label.lines.length - 1 && label.lines.length > 1
            ? { ink: "muted" }
            : {}),
        title,
      });
  }
}

/** The points, and the parts of the line through the front. */
function obstaclesOf(places: readonly Place[], marked: readonly Place[]): Area[] {
  const points = [...places, ...marked].map(({ x, y }) => ({
    left: x - 5,
    right: x + 5,
    top: y - 5,
    base: y + 5,
  }));
  const parts = places.slice(1).flatMap(({ x, y }, i): Area[] => {
    const before = places[i]!;
    return [
      { left: before.x, right: x, top: before.y - 1, base: before.y + 1 },
      { left: x - 1, right: x + 1, top: Math.min(y, before.y), base: Math.max(y, before.y) },
    ];
  });
  return [...points, ...parts];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function hoverOf({ values, costs, texts }: Content, elite: number): string {
  const numbers = `${costs.title} ${significant(costs.at(elite))}, ${values.title} ${values.words(values.at(elite))}`;
  return texts[elite] === undefined ? numbers : `${numbers}\n${texts[elite]}`;
}
