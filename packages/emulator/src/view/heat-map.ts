// A picture of where the instructions were executed: the PTX of the functions that ran, with each line colored by its
// count.
import { demangle } from "@mm-ptx/ptx";
import { invalid } from "../device/check.js";
import type { Program } from "../program/program.js";
import { type CountedFunction, type CountedLine, countedFunctions, expanded, grouped } from "./lines.js";

const ROW = 17;
const MARGIN = 20;
/** Column positions: the right end of counts, bars, the right end of line numbers, and text. */
const COLUMNS = { count: 104, bar: 116, line: 250, text: 264 };
const BAR_WIDTH = 90;
const CHARACTER = 7.23;
const LONGEST_TEXT = 120;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
/**
 * The colors of a page: from cold to hot, a single hue that gets more distinct from the page, so that the map is readable
 * in grayscale.
 */
const LIGHT = {
  page: "#ffffff",
  ink: "#15171c",
  muted: "#5d616b",
  bar: "#d9621a",
  heat: ["#fff6ea", "#feead0", "#fedcb2", "#fdcb90", "#fdb76c", "#fca24c", "#f98c34"],
};
const DARK: typeof LIGHT = {
  page: "#15171c",
  ink: "#f1f2f4",
  muted: "#9a9fab",
  bar: "#f0883a",
  heat: ["#221d1b", "#30251c", "#40301d", "#533b1d", "#68471c", "#7e521a", "#945c14"],
};

/** Viewers that only know `xml:space` preserve spaces as well; browsers need `white-space`. */
const STYLE = `text{white-space:pre}${rules(LIGHT)}@media (prefers-color-scheme:dark){${rules(DARK)}}`;

function rules({ heat, ...others }: typeof LIGHT): string {
  const fills = [...Object.entries(others), ...heat.map((color, i) => [`heat${i}`, color])];
  return fills.map(([name, color]) => `.${name}{fill:${color}}`).join("");
}

/**
 * A heat map as an SVG document, which follows the reader's choice of a light or dark page. Colors follow the logarithm of
 * the counts from 0 to the largest; bars follow the counts themselves.
 * @param counts the counts from `LaunchReport.counts`
 * @param title the heading above the listing, for example the file and the launch
 * @throws EmulatorError INVALID_ARGUMENT
 */
export function heatMap(program: Program, counts: readonly Float64Array[], title: string): string {
  if (typeof title !== "string") throw invalid("`title` as a string", title);
  const ran = countedFunctions(program, counts).filter(({ total }) => total > 0);
  const counted = ran
    .flatMap(({ lines }) => lines.map(({ count }) => count ?? 0))
    .filter((count) => count > 0);
  const most = counted.reduce((a, b) => Math.max(a, b), 1);
  const longest = ran
    .flatMap(({ lines }) => lines.map(({ text }) => shown(text).length))
    .reduce((a, b) => Math.max(a, b), 0);
  const width = Math.ceil(Math.max(640, COLUMNS.text + longest * CHARACTER + MARGIN));
  const content: string[] = [];
  let y = MARGIN + 14;
  content.push(text(MARGIN, y, title, 'class="ink" font-size="15" font-weight="600"'));
  for (const one of ran) {
    y += 34;
    content.push(text(MARGIN, y, heading(one), 'class="muted" font-size="12"'));
    y += 10;
    for (const line of one.lines) {
      content.push(row(line, most, y, width));
      y += ROW;
    }
  }
  const height = y + MARGIN;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}" font-family="${FONT}" font-size="12" xml:space="preserve">`,
    `<style>${STYLE}</style>`,
    `<rect width="${width}" height="${height}" class="page"/>`,
    ...content,
    "</svg>",
  ].join("\n")}\n`;
}

function heading({ name, total }: CountedFunction): string {
  return `${demangle(name)}: ${grouped(total)} instructions executed`;
}

function row({ line, text: source, count }: CountedLine, most: number, y: number, width: number): string {
  const base = y + 12.5;
  const parts: string[] = [];
  if (count !== undefined && count > 0) {
    const bar = Math.max(1, (BAR_WIDTH * count) / most);
    parts.push(
      `<rect x="${COLUMNS.line + 7}" y="${y}" width="${width - COLUMNS.line - 7 - MARGIN}" height="${ROW}" class="heat${heatOf(count, most)}"/>`,
      `<rect x="${COLUMNS.bar}" y="${y + 3.5}" width="${bar.toFixed(1)}" height="${ROW - 7}" rx="2" class="bar"/>`,
    );
  }
  if (count !== undefined)
    parts.push(text(COLUMNS.count, base, grouped(count), 'class="ink" text-anchor="end"'));
  if (line !== undefined) parts.push(text(COLUMNS.line, base, `${line}`, 'class="muted" text-anchor="end"'));
  const words = shown(source);
  if (words !== "")
    parts.push(
      text(COLUMNS.text, base, words, `class="${count === 0 || count === undefined ? "muted" : "ink"}"`),
    );
  return parts.join("");
}

/** The index of a color: the scale begins at 0, so that lines that ran about equally often look alike. */
function heatOf(count: number, most: number): number {
  const share = Math.log1p(count) / Math.log1p(most);
  return Math.min(LIGHT.heat.length - 1, Math.floor(share * LIGHT.heat.length));
}

function shown(text: string): string {
  const words = expanded(text).trimEnd();
  return words.length > LONGEST_TEXT ? `${words.slice(0, LONGEST_TEXT)}…` : words;
}

function text(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(words)}</text>`;
}

/** Escapes XML's special characters and replaces control characters, which XML does not allow. */
function escaped(words: string): string {
  return words
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}
