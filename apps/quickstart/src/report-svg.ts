// The picture of a run: headline figures, three distributions, and where the time went.

import { counted, grouped, percent, significant, time } from "./figures.js";
import { type Distributions, type Report, STAGES } from "./report.js";
import { histogramCard } from "./report-histogram.js";
import { type Ink, picture, rect, text } from "./svg.js";

const WIDTH = 1000;
const MARGIN = 32;
const GAP = 16;
const INNER = WIDTH - 2 * MARGIN;
const HEADER_TOP = 60;
const FIGURES_TOP = 108;
const CARDS_TOP = 196;
const CARD_HEIGHT = 236;
const TIME_TOP = CARDS_TOP + CARD_HEIGHT + GAP;
const TIME_HEIGHT = 132;
const HEIGHT = TIME_TOP + TIME_HEIGHT + MARGIN;

/** The SVG as text. The same run gives the same picture, except for measured times. */
export function drawReport(report: Report, distributions: Distributions): string {
  const label = `${counted(report.programs, "program")}, ${counted(report.compiled, "cubin")} for ${report.arch}`;
  return picture(WIDTH, HEIGHT, label, [
    rect(0, 0, WIDTH, HEIGHT, { ink: "page", radius: 14 }),
    ...header(report),
    ...headlines(report),
    ...cards(distributions),
    ...timeCard(report),
  ]);
}

function header(report: Report): string[] {
  const about = [
    report.arch,
    `seed ${report.seed}`,
    report.compiler ?? "nothing here compiles PTX",
    counted(report.workers, "worker"),
    ...(report.interrupted ? [`stopped after ${grouped(report.done)}`] : []),
  ];
  return [
    text(
      MARGIN,
      HEADER_TOP,
      `${counted(report.programs, "random program")}, ${counted(report.compiled, "cubin")}`,
      {
        size: 26,
        weight: 700,
      },
    ),
    text(MARGIN, HEADER_TOP + 25, about.join(" · "), { ink: "muted" }),
  ];
}

interface Headline {
  readonly figure: string;
  readonly words: string;
  readonly ink?: Ink;
}

function headlines(report: Report): string[] {
  const { stages, checks } = report;
  const { run, gpu, elf, ptxas } = checks;
  const all: Headline[] = [
    report.compilesPerSecond === 0 && report.origins.cache > 0
      ? { figure: grouped(report.origins.cache), words: "cubins from the cache" }
      : {
          figure: report.compilesPerSecond === 0 ? "–" : significant(report.compilesPerSecond),
          words: "compiles a second",
        },
    { figure: significant(report.programsPerSecond), words: "programs a second" },
    "skipped" in gpu
      ? { figure: time(stages.stub.microsecondsPerProgram), words: "to make a stub" }
      : {
          figure: significant(report.launchesPerSecond),
          words: "launches a second",
          ink: gpu.wrong === 0 ? "good" : "bad",
        },
    {
      figure:
        elf.passed === elf.total ? grouped(elf.total) : `${grouped(elf.passed)} of ${grouped(elf.total)}`,
      words: `valid cubins for ${report.arch}`,
      ink: elf.total === 0 ? "muted" : elf.passed === elf.total ? "good" : "bad",
    },
    "skipped" in run
      ? { figure: "–", words: "not run" }
      : {
          figure: run.agreed === run.ran ? grouped(run.ran) : `${grouped(run.agreed)} of ${grouped(run.ran)}`,
          words: "match the reference",
          ink: run.agreed === run.ran ? "good" : "bad",
        },
    "skipped" in ptxas
      ? { figure: "–", words: "not compared with ptxas" }
      : {
          figure: `${ptxas.equal} of ${ptxas.compared}`,
          words: `equal to ptxas ${ptxas.version}`,
          ink: ptxas.equal === ptxas.compared ? "good" : "bad",
        },
  ];
  const slot = INNER / all.length;
  return all.flatMap(({ figure, words, ink = "text" }, i) => [
    text(MARGIN + slot * i, FIGURES_TOP + 30, figure, { size: 24, weight: 600, ink }),
    text(MARGIN + slot * i, FIGURES_TOP + 52, words, { size: 12, ink: "muted" }),
  ]);
}

function cards({ liveInstructions, registers, cubinBytes }: Distributions): string[] {
  const width = (INNER - 2 * GAP) / 3;
  const place = (column: number): { x: number; y: number; width: number; height: number } => ({
    x: MARGIN + column * (width + GAP),
    y: CARDS_TOP,
    width,
    height: CARD_HEIGHT,
  });
  return [
    ...histogramCard({
      ...place(0),
      title: "Live instructions a program",
      unit: "instructions",
      values: liveInstructions,
    }),
    ...histogramCard({
      ...place(1),
      title: "Registers a thread",
      unit: "registers",
      values: registers,
    }),
    ...histogramCard({ ...place(2), title: "Bytes a cubin", unit: "bytes", values: cubinBytes }),
  ];
}

/** One bar for the whole time; slivers stay wide enough to be seen. */
function timeCard(report: Report): string[] {
  const [left, width] = [MARGIN + 20, INNER - 40];
  const barTop = TIME_TOP + 48;
  const visible = STAGES.filter((stage) => report.stages[stage].share > 0);
  const least = 4;
  const widths = visible.map((stage) => Math.max(least, report.stages[stage].share * width));
  const excess = widths.reduce((sum, one) => sum + one, 0) + 2 * (visible.length - 1) - width;
  const longest = widths.indexOf(Math.max(...widths));
  let x = left;
  const bars = visible.map((stage, i) => {
    const long = widths[i]! - (i === longest ? excess : 0);
    const title = `${stage}: ${percent(report.stages[stage].share)}`;
    const bar = rect(x, barTop, long, 22, { ink: stage, radius: 3, title });
    x += long + 2;
    return bar;
  });
  const slot = width / Math.max(3, visible.length);
  // With more than three there is no room for it.
  const each = visible.length > 3 ? "" : " a program";
  const legend = visible.flatMap((stage, i) => {
    const { microsecondsPerProgram, share } = report.stages[stage];
    const at = left + slot * i;
    return [
      rect(at, TIME_TOP + 84, 10, 10, { ink: stage, radius: 2.5 }),
      text(at + 17, TIME_TOP + 93, stage, { weight: 600 }),
      text(at + 17, TIME_TOP + 111, `${time(microsecondsPerProgram)}${each}, ${percent(share)}`, {
        ink: "muted",
        size: 12,
      }),
    ];
  });
  return [
    rect(MARGIN, TIME_TOP, INNER, TIME_HEIGHT, { ink: "card", edge: "edge", radius: 10 }),
    text(left, TIME_TOP + 30, "Where the time went", { size: 14, weight: 600 }),
    ...bars,
    ...legend,
  ];
}
