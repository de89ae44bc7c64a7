// The names of series beside their colours, in rows.
import { fitted, type Paint, type Picture } from "./svg.js";
import { widthOf } from "./words.js";

export interface Key {
  readonly name: string;
  readonly ink: Paint;
  readonly opacity?: number;
}

const ROW = 20;

/** Draws the keys in rows that end at the width. Without a picture, it only measures. Returns the height of the rows. */
export function keys(
  picture: Picture | undefined,
  x: number,
  y: number,
  width: number,
  entries: readonly Key[],
): number {
  let [left, top] = [x, y];
  for (const { name, ink, opacity = 1 } of entries) {
    const words = fitted(name, 12, Math.min(360, width - 24));
    const end = left + 20 + widthOf(words, 12);
    if (left > x && end > x + width) [left, top] = [x, top + ROW];
    picture?.rect(left, top + 3, 14, 10, { fill: ink, radius: 2, opacity });
    picture?.text(left + 20, top + 12, words, { size: 12, ink: "muted" });
    left += 38 + widthOf(words, 12);
  }
  return entries.length === 0 ? 0 : top - y + ROW;
}
