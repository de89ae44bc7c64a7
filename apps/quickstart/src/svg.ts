// A small SVG writer. Colours are attributes for the light theme, which every viewer understands; a style sheet
// overrides them by class in the dark theme.

/** Each ink with its colour in the light and in the dark theme. */
const INKS = {
  page: ["#fbfbf9", "#16181d"],
  card: ["#ffffff", "#1d2027"],
  edge: ["#e4e3dc", "#30343d"],
  text: ["#15171c", "#f2f3f5"],
  muted: ["#5d616b", "#a4a9b5"],
  rule: ["#e4e3dc", "#30343d"],
  /** Counts of programs. The colours after it are those of stages and of checks. */
  bar: ["#6b7f95", "#93a7bd"],
  good: ["#14804a", "#4cc38a"],
  bad: ["#c0392b", "#ff8379"],
  stub: ["#e08a1e", "#f5b04c"],
  render: ["#1f9a8a", "#43c8b5"],
  run: ["#8a63c9", "#b394ec"],
  compile: ["#3b6fd4", "#6c9cf5"],
  launch: ["#b5496f", "#e58aa9"],
  draft: ["#5d8a3a", "#9cc474"],
} as const;
export type Ink = keyof typeof INKS;

const FONT =
  "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** A picture of a size in pixels that scales to the available width. `label` is for screen readers. */
export function picture(width: number, height: number, label: string, content: readonly string[]): string {
  const dark = Object.entries(INKS).flatMap(([ink, [, color]]) => [
    `.f-${ink}{fill:${color}}`,
    `.s-${ink}{stroke:${color}}`,
  ]);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(label)}" font-family="${FONT}">`,
    `<style>@media (prefers-color-scheme: dark){${dark.join("")}}</style>`,
    ...content,
    "</svg>",
  ].join("\n")}\n`;
}

export interface TextStyle {
  readonly size?: number;
  readonly ink?: Ink;
  readonly weight?: 400 | 500 | 600 | 700;
  readonly anchor?: "start" | "middle" | "end";
  /** Digits of equal width, for figures in columns. */
  readonly tabular?: boolean;
}

export function text(x: number, y: number, words: string, style: TextStyle = {}): string {
  const { size = 13, ink = "text", weight = 400, anchor = "start", tabular = false } = style;
  const more = `${anchor === "start" ? "" : ` text-anchor="${anchor}"`}${tabular ? ' style="font-variant-numeric:tabular-nums"' : ""}`;
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" font-weight="${weight}"${fill(ink)}${more}>${escapeText(words)}</text>`;
}

export interface RectStyle {
  readonly ink: Ink;
  readonly radius?: number;
  readonly edge?: Ink;
  /** Shown when the pointer rests on it. */
  readonly title?: string;
}

export function rect(x: number, y: number, width: number, height: number, style: RectStyle): string {
  const { ink, radius = 0, edge, title } = style;
  const classes = `f-${ink}${edge === undefined ? "" : ` s-${edge}`}`;
  const paint = `class="${classes}" fill="${INKS[ink][0]}"${edge === undefined ? "" : ` stroke="${INKS[edge][0]}"`}`;
  const more = radius === 0 ? "" : ` rx="${radius}"`;
  const tag = `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" ${paint}${more}`;
  return title === undefined ? `${tag}/>` : `${tag}><title>${escapeText(title)}</title></rect>`;
}

/** A bar that stands on `base` with its two upper corners rounded. */
export function column(
  x: number,
  base: number,
  width: number,
  height: number,
  ink: Ink,
  title: string,
): string {
  const r = Math.min(3, width / 2, height);
  const d = `M${at(x)} ${at(base)}v${at(r - height)}q0 ${at(-r)} ${at(r)} ${at(-r)}h${at(width - 2 * r)}q${at(r)} 0 ${at(r)} ${at(r)}v${at(height - r)}z`;
  return `<path d="${d}"${fill(ink)}><title>${escapeText(title)}</title></path>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, ink: Ink): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" class="s-${ink}" stroke="${INKS[ink][0]}"/>`;
}

function fill(ink: Ink): string {
  return ` class="f-${ink}" fill="${INKS[ink][0]}"`;
}

/** A coordinate without insignificant digits. */
function at(value: number): string {
  return `${Math.round(value * 100) / 100}`;
}

function escapeText(words: string): string {
  return words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
