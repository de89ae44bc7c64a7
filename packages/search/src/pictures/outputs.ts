// What an elite computes against what it should, with the error below.
import { isObject, isOneOf, isText } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import { type Key, keys } from "./drawing/keys.js";
import { type Box, card, MARGIN, nothing, PADDING, page, TOP } from "./drawing/page.js";
import { drawBand, drawCurve, drawGrid, labelRoom } from "./drawing/plot.js";
import { Extent, positionScale, type Scale } from "./drawing/scales.js";
import { type Ink, Picture, type PictureTheme } from "./drawing/svg.js";
import { counted, grouped, significant } from "./drawing/words.js";
import { numbersIn } from "./rows.js";

/** The outputs of a program in all cases. */
export interface NamedOutputs {
  readonly name: string;
  readonly outputs: ArrayLike<number>;
}

/** What `eliteOutputs` shows. */
export interface OutputContent extends NamedOutputs {
  /** The input, if there is only one; otherwise, outputs are shown against the target. */
  readonly x?: ArrayLike<number>;
  readonly target: ArrayLike<number>;
  /** The least and the greatest outputs that are possible, for example those that PTX permits for approximate instructions. */
  readonly band?: {
    readonly name: string;
    readonly low: ArrayLike<number>;
    readonly high: ArrayLike<number>;
  };
  /** Other programs to compare with, at most 4. */
  readonly others?: readonly NamedOutputs[];
  /** What the input and the target are called; by default, `x` and `target`. */
  readonly inputName?: string;
  readonly targetName?: string;
}

/** Options of `eliteOutputs`. */
export interface OutputOptions {
  readonly title?: string;
  readonly theme?: PictureTheme;
}

const WIDTH = 1000;
const INNER = WIDTH - 2 * MARGIN;
const GAP = 16;
const UPPER = 340;
const LOWER = 260;
/** The most points of a scatter plot. */
const MOST_POINTS = 1500;
/** Curves of up to this many points have dots. */
const MOST_DOTS = 64;
const OTHERS: readonly Ink[] = ["orange", "purple", "teal", "pink"];

/**
 * Draws the outputs of an elite as SVG: of one input, as curves; of more, against the target. The errors, which are outputs less the
 * target, are below.
 *
 * @throws SearchError INVALID_ARGUMENT
 */
export function eliteOutputs(content: OutputContent, options: OutputOptions = {}): string {
  checkContent(content);
  const { theme = "auto", ...given } = readOptions<OutputOptions>(
    options,
    { title: isText, theme: isOneOf(["auto", "light", "dark"]) },
    { of: "`eliteOutputs`" },
  );
  const { name, targetName = "target", band } = content;
  const title = given.title ?? `${name} against ${targetName}`;
  const programs = programsOf(content);
  const entries: Key[] = [
    ...(content.x === undefined ? [] : [{ name: targetName, ink: "faint" as const }]),
    ...programs.map(({ name, ink, worst, error }) => ({
      name: worst < 0 ? name : `${name}, largest error ${significant(error)}`,
      ink,
    })),
    ...(band === undefined ? [] : [{ name: band.name, ink: "cyan" as const, opacity: 0.4 }]),
  ];
  const keysHeight = keys(undefined, 0, 0, INNER, entries) + 6;
  const top = TOP + keysHeight;
  const height = top + UPPER + GAP + LOWER + MARGIN;
  const picture = new Picture(theme);
  const note = noteOf(content, programs[0]!);
  page(picture, WIDTH, height, title, note);
  keys(picture, MARGIN, TOP - 4, INNER, entries);
  const upper: Box = { x: MARGIN, y: top, width: INNER, height: UPPER };
  const lower: Box = { x: MARGIN, y: top + UPPER + GAP, width: INNER, height: LOWER };
  card(picture, upper);
  card(picture, lower);
  if (programs.every(({ worst }) => worst < 0)) nothing(picture, upper, "no output is finite");
  else if (content.x === undefined) drawScatter(picture, upper, lower, content, programs);
  else drawCurves(picture, upper, lower, content, programs, content.x);
  return picture.toString(WIDTH, height, `${title}: ${note}`);
}

interface Program extends NamedOutputs {
  readonly ink: Ink;
  /** The case with the largest error, or -1. */
  readonly worst: number;
  /** The largest error; NaN without one. */
  readonly error: number;
  readonly notFinite: number;
}

function programsOf({ name, outputs, target, others = [] }: OutputContent): Program[] {
  return [{ name, outputs }, ...others].map(({ name, outputs }, i) => {
    let [worst, error, notFinite] = [-1, Number.NaN, 0];
    for (let k = 0; k < target.length; k++) {
      if (!Number.isFinite(outputs[k])) notFinite++;
      const size = Math.abs(outputs[k]! - target[k]!);
      if (Number.isFinite(size) && !(size <= error)) [worst, error] = [k, size];
    }
    return {
      name,
      outputs,
      worst,
      error,
      notFinite,
      ink: i === 0 ? "blue" : OTHERS[(i - 1) % OTHERS.length]!,
    };
  });
}

function noteOf({ x, target, inputName = "x" }: OutputContent, { worst, error, notFinite }: Program): string {
  const place = x === undefined ? `case ${grouped(worst)}` : `${inputName} = ${significant(x[worst]!)}`;
  return [
    counted(target.length, "case"),
    ...(worst < 0 ? [] : [`largest error ${significant(error)} at ${place}`]),
    ...(notFinite === 0 ? [] : [`${counted(notFinite, "output")} not finite`]),
    ...(x === undefined && target.length > MOST_POINTS ? [`${grouped(MOST_POINTS)} shown`] : []),
  ].join("; ");
}

function drawCurves(
  picture: Picture,
  upper: Box,
  lower: Box,
  content: OutputContent,
  programs: readonly Program[],
  input: ArrayLike<number>,
): void {
  const { target, band, inputName = "x", targetName = "target" } = content;
  const order = Array.from(input, (_, i) => i)
    .filter((i) => Number.isFinite(input[i]))
    .sort((a, b) => input[a]! - input[b]! || a - b);
  const ex = new Extent("linear");
  for (const i of order) ex.add(input[i]!);
  const curves = programs
    .map(({ name, ink, outputs }): Line => ({ name, ink, values: outputs, width: 2 }))
    .toReversed();
  const wanted: Line = { name: targetName, ink: "faint", values: target, width: 5 };
  const parts: readonly Part[] = [
    { box: upper, title: targetName, lines: [wanted, ...curves], of: (_, value) => value },
    { box: lower, title: "error", lines: curves, of: (i, value) => value - target[i]! },
  ];
  const extents = parts.map(({ lines, of }, k) => {
    const ey = new Extent("linear");
    if (k === 1) ey.add(0);
    for (const { values } of lines) for (const i of order) ey.add(of(i, values[i]!));
    for (const values of band === undefined ? [] : [band.low, band.high])
      for (const i of order) ey.add(of(i, values[i]!));
    return ey;
  });
  const plots = drawGrids(
    ...([picture, ex, inputName] as const),
    parts.map(({ box, title }, i) => ({ box, title, extent: extents[i]! })),
  );
  for (const [k, { lines, of }] of parts.entries()) {
    const { x, y } = plots[k]!;
    const px = (at: number): number => x.at(input[order[at]!]!);
    const py =
      (values: ArrayLike<number>) =>
      (at: number): number =>
        y.at(of(order[at]!, values[order[at]!]!));
    if (band !== undefined) {
      const style = { fill: "cyan", opacity: 0.25, title: band.name } as const;
      drawBand(picture, order.length, px, py(band.low), py(band.high), style);
    }
    for (const { values, ink, name, width } of lines) {
      drawCurve(picture, order.length, px, py(values), { stroke: ink, width, title: name });
      if (order.length > MOST_DOTS) continue;
      for (const [at, i] of order.entries()) {
        const title = `${name}: ${significant(of(i, values[i]!), 6)} at ${inputName} = ${significant(input[i]!, 6)}`;
        const [left, top] = [px(at), py(values)(at)];
        if (Number.isFinite(top)) picture.dot(left, top, width === 2 ? 3 : 4, { fill: ink, title });
      }
    }
  }
}

interface Part {
  readonly box: Box;
  readonly title: string;
  readonly lines: readonly Line[];
  /** What is shown of the value of a case. */
  readonly of: (i: number, value: number) => number;
}

interface Line {
  readonly name: string;
  readonly ink: Ink;
  readonly values: ArrayLike<number>;
  readonly width: number;
}

function drawScatter(
  picture: Picture,
  upper: Box,
  lower: Box,
  { target, targetName = "target", band }: OutputContent,
  programs: readonly Program[],
): void {
  const ex = new Extent("linear");
  for (let i = 0; i < target.length; i++) ex.add(target[i]!);
  const parts = [
    { box: upper, title: "output", of: (_: number, value: number) => value, wanted: [ex.least, ex.most] },
    { box: lower, title: "error", of: (i: number, value: number) => value - target[i]!, wanted: [0, 0] },
  ] as const;
  const extents = parts.map(({ of, wanted }) => {
    const ey = new Extent("linear");
    for (const end of wanted) ey.add(end);
    for (const { outputs } of programs) for (let i = 0; i < target.length; i++) ey.add(of(i, outputs[i]!));
    return ey;
  });
  const plots = drawGrids(
    ...([picture, ex, targetName] as const),
    parts.map(({ box, title }, i) => ({ box, title, extent: extents[i]! })),
  );
  for (const [k, { of, wanted }] of parts.entries()) {
    const { x, y } = plots[k]!;
    const [from, to] = [x.at(ex.least), x.at(ex.most)];
    picture.line(from, y.at(wanted[0]), to, y.at(wanted[1]), { stroke: "faint", width: 1.5 });
    for (const [index, { outputs, ink, name, worst }] of [...programs.entries()].toReversed())
      for (const i of sampled(target.length, worst)) {
        const [px, py] = [x.at(target[i]!), y.at(of(i, outputs[i]!))];
        if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
        if (band !== undefined && index === 0) {
          const [low, high] = [y.at(of(i, band.low[i]!)), y.at(of(i, band.high[i]!))];
          if (Number.isFinite(low) && Number.isFinite(high))
            picture.line(px, low, px, high, { stroke: "cyan", opacity: 0.5 });
        }
        const title = `${name}, case ${grouped(i)}: ${significant(outputs[i]!, 6)} for ${significant(target[i]!, 6)}`;
        picture.dot(px, py, 2.5, { fill: ink, opacity: 0.7, title });
      }
  }
}

/** Evenly spaced cases, the one with the largest error among them. */
function sampled(count: number, worst: number): number[] {
  if (count <= MOST_POINTS) return Array.from({ length: count }, (_, i) => i);
  const cases = new Set(
    Array.from({ length: MOST_POINTS - 1 }, (_, k) => Math.floor((k * count) / (MOST_POINTS - 1))),
  );
  return [...cases.add(Math.max(0, worst))].sort((a, b) => a - b);
}

interface Plot {
  readonly x: Scale;
  readonly y: Scale;
}

/** Draws the grids of both plots, which have the same horizontal axis. */
function drawGrids(
  picture: Picture,
  ex: Extent,
  xTitle: string,
  plots: readonly { readonly box: Box; readonly extent: Extent; readonly title: string }[],
): Plot[] {
  const vertical = plots.map(({ box, extent }) => {
    const [top, base] = [box.y + PADDING, box.y + box.height - 50];
    return { top, base, y: positionScale(extent, base, top, { kind: "linear", ticks: 6, isRound: true }) };
  });
  const left = MARGIN + PADDING + Math.max(...vertical.map(({ y }) => labelRoom(y.ticks, true)));
  const right = WIDTH - MARGIN - PADDING - 6;
  const x = positionScale(ex, left, right, { kind: "linear", ticks: 10 });
  return vertical.map(({ top, base, y }, i) => {
    drawGrid(picture, { left, right, top, base }, x, y, { x: xTitle, y: plots[i]!.title });
    return { x, y };
  });
}

function checkContent(content: unknown): asserts content is OutputContent {
  const { x, band, others, ...rest } = readOptions<OutputContent>(
    content,
    {
      ...{ name: isText, inputName: isText, targetName: isText, band: isObject },
      ...{ outputs: () => undefined, target: () => undefined, x: () => undefined, others: () => undefined },
    },
    { of: "`eliteOutputs`", required: ["name", "target", "outputs"] },
  );
  const count = numbersIn(rest.target);
  if (count === undefined) throw invalid("numbers as `target`", rest.target);
  const check = (numbers: unknown, name: string): void => {
    if (numbersIn(numbers) !== count)
      throw invalid(`${count} numbers as \`${name}\`, one for each of \`target\``, numbers);
  };
  check(rest.outputs, "outputs");
  if (x !== undefined) check(x, "x");
  if (band !== undefined) {
    if (typeof band.name !== "string") throw invalid("a string as `band.name`", band.name);
    check(band.low, "band.low");
    check(band.high, "band.high");
  }
  if (others === undefined) return;
  if (!Array.isArray(others) || others.length > OTHERS.length)
    throw invalid(`a list of at most ${OTHERS.length} as \`others\``, others);
  for (const [i, other] of others.entries()) {
    if (typeof other?.name !== "string") throw invalid(`a string as \`others[${i}].name\``, other?.name);
    check(other.outputs, `others[${i}].outputs`);
  }
}
