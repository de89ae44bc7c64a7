// The picture of a run: headline figures, where the time went, what packing gained, and how the costs of the programs are distributed.
import { type Check, isNumber, isObject, isOneOf, isText, unexpected } from "@mm-ptx/types/internal";
import { invalid } from "../check.js";
import { readOptions } from "../options.js";
import type { PipelinePlan } from "../pipeline.js";
import type { PipelineStats, Stage } from "../scheduling/counts.js";
import { curveCard } from "./curve.js";
import { distributionCard } from "./distribution.js";
import { counted, grouped, headline, time } from "./figures.js";
import { STAGES, stagesCard } from "./stages.js";
import { fitted, type Ink, Picture, type Theme } from "./svg.js";

/** What a report shows. */
export interface ReportContent {
  /** `pipeline.plan` after the run, or its JSON. */
  readonly plan: PipelinePlan;
  /** `pipeline.stats` after the run, or its JSON. */
  readonly stats: PipelineStats;
  /** A figure of each program, such as its score, `codeBytes`, `registers` or `microseconds`, and its name. */
  readonly costs?: { readonly name: string; readonly values: ArrayLike<number> };
  /** The title; by default, the number of programs. */
  readonly title?: string;
  /** How long the run took in seconds, for the programs a second. */
  readonly seconds?: number;
}

/** Options of `reportSvg`. */
export interface ReportOptions {
  /** The pages that the picture is for: light and dark ones (`auto`, the default), which viewers choose, or only one kind. */
  readonly theme?: Theme;
}

const WIDTH = 1000;
const MARGIN = 32;
const GAP = 16;
const INNER = WIDTH - 2 * MARGIN;
const FIGURES_TOP = 104;
const CARDS_TOP = 184;
const CARD_HEIGHT = 296;
const COSTS_HEIGHT = 240;

/**
 * Draws a run as SVG: time by stage, programs a second against pack size, and the distribution of costs.
 *
 * @throws PipelineError INVALID_ARGUMENT
 */
export function reportSvg(content: ReportContent, options: ReportOptions = {}): string {
  const { plan, stats, costs, title, seconds } = readOptions<ReportContent>(content, CONTENT, {
    of: "`reportSvg`",
    required: ["plan", "stats"],
  });
  const { theme = "auto" } = readOptions<ReportOptions>(options, OPTIONS, { of: "`reportSvg`" });
  checkStats(stats);
  const programs = stats.done + stats.failed + (stats.screened ?? 0);
  const cardWidth = (INNER - GAP) / 2;
  const costsTop = CARDS_TOP + CARD_HEIGHT + GAP;
  const height = costs === undefined ? costsTop - GAP + MARGIN : costsTop + COSTS_HEIGHT + MARGIN;
  const heading = title ?? counted(programs, "program");
  const about = `${seconds === undefined ? "" : `${time(seconds * 1000)}, `}${packingWords(plan)}`;
  const picture = new Picture(theme);
  picture.rect(0, 0, WIDTH, height, { ink: "page", radius: 14 });
  picture.text(MARGIN, 58, fitted(heading, 26, INNER), { size: 26, weight: 700 });
  picture.text(MARGIN, 82, fitted(about, 13, INNER), { ink: "muted" });
  headlines(picture, stats, seconds);
  const box = { y: CARDS_TOP, width: cardWidth, height: CARD_HEIGHT };
  stagesCard(picture, { x: MARGIN, ...box }, stats.milliseconds);
  curveCard(picture, { x: MARGIN + cardWidth + GAP, ...box }, plan);
  if (costs !== undefined)
    distributionCard(picture, { x: MARGIN, y: costsTop, width: INNER, height: COSTS_HEIGHT }, costs);
  return picture.toString(
    WIDTH,
    height,
    `${heading}: ${grouped(stats.done)} done, ${grouped(stats.failed)} failed`,
  );
}

function packingWords({ kind, size, axis, reason }: PipelinePlan): string {
  const why = reason === undefined ? "" : `, because ${reason}`;
  if (kind === "single") return `each program was compiled and run alone${why}`;
  if (kind === "kernels") return `packs of ${grouped(size)} kernels in a module${why}`;
  return `packs of ${grouped(size)} alternatives, chosen by %ctaid.${axis ?? "z"}`;
}

function headlines(picture: Picture, stats: PipelineStats, seconds: number | undefined): void {
  const programs = stats.done + stats.failed + (stats.screened ?? 0);
  const all: { readonly figure: string; readonly words: string; readonly ink?: Ink }[] = [
    ...(seconds === undefined || seconds === 0
      ? []
      : [{ figure: headline(programs / seconds), words: "programs a second" }]),
    { figure: headline(stats.done), words: "done" },
    { figure: headline(stats.failed), words: "failed", ink: stats.failed === 0 ? "text" : "bad" },
    ...(stats.screened ? [{ figure: headline(stats.screened), words: screenedWords(stats) }] : []),
    { figure: headline(stats.duplicates), words: "equal to others" },
    ...(stats.stored === 0 ? [] : [{ figure: headline(stats.stored), words: "from the store" }]),
    {
      figure: headline(stats.packs),
      words: stats.splits === 0 ? "packs" : `packs, ${grouped(stats.splits)} split`,
    },
  ];
  const slot = INNER / all.length;
  for (const [i, { figure, words, ink = "text" }] of all.entries()) {
    const x = MARGIN + slot * i;
    picture.text(x, FIGURES_TOP + 30, fitted(figure, 24, slot - 12), { size: 24, weight: 600, ink });
    picture.text(x, FIGURES_TOP + 52, fitted(words, 12.5, slot - 8), { size: 12.5, ink: "muted" });
  }
}

const screenedWords = ({ explored = 0, misjudged = 0 }: PipelineStats): string =>
  explored === 0 ? "screened" : `screened, ${grouped(misjudged)} of ${grouped(explored)} wrongly`;

const COUNTS = ["taken", "done", "failed", "duplicates", "stored", "packs", "splits"] as const;

const isCount = isNumber(0, Number.MAX_VALUE);

const isPlan: Check = (value, name) => {
  const problem = isObject(value, name);
  if (problem !== undefined) return problem;
  const { kind, size, curve } = value as Partial<PipelinePlan>;
  return (
    isOneOf(["alternatives", "kernels", "single"])(kind, `${name}.kind`) ??
    isCount(size, `${name}.size`) ??
    (Array.isArray(curve) ? undefined : unexpected(`${name}.curve`, "a list", curve)) ??
    curve!
      .map(
        (cost, i) =>
          isObject(cost, `${name}.curve[${i}]`) ??
          isCount(cost.size, `${name}.curve[${i}].size`) ??
          isCount(cost.compileMs, `${name}.curve[${i}].compileMs`) ??
          isCount(cost.runMs, `${name}.curve[${i}].runMs`),
      )
      .find((problem) => problem !== undefined)
  );
};

const isCosts: Check = (value, name) => {
  const problem = isObject(value, name);
  if (problem !== undefined) return problem;
  const { name: title, values } = value as Partial<NonNullable<ReportContent["costs"]>>;
  const isNumbers =
    (ArrayBuffer.isView(values) &&
      !(values instanceof DataView) &&
      !(values instanceof BigInt64Array || values instanceof BigUint64Array)) ||
    (Array.isArray(values) && values.every((each) => typeof each === "number"));
  return (
    isText(title, `${name}.name`) ??
    (isNumbers ? undefined : unexpected(`${name}.values`, "an array of numbers", values))
  );
};

const CONTENT = { plan: isPlan, stats: isObject, costs: isCosts, title: isText, seconds: isCount };
const OPTIONS = { theme: isOneOf(["auto", "light", "dark"]) };

function checkStats(stats: PipelineStats): void {
  for (const name of COUNTS)
    if (isCount(stats[name], name) !== undefined) throw invalid(`a number as \`stats.${name}\``, stats[name]);
  // Runs of earlier versions have no count of these.
  for (const name of ["screened", "explored", "misjudged"] as const)
    if (stats[name] !== undefined && isCount(stats[name], name) !== undefined)
      throw invalid(`a number as \`stats.${name}\``, stats[name]);
  const { milliseconds } = stats;
  for (const stage of Object.keys(STAGES) as Stage[]) {
    const value: unknown = milliseconds?.[stage];
    if (isCount(value, stage) !== undefined)
      throw invalid(`a number as \`stats.milliseconds.${stage}\``, value);
  }
}
