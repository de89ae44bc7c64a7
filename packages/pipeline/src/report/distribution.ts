// The card that shows how a figure is distributed over the programs.
import { type Bin, type Histogram, histogramOf } from "./bins.js";
import { type Box, frame, nothing, PADDING } from "./card.js";
import { counted, grouped, significant } from "./figures.js";
import { type Picture, widthOf } from "./svg.js";

const MOST_BINS = 36;

export function distributionCard(
  picture: Picture,
  box: Box,
  { name, values }: { readonly name: string; readonly values: ArrayLike<number> },
): void {
  const title = `Distribution of ${name}`;
  const histogram = histogramOf(values, MOST_BINS);
  if (histogram === undefined) {
    frame(picture, box, title, counted(values.length, "program"));
    nothing(picture, box, values.length === 0 ? "no program has one" : "no value is finite");
    return;
  }
  frame(picture, box, title, noteOf(histogram, values.length));
  const { bins, step } = histogram;
  const [top, base] = [box.y + 84, box.y + box.height - 34];
  const plot = { left: box.x + PADDING, right: box.x + box.width - PADDING, base };
  const most = Math.max(...bins.map(({ count }) => count));
  const slot = (plot.right - plot.left) / bins.length;
  const width = Math.min(slot - Math.min(3, slot * 0.2), 46);
  const peak = bins.findIndex(({ count }) => count === most);
  for (const [i, bin] of bins.entries()) {
    if (bin.count === 0) continue;
    const height = Math.max(1.5, (bin.count / most) * (base - top));
    const middle = plot.left + slot * (i + 0.5);
    const words = `${spanOf(bin, step)}: ${counted(bin.count, "program")}`;
    picture.column(middle - width / 2, base, width, height, "compile", words);
    if (i === peak) {
      const half = widthOf(grouped(most), 11) / 2;
      const x = Math.min(Math.max(middle, plot.left + half), plot.right - half);
      picture.text(x, top - 6, grouped(most), { size: 11, ink: "muted", anchor: "middle" });
    }
  }
  picture.line(plot.left, base + 0.5, plot.right, base + 0.5, "edge");
  ticks(picture, histogram, plot, slot);
}

const spanOf = ({ from, to }: Bin, step: number | undefined): string =>
  step === undefined ? `${significant(from)} to ${significant(to)}` : significant(from);

function noteOf({ least, median, most, zeros, notFinite }: Histogram, count: number): string {
  return [
    `${counted(count, "program")}: ${significant(least)} to ${significant(most)}, median ${significant(median)}`,
    ...(zeros === 0 ? [] : [`zeros (not shown): ${grouped(zeros)}`]),
    ...(notFinite === 0 ? [] : [`not finite: ${grouped(notFinite)}`]),
  ].join("; ");
}

/** The places and texts of labels, as many as fit. */
function ticks(picture: Picture, histogram: Histogram, plot: Plot, slot: number): void {
  let free = Number.NEGATIVE_INFINITY;
  for (const [place, value] of marks(histogram)) {
    const x = plot.left + slot * place;
    const label = significant(value);
    const half = widthOf(label, 11) / 2;
    const middle = Math.min(Math.max(x, plot.left + half), plot.right - half);
    if (middle - half < free) continue;
    free = middle + half + 12;
    picture.line(x, plot.base + 1, x, plot.base + 5, "edge");
    picture.text(middle, plot.base + 19, label, { size: 11, ink: "muted", anchor: "middle" });
  }
}

/** Values that may be labelled, with their places in bins from the left. */
function marks({ bins, step, isLogarithmic }: Histogram): (readonly [place: number, value: number])[] {
  // A bin of one number is labelled below its middle, others where they begin.
  if (bins.length === 1) return [[0.5, bins[0]!.from]];
  if (!isLogarithmic) return bins.map(({ from }, i) => [step === undefined ? i : i + 0.5, from]);
  const [first, last] = [Math.log10(bins[0]!.from), Math.log10(bins.at(-1)!.to)];
  const powers = Array.from(
    { length: Math.floor(last + 1e-9) - Math.ceil(first - 1e-9) + 1 },
    (_, i) => Math.ceil(first - 1e-9) + i,
  );
  return powers.map((power) => [((power - first) / (last - first)) * bins.length, 10 ** power]);
}

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly base: number;
}
