// Named points on a map, such as what others have published: a letter in the cell and a line below the map.
import { type Check, isList, isNumber, isOptions, isText, unexpected } from "@mm-ptx/types/internal";
import { binCount, binOf, type PictureAxis } from "../axes.js";
import { fitted, type Picture } from "../drawing/svg.js";
import { significant, widthOf } from "../drawing/words.js";

/** A named point on a map of an archive. */
export interface PictureMark {
  readonly label: string;
  /** The bin of each axis, counted from 0. */
  readonly cell?: readonly number[];
  /** The measures, instead of the cell. */
  readonly measures?: readonly number[];
  /** Its value, which is printed after its name. */
  readonly value?: number;
}

const isNumbers: Check = isList(isNumber(-Number.MAX_VALUE, Number.MAX_VALUE));

const isMark: Check = (value, name) => {
  const problem = isOptions(
    { label: isText, cell: isNumbers, measures: isNumbers, value: isNumber(-Infinity, Infinity) },
    { required: ["label"] },
  )(value, name);
  if (problem !== undefined) return problem;
  const { cell, measures } = value as PictureMark;
  return (cell === undefined) !== (measures === undefined)
    ? undefined
    : unexpected(name, "either `cell` or `measures`", value);
};

export const areMarks: Check = isList(isMark);

/** A mark with its bins, unless it is beyond the axes. */
export interface PlacedMark {
  readonly mark: PictureMark;
  readonly bins: readonly number[] | undefined;
}

/** The bins of a mark, or undefined if it is beyond the axes. */
export function binsOfMark(
  { cell, measures }: PictureMark,
  axes: readonly PictureAxis[],
): number[] | undefined {
  const found = axes.map((axis, i) => {
    if (cell !== undefined) return cell[i] ?? -1;
    const measure = measures![i] ?? Number.NaN;
    const isInside =
      axis.kind === "categorical"
        ? measure >= 0 && measure < axis.labels.length
        : measure >= axis.from && measure <= axis.to;
    return isInside ? binOf(axis, measure) : -1;
  });
  const isInside = found.every((bin, i) => Number.isInteger(bin) && bin >= 0 && bin < binCount(axes[i]!));
  return isInside ? found : undefined;
}

/** `A` to `Z`, then `A1` and so on. */
export const letterOf = (index: number): string =>
  String.fromCharCode(65 + (index % 26)) + (index < 26 ? "" : `${Math.floor(index / 26)}`);

/** The radius of a badge. */
export const BADGE = 8;

/** Draws the letter of a mark in a circle. */
export function badge(picture: Picture, x: number, y: number, letter: string, title: string): void {
  picture.dot(x, y, BADGE, { fill: "card", stroke: "text", width: 1.5, title });
  picture.text(x, y + 3.5, letter, { size: letter.length > 1 ? 8 : 10, weight: 700, anchor: "middle" });
}

const ROW = 22;

/** Draws the names of marks in as many columns as fit. Without a picture, it only measures. Returns the height. */
export function markList(
  picture: Picture | undefined,
  x: number,
  y: number,
  width: number,
  marks: readonly PlacedMark[],
): number {
  if (marks.length === 0) return 0;
  const words = marks.map(({ mark: { label, value }, bins }) =>
    [
      label,
      ...(value === undefined ? [] : [significant(value)]),
      ...(bins === undefined ? ["beyond the axes"] : []),
    ].join(", "),
  );
  const room = Math.min(width, Math.max(...words.map((each) => widthOf(each, 12))) + 44);
  const columns = Math.max(1, Math.floor(width / room));
  const rows = Math.ceil(marks.length / columns);
  if (picture !== undefined)
    for (const [i, each] of words.entries()) {
      const [left, top] = [x + Math.floor(i / rows) * room, y + (i % rows) * ROW];
      const shown = fitted(each, 12, room - 26);
      badge(picture, left + BADGE, top + 10, letterOf(i), each);
      picture.text(left + 24, top + 14, shown, { size: 12, ...(shown === each ? {} : { title: each }) });
    }
  return rows * ROW;
}
