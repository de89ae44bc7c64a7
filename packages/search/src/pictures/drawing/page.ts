// The frame that all pictures share: a page with a title and a line of explanation, and cards on it.
import { fitted, type Picture } from "./svg.js";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The distance of everything from the edges of a page. */
export const MARGIN = 28;
/** Where the content begins, below the title. */
export const TOP = 92;
/** The distance of a card's content from its edges. */
export const PADDING = 20;

/** Draws the page with the title and the line below it. */
export function page(picture: Picture, width: number, height: number, title: string, note: string): void {
  picture.rect(0, 0, Math.ceil(width), Math.ceil(height), { fill: "page", radius: 14 });
  const room = width - 2 * MARGIN;
  picture.text(MARGIN, 48, fitted(title, 22, room), { size: 22, weight: 700 });
  const line = fitted(note, 13, room);
  picture.text(MARGIN, 72, line, { ink: "muted", ...(line === note ? {} : { title: note }) });
}

export function card(picture: Picture, { x, y, width, height }: Box): void {
  picture.rect(x, y, width, height, { fill: "card", stroke: "edge", radius: 10 });
}

/** What a card says that has nothing to show. */
export function nothing(picture: Picture, { x, y, width, height }: Box, words: string): void {
  picture.text(x + width / 2, y + height / 2 + 5, words, { ink: "muted", anchor: "middle" });
}
