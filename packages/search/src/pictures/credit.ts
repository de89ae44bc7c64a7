// How often a search used each of its variation operators in the course of time.
import { isBoolean, isOneOf, isText } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import { keys } from "./drawing/keys.js";
import { card, MARGIN, nothing, PADDING, page, TOP } from "./drawing/page.js";
import { drawCurve, drawGrid, labelRoom, type PlotBox } from "./drawing/plot.js";
import { Extent, positionScale, type Scale } from "./drawing/scales.js";
import { at, type Ink, Picture, type PictureTheme, SERIES } from "./drawing/svg.js";
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

/** How many new elites operators made over time, as the history of a recorded run has it. */
export interface PictureAdditions {
  readonly operators: readonly string[];
  /** For each time: how many candidates had been evaluated. */
  readonly evaluations: ArrayLike<number>;
  /** `additions[time * operators.length + operator]`: the new elites since the time before. */
  readonly additions: ArrayLike<number>;
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

const WORDS = {
  rates: { x: "candidates", of: "candidates" },
  additions: { x: "evaluations", of: "new elites" },
} as const;

const WIDTH = 1000;
const PLOT = 300;

/**
 * Draws as SVG how much of the candidates each operator made, or how much of the new elites. With more than ten operators, those with the
 * lowest mean rates are one area or line.
 *
 * @throws SearchError INVALID_ARGUMENT
 */
export function operatorCredit(
  given: PictureRates | PictureAdditions,
  options: CreditPictureOptions = {},
): string {
  checkGiven(given);
  const isMade = "additions" in given;
  const history = isMade ? sharesOf(given) : given;
  const {
    title = isMade ? "New elites by operator" : "Use of the operators",
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
  const words = isMade ? WORDS.additions : WORDS.rates;
  const note = `${counted(made, words.x.slice(0, -1))}; share of the ${words.of} that each operator made; the figures are those at the end`;
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
    { isStacked, words },
  );
  return picture.toString(WIDTH, height, `${title}: ${note}`);
}

function drawRates(
  picture: Picture,
  box: PlotBox,
  { candidates }: PictureRates,
  series: readonly Series[],
  { isStacked, words }: { readonly isStacked: boolean; readonly words: (typeof WORDS)[keyof typeof WORDS] },
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
  drawGrid(picture, plot, x, y, { x: words.x, y: `% of the ${words.of}` });
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
      data += `${time === 0 ? "M" : "L"}${at(px(time))} ${at(y.at(100 * upper[time]!))}`;
    if (times === 1) data += `H${at(right)}V${at(y.at(100 * lower[0]!))}`;
    for (let time = times - 1; time >= 0; time--) data += `L${at(px(time))} ${at(y.at(100 * lower[time]!))}`;
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

/** The most times that additions are summed up to: few elites in each would make the picture restless. */
const MOST_SUMS = 60;

/** The part of the new elites that each operator made. Where there is none, the parts are those before. */
function sharesOf({ operators, evaluations, additions }: PictureAdditions): PictureRates {
  const width = operators.length;
  const each = Math.max(1, Math.ceil(evaluations.length / MOST_SUMS));
  const times = Math.ceil(evaluations.length / each);
  const candidates = new Float64Array(times);
  const rates = new Float64Array(times * width);
  for (let time = 0; time < times; time++) {
    const end = Math.min(evaluations.length, (time + 1) * each);
    candidates[time] = evaluations[end - 1]!;
    let all = 0;
    for (let point = time * each; point < end; point++)
      for (let i = 0; i < width; i++) {
        const made = additions[point * width + i]!;
        rates[time * width + i]! += made;
        all += made;
      }
    for (let i = 0; i < width; i++) {
      const at = time * width + i;
      if (all > 0) rates[at]! /= all;
      else if (time > 0) rates[at] = rates[at - width]!;
    }
  }
  return { operators, candidates, rates };
}

function checkGiven(given: unknown): asserts given is PictureRates | PictureAdditions {
  if (typeof given !== "object" || given === null) throw invalid("rates or additions over time", given);
  const { operators, ...others } = given as Record<string, unknown>;
  const [times, numbers] = "additions" in others ? ["evaluations", "additions"] : ["candidates", "rates"];
  if (!Array.isArray(operators) || operators.some((name) => typeof name !== "string"))
    throw invalid("names as `operators`", operators);
  const count = numbersIn(others[times]);
  if (count === undefined) throw invalid(`numbers as \`${times}\``, others[times]);
  checkTimes(others[times] as ArrayLike<number>, `\`${times}\``);
  const expected = count * operators.length;
  const all = others[numbers] as ArrayLike<number>;
  if (numbersIn(all) !== expected) throw invalid(`${expected} numbers as \`${numbers}\``, all);
  const [range, most] = numbers === "rates" ? ["from 0 to 1", 1] : ["from 0 on", Number.MAX_SAFE_INTEGER];
  // Sums of rates may be off by rounding.
  for (let i = 0; i < expected; i++)
    if (!(all[i]! >= 0 && all[i]! <= most + 1e-6))
      throw invalid(`numbers ${range} as \`${numbers}\``, all[i]);
}
