// The card that shows how many programs a thread does in a second, for each size of packs that was tried.
import type { PipelinePlan } from "../pipeline.js";
import type { SizeCost } from "../scheduling/tuner.js";
import { type Box, frame, nothing, PADDING } from "./card.js";
import { grouped, significant, ticksTo } from "./figures.js";
import { type Picture, widthOf } from "./svg.js";

/** Programs a second on one thread. */
const rateOf = ({ compileMs, runMs }: SizeCost): number => 1000 / (compileMs + runMs);

const KINDS = {
  alternatives: "alternatives of one kernel",
  kernels: "kernels of one module",
  single: "each program alone",
} as const;

export function curveCard(picture: Picture, box: Box, { kind, size, settled, curve }: PipelinePlan): void {
  const chosen = settled ? `, packs of ${grouped(size)}` : "";
  frame(picture, box, "Programs a second against pack size", `on one thread; ${KINDS[kind]}${chosen}`);
  const points = curve
    .filter((cost) => cost.compileMs + cost.runMs > 0 && cost.size > 0)
    .toSorted((a, b) => a.size - b.size);
  if (points.length === 0) {
    nothing(picture, box, "no whole pack was run");
    return;
  }
  const ticks = ticksTo(Math.max(...points.map(rateOf)), 4);
  const labels = ticks.map(significant);
  const left = box.x + PADDING + Math.max(...labels.map((label) => widthOf(label, 11))) + 10;
  const right = box.x + box.width - PADDING - 14;
  const [top, base] = [box.y + 78, box.y + box.height - 48];
  const py = (rate: number): number => base - (rate / ticks.at(-1)!) * (base - top);
  const px = placeOf(points, left + 16, right);
  for (const [i, tick] of ticks.entries()) {
    picture.line(left, py(tick), right + 14, py(tick), "rule");
    picture.text(left - 10, py(tick) + 4, labels[i]!, { size: 11, ink: "muted", anchor: "end" });
  }
  let free = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const label = grouped(point.size);
    const half = widthOf(label, 11) / 2 + 4;
    if (px(point) - half < free) continue;
    free = px(point) + half;
    picture.text(px(point), base + 18, label, { size: 11, ink: "muted", anchor: "middle" });
  }
  picture.text((left + right) / 2, base + 36, "programs in a pack", {
    size: 11,
    ink: "muted",
    anchor: "middle",
  });
  const places = points.map((point): readonly [number, number] => [px(point), py(rateOf(point))]);
  if (places.length > 1) picture.path(places, "compile");
  for (const [i, point] of points.entries()) {
    const [x, y] = places[i]!;
    const words = `${significant(rateOf(point))} programs a second in packs of ${grouped(point.size)}`;
    picture.dot(x, y, settled && point.size === size ? 5 : 3, "compile", words);
  }
  bestLabel(picture, points, places, { left, right: right + 14, top });
}

/** The figure of the best size, above its point. */
function bestLabel(
  picture: Picture,
  points: readonly SizeCost[],
  places: readonly (readonly [number, number])[],
  plot: { readonly left: number; readonly right: number; readonly top: number },
): void {
  const best = points.reduce((a, b) => (rateOf(b) > rateOf(a) ? b : a));
  const [x, y] = places[points.indexOf(best)]!;
  const words = significant(rateOf(best));
  const half = widthOf(words, 12) / 2;
  const middle = Math.max(plot.left + half, Math.min(x, plot.right - half));
  picture.text(middle, Math.max(y - 11, plot.top - 8), words, {
    size: 12,
    weight: 600,
    anchor: "middle",
  });
}

/** Sizes on a logarithmic axis; a single one is in the middle. */
function placeOf(points: readonly SizeCost[], from: number, to: number): (point: SizeCost) => number {
  const [least, most] = [Math.log(points[0]!.size), Math.log(points.at(-1)!.size)];
  if (least === most) return () => (from + to) / 2;
  return ({ size }) => from + ((Math.log(size) - least) / (most - least)) * (to - from);
}
