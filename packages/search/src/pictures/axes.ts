// The axes of an archive: which bin of each a cell belongs to, and what bins are called.
import { describeValue, isText, isWhole } from "@mm-ptx/types/internal";
import { binsOf as binCount, type GridAxis } from "../archives/grid-axes.js";
import { invalid } from "../options.js";
import { named, significant } from "./drawing/words.js";

/** An axis of a grid, in the order of the measures, with the unit of its measures if they have one. */
export type PictureAxis = GridAxis & { readonly unit?: string };

/** A real axis. */
export type RealPictureAxis = Extract<PictureAxis, { kind: "real" }>;

/** The most bins of an axis that pictures read. */
const MOST_BINS = 1e6;

/** @throws SearchError INVALID_ARGUMENT */
export function checkAxes(
  axes: unknown,
  least: number,
  most: number,
): asserts axes is readonly PictureAxis[] {
  if (!Array.isArray(axes) || axes.length < least || axes.length > most)
    throw invalid(
      least === most ? `${least} axes` : `a list of ${least} to ${most} axes`,
      Array.isArray(axes) ? `${axes.length} axes` : axes,
    );
  for (const [i, axis] of axes.entries()) checkAxis(axis, `\`axes[${i}]\``);
}

function checkAxis(axis: unknown, place: string): asserts axis is PictureAxis {
  if (typeof axis !== "object" || axis === null) throw invalid(`an object as ${place}`, axis);
  const { kind, name, unit, from, to, cells, width, labels } = axis as Partial<
    Record<"kind" | "name" | "unit" | "from" | "to" | "cells" | "width" | "labels", unknown>
  >;
  if (typeof name !== "string") throw invalid(`a string as the name of ${place}`, name);
  if (unit !== undefined && typeof unit !== "string") throw invalid(`a string as the unit of ${place}`, unit);
  if (kind === "categorical") {
    const isList = Array.isArray(labels) && labels.length > 0 && labels.length <= MOST_BINS;
    if (!isList || labels.some((label) => isText(label, "label") !== undefined))
      throw invalid(`strings as the labels of ${place}`, labels);
    return;
  }
  if (kind !== "integer" && kind !== "real")
    throw invalid(`\`integer\`, \`real\` or \`categorical\` as the kind of ${place}`, kind);
  const isOrdered = Number.isFinite(from) && Number.isFinite(to) && (from as number) <= (to as number);
  if (kind === "integer" && isWhole(1, Number.MAX_SAFE_INTEGER)(width, "width") !== undefined)
    throw invalid(`a whole number from 1 on as the width of bins of ${place}`, width);
  const hasWidth = kind === "integer" || (from as number) < (to as number);
  if (!isOrdered || !hasWidth)
    throw invalid(
      `numbers from \`from\` to \`to\` in ${place}`,
      `${describeValue(from)} and ${describeValue(to)}`,
    );
  const bins = kind === "real" ? cells : binCount(axis as PictureAxis);
  if (isWhole(1, MOST_BINS)(bins, "cells") !== undefined)
    throw invalid(`a whole number of bins from 1 to ${MOST_BINS} in ${place}`, bins);
}

export { binCount };

export const axisTitle = (axis: PictureAxis): string => named(axis.name, axis.unit);

/** The bin of a measure; those beyond the axis are in the outer ones. */
export function binOf(axis: PictureAxis, measure: number): number {
  const bin =
    axis.kind === "integer"
      ? Math.floor((Math.floor(measure) - axis.from) / axis.width)
      : axis.kind === "real"
        ? Math.floor(((measure - axis.from) / (axis.to - axis.from)) * axis.cells)
        : Math.floor(measure);
  return Math.max(0, Math.min(bin, binCount(axis) - 1));
}

/** The edge below a bin of a real axis. */
const edgeOf = ({ from, to, cells }: RealPictureAxis, bin: number): number =>
  from + ((to - from) * bin) / cells;

/** What the bins from `first` up to `end` are called. */
export function binWords(axis: PictureAxis, first: number, end = first + 1): string {
  if (axis.kind === "real") return `${significant(edgeOf(axis, first))} to ${significant(edgeOf(axis, end))}`;
  if (axis.kind === "integer") {
    const least = axis.from + first * axis.width;
    const most = Math.min(axis.from + end * axis.width - 1, axis.to);
    const [low, high] = [significant(least, 6), significant(most, 6)];
    return least === most ? low : `${low} to ${high}`;
  }
  const [from, to] = [axis.labels[first]!, axis.labels[end - 1]!];
  return end - first === 1 ? from : `${from} to ${to}`;
}

/** The bins of a cell, whose number counts the last axis fastest. */
export function binsOfCell(cell: number, axes: readonly PictureAxis[], into: Int32Array): void {
  let left = cell;
  for (let i = axes.length - 1; i >= 0; i--) {
    const count = binCount(axes[i]!);
    into[i] = left % count;
    left = Math.floor(left / count);
  }
}
