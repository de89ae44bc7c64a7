// A small SVG writer. Colours are attributes; a picture for both themes has those of the light one, which every viewer understands, and a
// style sheet that overrides them by class on dark pages.
import { escapeXml, SVG_FONT, svgNumber } from "@mm-ptx/types/internal";
import { widthOf } from "./words.js";

/** Each ink with its colour in the light and in the dark theme. */
const INKS = {
  page: ["#fbfbf9", "#16181d"],
  card: ["#ffffff", "#1d2027"],
  edge: ["#e4e3dc", "#30343d"],
  rule: ["#e9e8e2", "#2c3038"],
  empty: ["#efeee8", "#2d313b"],
  text: ["#15171c", "#f2f3f5"],
  muted: ["#5d616b", "#a4a9b5"],
  faint: ["#b9bbc2", "#535966"],
  bad: ["#c0392b", "#ff8379"],
  blue: ["#3b6fd4", "#6c9cf5"],
  orange: ["#e08a1e", "#f5b04c"],
  teal: ["#1f9a8a", "#43c8b5"],
  purple: ["#8a63c9", "#b394ec"],
  pink: ["#b5496f", "#e58aa9"],
  green: ["#5d8a3a", "#9cc474"],
  brown: ["#8c6a4f", "#c9a58a"],
  cyan: ["#2b8fc0", "#63c2ee"],
  olive: ["#96901c", "#d2ca5c"],
  grey: ["#7a8190", "#8d95a5"],
} as const;

/** The inks of series that are drawn together. */
export const SERIES = [
  ...(["blue", "orange", "teal", "purple", "pink"] as const),
  ...(["green", "brown", "cyan", "olive", "grey"] as const),
];

export type Ink = keyof typeof INKS;
/** An ink, or a colour that both themes share. */
export type Paint = Ink | `#${string}`;
/** The pages that a picture is for: light and dark ones, which viewers choose (`auto`), or only one kind. */
export type PictureTheme = "auto" | "light" | "dark";

export interface TextStyle {
  readonly size?: number;
  readonly ink?: Paint;
  readonly weight?: 400 | 600 | 700;
  readonly anchor?: "start" | "middle" | "end";
  /** Whether the text runs upwards. */
  readonly isUpright?: boolean;
  /** An ink around the letters, which keeps them readable above other shapes. */
  readonly halo?: Ink;
  /** Shown when the pointer rests on it. */
  readonly title?: string;
}

export interface ShapeStyle {
  readonly fill?: Paint;
  readonly stroke?: Paint;
  readonly width?: number;
  readonly opacity?: number;
  readonly dash?: string;
  readonly radius?: number;
  readonly title?: string;
}

/** A picture of a size in pixels that scales to the available width. */
export class Picture {
  readonly #theme: PictureTheme;
  readonly #parts: string[] = [];
  readonly #used = new Set<Ink>();

  constructor(theme: PictureTheme) {
    this.#theme = theme;
  }

  text(x: number, y: number, words: string, style: TextStyle = {}): void {
    const { size = 13, ink = "text", weight = 400, anchor = "start", isUpright, halo, title } = style;
    const more = [
      weight === 400 ? "" : ` font-weight="${weight}"`,
      anchor === "start" ? "" : ` text-anchor="${anchor}"`,
      isUpright ? ` transform="rotate(-90 ${svgNumber(x)} ${svgNumber(y)})"` : "",
      halo === undefined ? "" : ' stroke-width="3" stroke-linejoin="round" paint-order="stroke"',
      this.#paint(ink, halo),
    ].join("");
    const inner = title === undefined ? "" : `<title>${escapeXml(title)}</title>`;
    this.#parts.push(
      `<text x="${svgNumber(x)}" y="${svgNumber(y)}" font-size="${size}"${more}>${escapeXml(words)}${inner}</text>`,
    );
  }

  rect(x: number, y: number, width: number, height: number, style: ShapeStyle): void {
    const { radius = 0 } = style;
    const more = radius === 0 ? "" : ` rx="${svgNumber(radius)}"`;
    this.#shape(
      "rect",
      `x="${svgNumber(x)}" y="${svgNumber(y)}" width="${svgNumber(width)}" height="${svgNumber(height)}"${more}`,
      style,
    );
  }

  line(x1: number, y1: number, x2: number, y2: number, style: ShapeStyle): void {
    this.#shape(
      "line",
      `x1="${svgNumber(x1)}" y1="${svgNumber(y1)}" x2="${svgNumber(x2)}" y2="${svgNumber(y2)}"`,
      style,
    );
  }

  dot(x: number, y: number, radius: number, style: ShapeStyle): void {
    this.#shape("circle", `cx="${svgNumber(x)}" cy="${svgNumber(y)}" r="${svgNumber(radius)}"`, style);
  }

  /** A shape of path data. */
  path(data: string, style: ShapeStyle): void {
    if (data !== "") this.#shape("path", `d="${data}"`, style);
  }

  /** A line through points; it is interrupted where a coordinate is not finite. */
  curve(points: Iterable<readonly [number, number]>, style: ShapeStyle): void {
    let data = "";
    let isDown = false;
    for (const [x, y] of points) {
      const isPlace = Number.isFinite(x) && Number.isFinite(y);
      // A point between two gaps is a dot as wide as the line.
      if (isPlace) data += isDown ? `L${svgNumber(x)} ${svgNumber(y)}` : `M${svgNumber(x)} ${svgNumber(y)}h0`;
      isDown = isPlace;
    }
    this.path(data, { width: 2, ...style });
  }

  /** Opens a group whose content has this transformation, or none. */
  open(transform?: string, attributes = ""): void {
    const more = transform === undefined ? "" : ` transform="${transform}"`;
    this.#parts.push(`<g${more}${attributes}>`);
  }

  close(): void {
    this.#parts.push("</g>");
  }

  /** The SVG. @param label what it shows, for screen readers */
  toString(width: number, height: number, label: string): string {
    const [w, h] = [Math.ceil(width), Math.ceil(height)];
    // The order of first use depends on the content alone.
    const dark = [...this.#used].flatMap((ink) => [
      `.f-${ink}{fill:${INKS[ink][1]}}`,
      `.s-${ink}{stroke:${INKS[ink][1]}}`,
    ]);
    const style = `<style>@media (prefers-color-scheme: dark){${dark.join("")}}</style>`;
    return `${[
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-label="${escapeXml(label)}" font-family="${SVG_FONT}">`,
      ...(this.#theme === "auto" ? [style] : []),
      ...this.#parts,
      "</svg>",
    ].join("\n")}\n`;
  }

  #shape(tag: string, shape: string, style: ShapeStyle): void {
    const { fill, stroke, width, opacity, dash, title } = style;
    const more = [
      stroke !== undefined && width !== undefined && width !== 1 ? ` stroke-width="${width}"` : "",
      stroke !== undefined && tag === "path" ? ' stroke-linejoin="round" stroke-linecap="round"' : "",
      dash === undefined ? "" : ` stroke-dasharray="${dash}"`,
      opacity === undefined || opacity === 1 ? "" : ` opacity="${opacity}"`,
      this.#paint(fill ?? (tag === "line" ? undefined : "none"), stroke),
    ].join("");
    this.#parts.push(
      title === undefined
        ? `<${tag} ${shape}${more}/>`
        : `<${tag} ${shape}${more}><title>${escapeXml(title)}</title></${tag}>`,
    );
  }

  #paint(fill: Paint | "none" | undefined, stroke?: Paint): string {
    const classes: string[] = [];
    let paint = "";
    if (fill === "none") paint += ' fill="none"';
    else if (fill !== undefined) paint += ` fill="${this.#color(fill, "f", classes)}"`;
    if (stroke !== undefined) paint += ` stroke="${this.#color(stroke, "s", classes)}"`;
    return classes.length === 0 ? paint : `${paint} class="${classes.join(" ")}"`;
  }

  #color(paint: Paint, kind: "f" | "s", classes: string[]): string {
    if (paint.startsWith("#")) return paint;
    const ink = paint as Ink;
    if (this.#theme === "dark") return INKS[ink][1];
    if (this.#theme === "auto") {
      this.#used.add(ink);
      classes.push(`${kind}-${ink}`);
    }
    return INKS[ink][0];
  }
}

/** A text that fits into a width, cut if it has to be. */
export function fitted(words: string, size: number, width: number): string {
  if (widthOf(words, size) <= width) return words;
  const letters = [...words];
  let end = Math.min(letters.length, Math.ceil(width / (0.3 * size)));
  while (end > 1 && widthOf(`${letters.slice(0, end).join("")}…`, size) > width) end--;
  return `${letters.slice(0, end).join("").trimEnd()}…`;
}
