// The frame of a part of the report.
import { fitted, type Picture } from "./svg.js";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const PADDING = 20;

/** Draws the frame with its title and a line below it. */
export function frame(picture: Picture, { x, y, width, height }: Box, title: string, note: string): void {
  const room = width - 2 * PADDING;
  picture.rect(x, y, width, height, { ink: "card", edge: "edge", radius: 10 });
  picture.text(x + PADDING, y + 30, fitted(title, 14, room), { size: 14, weight: 600 });
  picture.text(x + PADDING, y + 50, fitted(note, 12, room), { size: 12, ink: "muted" });
}

/** What a card says that has nothing to show. */
export function nothing(picture: Picture, { x, y, width, height }: Box, words: string): void {
  picture.text(x + width / 2, y + height / 2 + 14, words, { ink: "muted", anchor: "middle" });
}
