// Writes the pictures of the concepts as SVG. Attributes contain the colours for a light page; a style sheet replaces
// them by class on a dark page. Each colour has one meaning in all pictures.

/** Each ink with its colour on a light and on a dark page. */
const INKS = /** @type {const} */ ({
  page: ["#ffffff", "#16181d"],
  card: ["#f6f6f3", "#20242c"],
  edge: ["#d8d7cf", "#3a3f4a"],
  text: ["#15171c", "#f2f3f5"],
  muted: ["#5d616b", "#a4a9b5"],
  /** What belongs to the kernel, and is made once. */
  kernel: ["#2f62c9", "#7ba6f7"],
  kernelSoft: ["#e6edfb", "#1d2b47"],
  /** What belongs to a program, and is made for each. */
  program: ["#b3620b", "#f5b04c"],
  programSoft: ["#fdf0dd", "#3d2c12"],
  /** What runs. */
  result: ["#0f7a6c", "#43c8b5"],
  resultSoft: ["#dff3ef", "#123530"],
});

/** @typedef {keyof typeof INKS} Ink */

const SANS =
  "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** The width of a character of code, as a part of its size. */
export const CODE_WIDTH = 0.61;

/**
 * @param {number} width in pixels
 * @param {number} height
 * @param {string} label for people who cannot see the picture
 * @param {readonly string[]} content
 */
export function picture(width, height, label, content) {
  const dark = Object.entries(INKS).map(
    ([ink, [, color]]) => `.f-${ink}{fill:${color}}.s-${ink}{stroke:${color}}`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}" font-family="${SANS}">`,
    `<style>.code{font-family:${MONO};white-space:pre}@media (prefers-color-scheme: dark){${dark.join("")}}</style>`,
    `<rect width="${width}" height="${height}" rx="10"${fill("page")}/>`,
    ...content,
    "</svg>",
  ].join("\n")}\n`;
}

/**
 * @param {number} x
 * @param {number} y of the base line
 * @param {string} words
 * @param {{ size?: number, ink?: Ink, weight?: number, anchor?: "start" | "middle" | "end", code?: boolean }} [style]
 */
export function text(x, y, words, style = {}) {
  const { size = 13, ink = "text", weight = 400, anchor = "start", code = false } = style;
  const more = `${anchor === "start" ? "" : ` text-anchor="${anchor}"`}${code ? ' xml:space="preserve"' : ""}`;
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" font-weight="${weight}"${more} fill="${INKS[ink][0]}" class="f-${ink}${code ? " code" : ""}">${escaped(words)}</text>`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {{ ink: Ink, edge?: Ink, radius?: number, dashed?: boolean }} style
 */
export function rect(x, y, width, height, { ink, edge, radius = 8, dashed = false }) {
  const dash = dashed ? ' stroke-dasharray="5 4"' : "";
  const line =
    edge === undefined ? ` class="f-${ink}"` : ` stroke="${INKS[edge][0]}" class="f-${ink} s-${edge}"`;
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" rx="${radius}" fill="${INKS[ink][0]}"${line}${dash}/>`;
}

/**
 * A line through points that ends in a tip.
 *
 * @param {readonly (readonly [x: number, y: number])[]} points
 * @param {{ ink?: Ink, dashed?: boolean }} [style]
 */
export function arrow(points, { ink = "muted", dashed = false } = {}) {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (end === undefined || before === undefined) throw new TypeError("expected two points or more");
  const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
  const corner = (/** @type {number} */ turn, /** @type {number} */ length) =>
    `${at(end[0] + length * Math.cos(angle + turn))},${at(end[1] + length * Math.sin(angle + turn))}`;
  const base = [end[0] - 7 * Math.cos(angle), end[1] - 7 * Math.sin(angle)];
  const path = [...points.slice(0, -1), base].map(([x = 0, y = 0]) => `${at(x)},${at(y)}`).join(" ");
  return [
    `<polyline points="${path}" fill="none" stroke-width="1.5"${dashed ? ' stroke-dasharray="4 4"' : ""} stroke="${INKS[ink][0]}" class="s-${ink}"/>`,
    `<polygon points="${at(end[0])},${at(end[1])} ${corner(Math.PI - 0.45, 9)} ${corner(Math.PI + 0.45, 9)}"${fill(ink)}/>`,
  ].join("");
}

/**
 * A box with a heading and lines below it.
 *
 * @param {{ x: number, y: number, width: number, height: number, title: string, lines?: readonly string[], ink: Ink, soft: Ink }} box
 */
export function card({ x, y, width, height, title, lines = [], ink, soft }) {
  const top = y + height / 2 - (lines.length * 17) / 2;
  return [
    rect(x, y, width, height, { ink: soft, edge: ink }),
    text(x + width / 2, top + 5, title, { weight: 600, ink, anchor: "middle", size: 14 }),
    ...lines.map((words, i) =>
      text(x + width / 2, top + 22 + 17 * i, words, { size: 12, ink: "muted", anchor: "middle" }),
    ),
  ].join("\n");
}

/**
 * What the colours mean, in one line.
 *
 * @param {number} x
 * @param {number} y
 * @param {readonly { ink: Ink, words: string }[]} entries
 */
export function legend(x, y, entries) {
  let left = x;
  return entries.flatMap(({ ink, words }) => {
    const drawn = [
      rect(left, y - 9, 10, 10, { ink, radius: 2 }),
      text(left + 16, y, words, { size: 12, ink: "muted" }),
    ];
    left += 16 + words.length * 6.6 + 22;
    return drawn;
  });
}

/** @param {Ink} ink */
const fill = (ink) => ` fill="${INKS[ink][0]}" class="f-${ink}"`;

/** @param {number} value */
const at = (value) => `${Math.round(value * 10) / 10}`;

/** @param {string} words */
const escaped = (words) =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
