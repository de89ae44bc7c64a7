// A card of the picture: how a figure is distributed over the programs.

import { counted, grouped } from "./figures.js";
import { type Bin, histogram, rangeOf } from "./statistics.js";
import { column, line, rect, text } from "./svg.js";

export interface HistogramCard {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** What is counted along the axis, for example `registers`. */
  readonly unit: string;
  readonly values: readonly number[];
}

const PADDING = 20;
const MOST_BINS = 18;

/** Below the axis at the median, and beside its figure. */
const MEDIAN_MARK = "▲";

export function histogramCard(card: HistogramCard): string[] {
  const { x, y, width, height, values } = card;
  const frame = [
    rect(x, y, width, height, { ink: "card", edge: "edge", radius: 10 }),
    text(x + PADDING, y + 30, card.title, { size: 14, weight: 600 }),
  ];
  const range = rangeOf(values);
  if (range === undefined) {
    return [
      ...frame,
      text(x + width / 2, y + height / 2 + 8, "nothing was compiled", { ink: "muted", anchor: "middle" }),
    ];
  }
  const summary = `${grouped(range.min)} to ${grouped(range.max)}, median ${grouped(range.median)} ${MEDIAN_MARK}`;
  const bins = histogram(values, MOST_BINS);
  const plot = { left: x + PADDING, right: x + width - PADDING, top: y + 78, base: y + height - 40 };
  return [
    ...frame,
    text(x + PADDING, y + 50, summary, { size: 12.5, ink: "muted" }),
    ...columns(card, bins, plot),
    ...median(bins, range.median, plot),
    line(plot.left, plot.base + 0.5, plot.right, plot.base + 0.5, "rule"),
    ...ticks(bins, plot),
  ];
}

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly base: number;
}

function columns(card: HistogramCard, bins: readonly Bin[], plot: Plot): string[] {
  const most = Math.max(...bins.map(({ count }) => count));
  const slot = (plot.right - plot.left) / bins.length;
  const gap = Math.min(3, slot * 0.2);
  const width = Math.min(slot - gap, 46);
  return bins.flatMap((bin, i) => {
    if (bin.count === 0) return [];
    const height = Math.max(1.5, (bin.count / most) * (plot.base - plot.top));
    const left = plot.left + slot * i + (slot - width) / 2;
    const title = `${span(bin)} ${card.unit}: ${counted(bin.count, "program")}`;
    const bar = column(left, plot.base, width, height, "bar", title);
    if (bin.count < most) return [bar];
    return [
      bar,
      text(left + width / 2, plot.base - height - 6, counted(bin.count, "program"), {
        size: 11,
        ink: "muted",
        anchor: "middle",
      }),
    ];
  });
}

/** A small mark below the axis at the median. */
function median(bins: readonly Bin[], value: number, plot: Plot): string[] {
  const style = { size: 9, anchor: "middle" } as const;
  return [text(centre(bins, value, plot), plot.base + 10, MEDIAN_MARK, style)];
}

/**
 * Ticks as close as they fit: below the middle of bars for one value each, and otherwise at the edges of the bars, where
 * the values begin.
 */
function ticks(bins: readonly Bin[], plot: Plot): string[] {
  const isOne = bins.every(({ from, to }) => to - 1 === from);
  const edges = bins.map(({ from }) => from);
  const places = isOne ? edges : [...edges, bins.at(-1)!.to];
  const widest = Math.max(...places.map((from) => grouped(from).length)) * 7 + 14;
  const slot = (plot.right - plot.left) / bins.length;
  const every = Math.max(1, Math.ceil(widest / slot));
  return places.flatMap((from, i) =>
    i % every === 0
      ? [
          text(plot.left + slot * (i + (isOne ? 0.5 : 0)), plot.base + 24, grouped(from), {
            size: 11,
            ink: "muted",
            anchor: "middle",
            tabular: true,
          }),
        ]
      : [],
  );
}

function centre(bins: readonly Bin[], value: number, plot: Plot): number {
  const index = bins.findIndex((bin) => value >= bin.from && value < bin.to);
  return plot.left + ((plot.right - plot.left) / bins.length) * (index + 0.5);
}

function span({ from, to }: Bin): string {
  return to - 1 === from ? grouped(from) : `${grouped(from)} to ${grouped(to - 1)}`;
}
