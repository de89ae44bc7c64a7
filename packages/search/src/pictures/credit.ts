// How often a search used each of its variation operators in the course of time.
import { isBoolean, isOneOf, isText, svgNumber } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import { keys } from "./drawing/keys.js";
import { card, MARGIN, nothing, PADDING, page, TOP } from "./drawing/page.js";
import { drawCurve, drawGrid, labelRoom, type PlotBox } from "./drawing/plot.js";
import { Extent, positionScale, type Scale } from "./drawing/scales.js";
import { type Ink, Picture, type PictureTheme, SERIES } from "./drawing/svg.js";
import { counted, grouped, percent } from "./drawing/words.js";
import { checkTimes, numbersIn } from "./rows.js";

/** Rates of operators over time, as `history()` of emitters returns them. */
export interface PictureRates {
  readonly operators: readonly string[];
  /** For each time: how many candidates had been made. */
  readonly candidates: ArrayLike<number>;
  /** `rates[time * operators.length + operator]`, from 0 to 1. */
  readonly rates: ArrayLike<number>;
}

/** Options of `operatorCredit`. */
export interface CreditPictureOptions {
  readonly title?: string;
  readonly theme?: PictureTheme;
  /** Whether rates are areas on top of each other; by default, if their sums are 1. Otherwise they are lines. */
  readonly stacked?: boolean;
}

interface Series {
  readonly name: string;
  readonly ink: Ink;
  readonly rate: (time: number) => number;
}

const WIDTH = 1000;
const PLOT = 300;

/**
 * Draws as SVG how much of the candidates each operator made. With more than ten operators, those with the lowest mean rates are one area
 * or line.
 *
 * @throws SearchError INVALID_ARGUMENT
 */
export function operatorCredit(history: PictureRates, options: CreditPictureOptions = {}): string {
  checkRates(history);
  const {
    title = "Use of the operators",
    theme = "auto",
    stacked,
  } = readOptions<CreditPictureOptions>(
    options,
    { title: isText, theme: isOneOf(["auto", "light", "dark"]), stacked: isBoolean },
    { of: "`operatorCredit`" },
  );
  const series = seriesOf(history);
  const isStacked = stacked ?? areShares(history);
  const inner = WIDTH - 2 * MARGIN;
  const room = inner - 2 * PADDING;
  const times = history.candidates.length;
  const entries = series.map(({ name, ink, rate }) => ({
    name: times === 0 ? name : `${name} ${percent(rate(times - 1))}`,
    ink,
  }));
  const keysHeight = keys(undefined, 0, 0, room, entries);
  const cardHeight = PADDING + keysHeight + 14 + PLOT + 50;
  const height = TOP + cardHeight + MARGIN;
  const picture = new Picture(theme);
  const made = times === 0 ? 0 : history.candidates[times - 1]!;
  const note = `${counted(made, "candidate")}; share of the candidates that each operator made; the figures are those at the end`;
  page(picture, WIDTH, height, title, note);
  const box = { x: MARGIN, y: TOP, width: inner, height: cardHeight };
  card(picture, box);
  if (times === 0 || series.length === 0) {
    nothing(picture, box, "no candidates yet");
    return picture.toString(WIDTH, height, `${title}: ${note}`);
  }
  keys(picture, MARGIN + PADDING, TOP + PADDING, room, entries);
  const top = TOP + PADDING + keysHeight + 14;
  drawRates(
    picture,
    { left: MARGIN + PADDING, right: MARGIN + PADDING + room, top, base: top + PLOT },
    history,
    series,
    isStacked,
  );
  return picture.toString(WIDTH, height, `${title}: ${note}`);
}

function drawRates(
  picture: Picture,
  box: PlotBox,
  { candidates }: PictureRates,
  series: readonly Series[],
  isStacked: boolean,
): void {
  const times = candidates.length;
  const [ex, ey] = [new Extent("linear"), new Extent("linear")];
  for (const end of [0, 1]) ex.add(end);
  for (let time = 0; time < times; time++) ex.add(candidates[time]!);
  ey.add(0);
  for (let time = 0; time < times; time++) {
    let sum = 0;
    for (const { rate } of series) {
      sum = isStacked ? sum + rate(time) : rate(time);
      ey.add(100 * sum);
    }
  }
  const y = positionScale(ey, box.base, box.top, { kind: "linear", ticks: 5 });
  const left = box.left + labelRoom(y.ticks, true);
  const right = box.right - 16;
  const x = positionScale(ex, left, right, { kind: "linear", ticks: 8, isWhole: true });
  const plot = { ...box, left, right };
  drawGrid(picture, plot, x, y, { x: "candidates", y: "% of the candidates" });
  if (isStacked) drawAreas(picture, x, y, candidates, series, plot);
  else
    for (const { name, ink, rate } of series)
      drawCurve(
        picture,
        times,
        (i) => x.at(candidates[i]!),
        (i) => y.at(100 * rate(i)),
        { stroke: ink, title: name },
      );
}

function drawAreas(
  picture: Picture,
  x: Scale,
  y: Scale,
  candidates: ArrayLike<number>,
  series: readonly Series[],
  { left, right }: PlotBox,
): void {
  const times = candidates.length;
  // The rates of a single time have the whole width.
  const px = (time: number): number => (times === 1 ? left : x.at(candidates[time]!));
  let lower = new Float64Array(times);
  for (const { name, ink, rate } of series) {
    const upper = lower.map((sum, time) => sum + rate(time));
    let data = "";
    for (let time = 0; time < times; time++)
      data += `${time === 0 ? "M" : "L"}${svgNumber(px(time))} ${svgNumber(y.at(100 * upper[time]!))}`;
    if (times === 1) data += `H${svgNumber(right)}V${svgNumber(y.at(100 * lower[0]!))}`;
    for (let time = times - 1; time >= 0; time--)
      data += `L${svgNumber(px(time))} ${svgNumber(y.at(100 * lower[time]!))}`;
    const span = [rate(0), rate(times - 1)].map((share) => percent(share));
    picture.path(`${data}z`, {
      fill: ink,
      opacity: 0.85,
      title: `${name}: ${span.join(" at first, ")} at last`,
    });
    lower = upper;
  }
}

/** The operators in their order; those with the lowest mean rates together where there are more than inks. */
function seriesOf({ operators, candidates, rates }: PictureRates): Series[] {
  const width = operators.length;
  const rate = (operator: number) => (time: number) => rates[time * width + operator]!;
  const all = operators.map((name, i) => ({ name, rate: rate(i), i }));
  if (width <= SERIES.length) return all.map((each, k) => ({ ...each, ink: SERIES[k]! }));
  const means = all.map(({ rate }) =>
    Array.from(candidates, (_, time) => rate(time)).reduce((a, b) => a + b, 0),
  );
  const order = all.map(({ i }) => i).sort((a, b) => means[b]! - means[a]! || a - b);
  const kept = new Set(order.slice(0, SERIES.length - 1));
  const others = all.filter(({ i }) => !kept.has(i));
  return [
    ...all.filter(({ i }) => kept.has(i)).map((each, k) => ({ ...each, ink: SERIES[k]! })),
    {
      name: `${grouped(others.length)} others`,
      ink: SERIES.at(-1)!,
      rate: (time) => others.reduce((sum, other) => sum + other.rate(time), 0),
    },
  ];
}

function areShares({ operators, candidates, rates }: PictureRates): boolean {
  for (let time = 0; time < candidates.length; time++) {
    let sum = 0;
    for (let i = 0; i < operators.length; i++) sum += rates[time * operators.length + i]!;
    // Nothing has been made yet where all are 0.
    if (!(Math.abs(sum - 1) < 1e-6 || sum === 0)) return false;
  }
  return true;
}

function checkRates(history: unknown): asserts history is PictureRates {
  if (typeof history !== "object" || history === null) throw invalid("rates over time", history);
  const { operators, candidates, rates } = history as Partial<PictureRates>;
  if (!Array.isArray(operators) || operators.some((name) => typeof name !== "string"))
    throw invalid("names as `operators`", operators);
  const times = numbersIn(candidates);
  if (times === undefined) throw invalid("numbers as `candidates`", candidates);
  checkTimes(candidates!, "`candidates`");
  const expected = times * operators.length;
  if (numbersIn(rates) !== expected) throw invalid(`${expected} numbers as \`rates\``, rates);
  // Rates may be above 1 by rounding.
  for (let i = 0; i < expected; i++)
    if (!(rates![i]! >= 0 && rates![i]! <= 1 + 1e-6))
      throw invalid("numbers from 0 to 1 as `rates`", rates![i]);
}
