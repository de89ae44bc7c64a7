// The axes of an archive: which bin of each a cell belongs to, and what bins are called.
import { describeValue, isText, isWhole } from "@mm-ptx/types/internal";
import { invalid } from "../options.js";
import { named, significant } from "./drawing/words.js";

/** A bin for each whole number from `from` to `to`. */
export interface IntegerAxis {
  readonly kind: "integer";
  readonly name: string;
  readonly unit?: string;
  readonly from: number;
  readonly to: number;
}

/** Bins of equal width between `from` and `to`; measures beyond are in the outer bins. */
export interface RealAxis {
  readonly kind: "real";
  readonly name: string;
  readonly unit?: string;
  readonly from: number;
  readonly to: number;
  readonly cells: number;
}

/** A bin for each label; measures are indices of labels. */
export interface CategoricalAxis {
  readonly kind: "categorical";
  readonly name: string;
  readonly labels: readonly string[];
}

/** An axis of an archive, in the order of its measures. */
export type PictureAxis = IntegerAxis | RealAxis | CategoricalAxis;

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
  const { kind, name, unit, from, to, cells, labels } = axis as Partial<
    Record<"kind" | "name" | "unit" | "from" | "to" | "cells" | "labels", unknown>
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
  const bins = kind === "real" ? (cells as number) : (to as number) - (from as number) + 1;
  const hasWidth = kind === "integer" || (from as number) < (to as number);
  if (!isOrdered || !hasWidth)
    throw invalid(
      `numbers from \`from\` to \`to\` in ${place}`,
      `${describeValue(from)} and ${describeValue(to)}`,
    );
  if (isWhole(1, MOST_BINS)(bins, "cells") !== undefined)
    throw invalid(`a whole number of bins from 1 to ${MOST_BINS} in ${place}`, bins);
}

export const binCount = (axis: PictureAxis): number =>
  axis.kind === "integer" ? axis.to - axis.from + 1 : axis.kind === "real" ? axis.cells : axis.labels.length;

export const axisTitle = (axis: PictureAxis): string =>
  named(axis.name, axis.kind === "categorical" ? undefined : axis.unit);

/** The bin of a measure; those beyond the axis are in the outer ones. */
export function binOf(axis: PictureAxis, measure: number): number {
  const bin =
    axis.kind === "integer"
      ? Math.round(measure) - axis.from
      : axis.kind === "real"
        ? Math.floor(((measure - axis.from) / (axis.to - axis.from)) * axis.cells)
        : Math.round(measure);
  return Math.max(0, Math.min(bin, binCount(axis) - 1));
}

/** The edge below a bin of a real axis. */
const edgeOf = ({ from, to, cells }: RealAxis, bin: number): number => from + ((to - from) * bin) / cells;

/** What the bins from `first` up to `end` are called. */
export function binWords(axis: PictureAxis, first: number, end = first + 1): string {
  if (axis.kind === "real") return `${significant(edgeOf(axis, first))} to ${significant(edgeOf(axis, end))}`;
  const wordsOf = (bin: number): string =>
    axis.kind === "integer" ? significant(axis.from + bin, 6) : axis.labels[bin]!;
  return end - first === 1 ? wordsOf(first) : `${wordsOf(first)} to ${wordsOf(end - 1)}`;
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
