// A small SVG writer. Colours are attributes; a picture for both themes has those of the light one, which every viewer understands, and a
// style sheet that overrides them by class on dark pages.
import { escapeXml, SVG_FONT, svgNumber } from "@mm-ptx/types/internal";

/** Each ink with its colour in the light and in the dark theme. */
const INKS = {
  page: ["#fbfbf9", "#16181d"],
  card: ["#ffffff", "#1d2027"],
  edge: ["#e4e3dc", "#30343d"],
  rule: ["#e9e8e2", "#2c3038"],
  text: ["#15171c", "#f2f3f5"],
  muted: ["#5d616b", "#a4a9b5"],
  bad: ["#c0392b", "#ff8379"],
  host: ["#e08a1e", "#f5b04c"],
  compile: ["#3b6fd4", "#6c9cf5"],
  device: ["#1f9a8a", "#43c8b5"],
} as const;

export type Ink = keyof typeof INKS;
/** The pages that a picture is for. */
export type Theme = "auto" | "light" | "dark";

export interface TextStyle {
  readonly size?: number;
  readonly ink?: Ink;
  readonly weight?: 400 | 600 | 700;
  readonly anchor?: "start" | "middle" | "end";
}

export interface RectStyle {
  readonly ink: Ink;
  readonly radius?: number;
  readonly edge?: Ink;
  /** Shown when the pointer rests on it. */
  readonly title?: string;
}

/** A picture of a size in pixels that scales to the available width. */
export class Picture {
  readonly #theme: Theme;
  readonly #parts: string[] = [];

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  text(x: number, y: number, words: string, style: TextStyle = {}): void {
    const { size = 13, ink = "text", weight = 400, anchor = "start" } = style;
    const more = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
    this.#parts.push(
      `<text x="${svgNumber(x)}" y="${svgNumber(y)}" font-size="${size}" font-weight="${weight}"${more}${this.#fill(ink)}>${escapeXml(words)}</text>`,
    );
  }

  rect(x: number, y: number, width: number, height: number, style: RectStyle): void {
    const { ink, radius = 0, edge, title } = style;
    const more = radius === 0 ? "" : ` rx="${radius}"`;
    const shape = `<rect x="${svgNumber(x)}" y="${svgNumber(y)}" width="${svgNumber(width)}" height="${svgNumber(height)}"${more}`;
    this.#titled("rect", `${shape}${this.#fill(ink, edge)}`, title);
  }

  /** A bar with its lower edge at `base` and its two upper corners rounded. */
  column(x: number, base: number, width: number, height: number, ink: Ink, title: string): void {
    const r = Math.min(3, width / 2, height);
    const d = `M${svgNumber(x)} ${svgNumber(base)}v${svgNumber(r - height)}q0 ${svgNumber(-r)} ${svgNumber(r)} ${svgNumber(-r)}h${svgNumber(width - 2 * r)}q${svgNumber(r)} 0 ${svgNumber(r)} ${svgNumber(r)}v${svgNumber(height - r)}z`;
    this.#titled("path", `<path d="${d}"${this.#fill(ink)}`, title);
  }

  line(x1: number, y1: number, x2: number, y2: number, ink: Ink): void {
    this.#parts.push(
      `<line x1="${svgNumber(x1)}" y1="${svgNumber(y1)}" x2="${svgNumber(x2)}" y2="${svgNumber(y2)}"${this.#stroke(ink)}/>`,
    );
  }

  path(points: readonly (readonly [number, number])[], ink: Ink): void {
    const places = points.map(([x, y]) => `${svgNumber(x)},${svgNumber(y)}`).join(" ");
    this.#parts.push(
      `<polyline points="${places}" fill="none" stroke-width="2" stroke-linejoin="round"${this.#stroke(ink)}/>`,
    );
  }

  dot(x: number, y: number, radius: number, ink: Ink, title: string): void {
    this.#titled(
      "circle",
      `<circle cx="${svgNumber(x)}" cy="${svgNumber(y)}" r="${radius}"${this.#fill(ink)}`,
      title,
    );
  }

  /** The SVG. @param label what it shows, for screen readers */
  toString(width: number, height: number, label: string): string {
    const dark = Object.entries(INKS).flatMap(([ink, [, color]]) => [
      `.f-${ink}{fill:${color}}`,
      `.s-${ink}{stroke:${color}}`,
    ]);
    const style = `<style>@media (prefers-color-scheme: dark){${dark.join("")}}</style>`;
    return `${[
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(label)}" font-family="${SVG_FONT}">`,
      ...(this.#theme === "auto" ? [style] : []),
      ...this.#parts,
      "</svg>",
    ].join("\n")}\n`;
  }

  #titled(tag: string, shape: string, title: string | undefined): void {
    this.#parts.push(
      title === undefined ? `${shape}/>` : `${shape}><title>${escapeXml(title)}</title></${tag}>`,
    );
  }

  #fill(ink: Ink, edge?: Ink): string {
    const stroke = edge === undefined ? "" : ` stroke="${this.#color(edge)}"`;
    const classes = `f-${ink}${edge === undefined ? "" : ` s-${edge}`}`;
    return ` fill="${this.#color(ink)}"${stroke}${this.#theme === "auto" ? ` class="${classes}"` : ""}`;
  }

  #stroke(ink: Ink): string {
    return ` stroke="${this.#color(ink)}"${this.#theme === "auto" ? ` class="s-${ink}"` : ""}`;
  }

  #color(ink: Ink): string {
    return INKS[ink][this.#theme === "dark" ? 1 : 0];
  }
}

/** About how wide a text is, in pixels. */
export const widthOf = (words: string, size: number): number => words.length * size * 0.58;

/** A text that fits into a width, cut if it has to be. */
export function fitted(words: string, size: number, width: number): string {
  if (widthOf(words, size) <= width) return words;
  return `${words.slice(0, Math.max(1, Math.floor(width / widthOf("x", size)) - 1)).trimEnd()}…`;
}
