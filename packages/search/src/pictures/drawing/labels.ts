// Labels beside points that neither meet each other nor leave the plot.
import { fitted } from "./svg.js";
import { widthOf } from "./words.js";

export interface LabelWish {
  readonly x: number;
  readonly y: number;
  /** The lines of the label. */
  readonly lines: readonly string[];
}

export interface PlacedLabel {
  readonly x: number;
  /** The base of the first line. */
  readonly y: number;
  readonly anchor: "start" | "end";
  readonly lines: readonly string[];
}

/** A part of the plot. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly base: number;
}

export const LABEL_SIZE = 12;
const LINE = 16;
const DISTANCE = 9;
/** How far labels may be above or below their points. */
const SHIFTS = [0, 8, 16, 26, 38, 52, 68, 90, 116];
/** The least width of a label that is cut. */
const LEAST = 110;

/**
 * Places labels in their order, each to the right of its point if it fits there, else to the left; those that fit nowhere are undefined.
 *
 * @param side whether labels to the right are rather above (-1) or below (1) their points; on the left, it is the other way round
 * @param obstacles what no label may cover
 */
export function placeLabels(
  wishes: readonly LabelWish[],
  bounds: Area,
  side: -1 | 1,
  obstacles: readonly Area[],
): (PlacedLabel | undefined)[] {
  const used: Used = { obstacles: [...obstacles], labels: [], lines: [] };
  return wishes.map((wish) => {
    for (const { isRight, isWhole } of sidesOf(wish, bounds))
      for (const direction of isRight ? [side, -side] : [-side, side])
        for (const shift of SHIFTS) {
          const place = { isRight, isWhole, shift: direction * shift, isAbove: direction < 0 };
          const found = tryPlace(wish, place, bounds, used);
          if (found !== undefined) return found;
        }
    return undefined;
  });
}

/** The sides in the order of preference: a whole label on any side says more than one that is cut. */
function sidesOf({ x }: LabelWish, { left, right }: Area): Pick<Place, "isRight" | "isWhole">[] {
  const isWider = right - x >= x - left;
  return [
    { isRight: true, isWhole: true },
    { isRight: false, isWhole: true },
    { isRight: isWider, isWhole: false },
    { isRight: !isWider, isWhole: false },
  ];
}

interface Place {
  readonly isRight: boolean;
  /** Whether the label must not be cut. */
  readonly isWhole: boolean;
  readonly shift: number;
  readonly isAbove: boolean;
}

interface Used {
  readonly obstacles: Area[];
  readonly labels: Area[];
  /** The lines from points to labels. */
  readonly lines: Area[];
}

function tryPlace(
  { x, y, lines }: LabelWish,
  { isRight, isWhole, shift, isAbove }: Place,
  bounds: Area,
  used: Used,
): PlacedLabel | undefined {
  const start = isRight ? x + DISTANCE : x - DISTANCE;
  const room = isRight ? bounds.right - start : start - bounds.left;
  const wanted = Math.max(...lines.map((line) => widthOf(line, LABEL_SIZE)));
  // Only the lines before the last one may be cut.
  const least = isWhole ? wanted : Math.max(Math.min(wanted, LEAST), widthOf(lines.at(-1)!, LABEL_SIZE));
  if (room < least) return undefined;
  const cut = lines.map((line) => fitted(line, LABEL_SIZE, room));
  const width = Math.max(...cut.map((line) => widthOf(line, LABEL_SIZE)));
  const height = lines.length * LINE;
  // The nearest place is just above or below the line of the point.
  const top = y + shift + (isAbove ? -height - 2 : 2);
  const area = {
    left: isRight ? start : start - width,
    right: isRight ? start + width : start,
    top,
    base: top + height,
  };
  const middle = top + height / 2;
  const line = {
    left: Math.min(x, start),
    right: Math.max(x, start),
    top: Math.min(y, middle),
    base: Math.max(y, middle),
  };
  const isInside = area.top >= bounds.top && area.base <= bounds.base;
  const isFree = ![...used.obstacles, ...used.labels, ...used.lines].some((other) => meets(other, area));
  if (!isInside || !isFree || used.labels.some((other) => meets(other, line))) return undefined;
  used.labels.push(area);
  used.lines.push(line);
  return { x: start, y: top + 12, anchor: isRight ? "start" : "end", lines: cut };
}

const meets = (a: Area, b: Area): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.base && b.top < a.base;
