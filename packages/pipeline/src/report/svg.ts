// A small SVG writer. Colours are attributes; a picture for both themes has those of the light one, which every viewer understands, and a
// style sheet that overrides them by class on dark pages.

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

const FONT =
  "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

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
      `<text x="${at(x)}" y="${at(y)}" font-size="${size}" font-weight="${weight}"${more}${this.#fill(ink)}>${escaped(words)}</text>`,
    );
  }

  rect(x: number, y: number, width: number, height: number, style: RectStyle): void {
    const { ink, radius = 0, edge, title } = style;
    const more = radius === 0 ? "" : ` rx="${radius}"`;
    const shape = `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"${more}`;
    this.#titled("rect", `${shape}${this.#fill(ink, edge)}`, title);
  }

  /** A bar with its lower edge at `base` and its two upper corners rounded. */
  column(x: number, base: number, width: number, height: number, ink: Ink, title: string): void {
    const r = Math.min(3, width / 2, height);
    const d = `M${at(x)} ${at(base)}v${at(r - height)}q0 ${at(-r)} ${at(r)} ${at(-r)}h${at(width - 2 * r)}q${at(r)} 0 ${at(r)} ${at(r)}v${at(height - r)}z`;
    this.#titled("path", `<path d="${d}"${this.#fill(ink)}`, title);
  }

  line(x1: number, y1: number, x2: number, y2: number, ink: Ink): void {
    this.#parts.push(
      `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"${this.#stroke(ink)}/>`,
    );
  }

  path(points: readonly (readonly [number, number])[], ink: Ink): void {
    const places = points.map(([x, y]) => `${at(x)},${at(y)}`).join(" ");
    this.#parts.push(
      `<polyline points="${places}" fill="none" stroke-width="2" stroke-linejoin="round"${this.#stroke(ink)}/>`,
    );
  }

  dot(x: number, y: number, radius: number, ink: Ink, title: string): void {
    this.#titled("circle", `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}"${this.#fill(ink)}`, title);
  }

  /** The SVG. @param label what it shows, for screen readers */
  toString(width: number, height: number, label: string): string {
    const dark = Object.entries(INKS).flatMap(([ink, [, color]]) => [
      `.f-${ink}{fill:${color}}`,
      `.s-${ink}{stroke:${color}}`,
    ]);
    const style = `<style>@media (prefers-color-scheme: dark){${dark.join("")}}</style>`;
    return `${[
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}" font-family="${FONT}">`,
      ...(this.#theme === "auto" ? [style] : []),
      ...this.#parts,
      "</svg>",
    ].join("\n")}\n`;
  }

  #titled(tag: string, shape: string, title: string | undefined): void {
    this.#parts.push(
      title === undefined ? `${shape}/>` : `${shape}><title>${escaped(title)}</title></${tag}>`,
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

/** A coordinate without insignificant digits. */
const at = (value: number): string => `${Math.round(value * 100) / 100}`;

const escaped = (words: string): string =>
  words
    // Characters that XML does not have.
    .replace(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "\ufffd",
    )
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
