// How a search went: QD score, coverage and the best elite over evaluations and over seconds.
import { isOneOf, isText } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import { keys } from "./drawing/keys.js";
import { type Box, card, MARGIN, nothing, PADDING, page, TOP } from "./drawing/page.js";
import { drawCurve, drawGrid, labelRoom } from "./drawing/plot.js";
import { Extent, positionScale } from "./drawing/scales.js";
import { type Ink, Picture, type PictureTheme, SERIES } from "./drawing/svg.js";
import { capitalized, counted, grouped, named, onScale, percent, significant } from "./drawing/words.js";
import { checkTimes, numbersIn } from "./rows.js";
import { isShownValue, type ShownValue } from "./shown-value.js";

/** The course of a search: a number for each batch, or for some of them. */
export interface SearchHistory {
  /** The name of the search, if there are several. */
  readonly name?: string;
  /** How many candidates had been evaluated. */
  readonly evaluations: ArrayLike<number>;
  readonly seconds?: ArrayLike<number>;
  readonly qdScore?: ArrayLike<number>;
  /** The part of the cells that had an elite, from 0 to 1. */
  readonly coverage?: ArrayLike<number>;
  /** The greatest objective; NaN without elites. */
  readonly best?: ArrayLike<number>;
}

/** Options of `historyCurves`. */
export interface HistoryOptions {
  readonly title?: string;
  readonly theme?: PictureTheme;
  /** How the best objective is shown, for example as an error on a logarithmic scale. */
  readonly value?: Omit<ShownValue, "field" | "range">;
}

const WIDTH = 1000;
const GAP = 16;
const CARD = 214;

type Column = "evaluations" | "seconds" | "qdScore" | "coverage" | "best";
const COLUMNS: readonly Column[] = ["evaluations", "seconds", "qdScore", "coverage", "best"];

/**
 * Draws the course of a search, or of several together, as SVG: a row of plots for each of QD score, coverage and best that a history
 * has, over evaluations on the left and over seconds on the right.
 *
 * @throws SearchError INVALID_ARGUMENT
 */
export function historyCurves(
  history: SearchHistory | readonly SearchHistory[],
  options: HistoryOptions = {},
): string {
  const runs = (Array.isArray(history) ? history : [history]) as readonly SearchHistory[];
  for (const [i, run] of runs.entries()) checkHistory(run, i);
  const {
    title = "Course of the search",
    theme = "auto",
    value = {},
  } = readOptions<HistoryOptions>(
    options,
    { title: isText, theme: isOneOf(["auto", "light", "dark"]), value: isShownValue },
    { of: "`historyCurves`" },
  );
  const figures = figuresOf(value).filter(({ column }) => runs.some((run) => hasNumbers(run, column)));
  const overs = OVERS.filter(({ column }) => runs.some((run) => run[column] !== undefined));
  const inner = WIDTH - 2 * MARGIN;
  const entries = runs.map(({ name }, i) => ({ name: name ?? `search ${i + 1}`, ink: inkOf(i) }));
  const keysHeight = runs.length < 2 ? 0 : keys(undefined, 0, 0, inner, entries) + 6;
  const top = TOP + keysHeight;
  const height = top + Math.max(1, figures.length) * (CARD + GAP) - GAP + MARGIN;
  const picture = new Picture(theme);
  const note = noteOf(runs, figures);
  page(picture, WIDTH, height, title, note);
  if (keysHeight > 0) keys(picture, MARGIN, TOP - 4, inner, entries);
  const width = (inner - (overs.length - 1) * GAP) / overs.length;
  for (const [i, figure] of figures.entries())
    for (const [k, over] of overs.entries())
      curveCard(
        picture,
        { x: MARGIN + k * (width + GAP), y: top + i * (CARD + GAP), width, height: CARD },
        runs,
        figure,
        over,
      );
  if (figures.length === 0) {
    const box = { x: MARGIN, y: top, width: inner, height: CARD };
    card(picture, box);
    nothing(picture, box, "the history has no figures");
  }
  return picture.toString(WIDTH, height, `${title}: ${note}`);
}

/** Whether a history has a column; one of NaN alone is that of an archive without cells, for example. */
const hasNumbers = (run: SearchHistory, column: Figure["column"]): boolean =>
  run[column] !== undefined &&
  (run.evaluations.length === 0 || Array.prototype.some.call(run[column], Number.isFinite));

const inkOf = (i: number): Ink => SERIES[i % SERIES.length]!;

interface Figure {
  readonly column: "qdScore" | "coverage" | "best";
  readonly title: string;
  readonly kind: "linear" | "log";
  readonly of: (value: number) => number;
  readonly words: (value: number) => string;
}

function figuresOf(value: ShownValue): readonly Figure[] {
  const { negated = false, scale = "linear", unit } = value;
  const name = value.name ?? (negated ? "error" : "objective");
  return [
    { column: "qdScore", title: "QD score", kind: "linear", of: (x) => x, words: (x) => significant(x) },
    {
      column: "coverage",
      title: "Coverage (%)",
      kind: "linear",
      of: (x) => 100 * x,
      words: (x) => percent(x / 100),
    },
    {
      ...{ column: "best", title: `Best ${named(name, unit)}`, kind: scale },
      of: negated ? (x) => 0 - x : (x) => x,
      words: (x) => significant(x, 3, scale),
    },
  ];
}

interface Over {
  readonly column: "evaluations" | "seconds";
  readonly title: (most: number) => readonly [title: string, divisor: number];
}

const OVERS: readonly Over[] = [
  { column: "evaluations", title: () => ["evaluations", 1] },
  {
    column: "seconds",
    title: (most) => (most >= 3 * 3600 ? ["hours", 3600] : most >= 180 ? ["minutes", 60] : ["seconds", 1]),
  },
];

function curveCard(
  picture: Picture,
  box: Box,
  runs: readonly SearchHistory[],
  figure: Figure,
  over: Over,
): void {
  card(picture, box);
  picture.text(box.x + PADDING, box.y + 26, onScale(figure.title, figure.kind), { size: 13, weight: 600 });
  const shown = runs
    .map((run, i) => ({ xs: run[over.column], ys: run[figure.column], ink: inkOf(i), name: run.name }))
    .filter(({ xs, ys }) => xs !== undefined && ys !== undefined);
  const [ex, ey] = [new Extent("linear"), new Extent(figure.kind)];
  ex.add(0);
  for (const { xs, ys } of shown)
    for (let i = 0; i < xs!.length; i++) {
      ex.add(xs![i]!);
      ey.add(figure.of(ys![i]!));
    }
  if (figure.column === "coverage") ey.add(0);
  if (ey.isEmpty && ey.belowLog === 0) {
    nothing(picture, box, "nothing to show yet");
    return;
  }
  const [title, divisor] = over.title(ex.most);
  const [top, base] = [box.y + 44, box.y + box.height - 50];
  const y = positionScale(ey, base, top, { kind: figure.kind, ticks: 5, isRound: true });
  const [left, right] = [box.x + PADDING + labelRoom(y.ticks), box.x + box.width - PADDING - 6];
  const scaled = new Extent("linear");
  scaled.add(0);
  scaled.add(ex.most / divisor);
  const x = positionScale(scaled, left, right, { kind: "linear", ticks: 6 });
  drawGrid(picture, { left, right, top, base }, x, y, { x: title });
  for (const { xs, ys, ink, name } of shown)
    drawCurve(
      picture,
      xs!.length,
      (i) => x.at(xs![i]! / divisor),
      (i) => y.at(figure.of(ys![i]!)),
      { stroke: ink, ...(name === undefined ? {} : { title: name }) },
    );
  // A single curve has room for its last value.
  const last = shown.length === 1 ? lastOf(shown[0]!.xs!, shown[0]!.ys!) : undefined;
  if (last === undefined) return;
  const [words, value] = [figure.words(figure.of(last[1])), figure.of(last[1])];
  picture.dot(x.at(last[0] / divisor), y.at(value), 3.5, { fill: shown[0]!.ink, title: words });
  picture.text(right + 6, box.y + 26, words, { size: 13, weight: 600, anchor: "end" });
}

function lastOf(xs: ArrayLike<number>, ys: ArrayLike<number>): [number, number] | undefined {
  for (let i = xs.length - 1; i >= 0; i--)
    if (Number.isFinite(xs[i]) && Number.isFinite(ys[i])) return [xs[i]!, ys[i]!];
  return undefined;
}

function noteOf(runs: readonly SearchHistory[], figures: readonly Figure[]): string {
  if (runs.length !== 1) return counted(runs.length, "search").replace(/hs$/, "hes");
  const run = runs[0]!;
  const last = run.evaluations.length - 1;
  if (last < 0) return "no batches yet";
  const words = figures.map(({ column, title, of, words }) => {
    const value = run[column]?.[last];
    return value === undefined || !Number.isFinite(value)
      ? []
      : [`${column === "coverage" ? "coverage" : title.replace(/^Best/, "best")} ${words(of(value))}`];
  });
  const seconds = run.seconds?.[last];
  const time = seconds === undefined ? [] : [`${significant(seconds)} s`];
  return capitalized([`${grouped(run.evaluations[last]!)} evaluations`, ...time, ...words.flat()].join("; "));
}

function checkHistory(run: unknown, index: number): asserts run is SearchHistory {
  const place = `history ${index}`;
  if (typeof run !== "object" || run === null) throw invalid(`an object as ${place}`, run);
  const columns = run as Record<Column | "name", unknown>;
  if (columns.name !== undefined && typeof columns.name !== "string")
    throw invalid(`a string as the name of ${place}`, columns.name);
  const count = numbersIn(columns.evaluations);
  if (count === undefined) throw invalid(`numbers as \`evaluations\` of ${place}`, columns.evaluations);
  for (const column of COLUMNS)
    if (columns[column] !== undefined && numbersIn(columns[column]) !== count)
      throw invalid(`${count} numbers as \`${column}\` of ${place}`, columns[column]);
  checkTimes(columns.evaluations as ArrayLike<number>, `\`evaluations\` of ${place}`);
  if (columns.seconds !== undefined)
    checkTimes(columns.seconds as ArrayLike<number>, `\`seconds\` of ${place}`);
  const coverage = (columns.coverage ?? []) as ArrayLike<number>;
  for (let i = 0; i < coverage.length; i++)
    if (coverage[i]! < 0 || coverage[i]! > 1)
      throw invalid(`numbers from 0 to 1 as \`coverage\` of ${place}`, coverage[i]);
}
