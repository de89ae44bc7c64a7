// Draws a chart as SVG: lines over an axis, or a figure in each row. Attributes contain the colours for a light
// page; a style sheet replaces them by class on a dark page. Logarithmic scales are named beside their axis.

const INKS = {
  page: ["#ffffff", "#16181d"],
  rule: ["#e4e3dc", "#30343d"],
  text: ["#15171c", "#f2f3f5"],
  muted: ["#5d616b", "#a4a9b5"],
  a: ["#3b6fd4", "#6c9cf5"],
  b: ["#e08a1e", "#f5b04c"],
  c: ["#1f9a8a", "#43c8b5"],
  d: ["#a2489c", "#d98ad4"],
};
const FONT =
  "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const [WIDTH, HEIGHT] = [720, 380];
const PLOT = { left: 76, right: 150, top: 96, bottom: 54 };
const ROWS_LEFT = 200;

/**
 * @typedef {object} Axis
 * @property {string} label
 * @property {number[]} ticks
 * @property {boolean} [log] whether the scale is logarithmic
 */

/** @typedef {"a" | "b" | "c" | "d"} SeriesInk */

/** 1, 2, 5, 10, 20, … around all values. */
export function logTicks(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const all = Array.from({ length: 30 }, (_, i) => [1, 2, 5][i % 3] * 10 ** (Math.floor(i / 3) - 2));
  const first = all.findLastIndex((tick) => tick <= least);
  const last = all.findIndex((tick) => tick >= most);
  return all.slice(first, last + 1);
}

/**
 * Lines, each with its name at its end.
 *
 * @param {{ title: string, note: string, x: Axis, y: Axis, series: { name: string, points: [number, number][], ink: SeriesInk, dashed?: boolean }[] }} chart
 */
export function lineChart({ title, note, x, y, series }) {
  const values = (index) => series.flatMap(({ points }) => points.map((point) => point[index]));
  const px = scale(x, values(0), PLOT.left, WIDTH - PLOT.right);
  const py = scale(y, values(1), HEIGHT - PLOT.bottom, PLOT.top);
  const lines = series.flatMap(({ name, points, ink, dashed }) => {
    const path = points.map(([a, b]) => `${at(px(a))},${at(py(b))}`).join(" ");
    const dash = dashed ? ' stroke-dasharray="6 4"' : "";
    return [
      `<polyline points="${path}" fill="none" stroke-width="2"${dash}${stroke(ink)}/>`,
      ...points.map(
        ([a, b]) =>
          `<circle cx="${at(px(a))}" cy="${at(py(b))}" r="3"${fill(ink)}><title>${escaped(`${name}: ${grouped(b)} at ${grouped(a)}`)}</title></circle>`,
      ),
    ];
  });
  const ends = apart(series.map(({ points }) => py(points.at(-1)[1])));
  const names = series.map(({ name, points, ink }, i) =>
    text(px(points.at(-1)[0]) + 10, ends[i] + 4, name, { ink, weight: 600 }),
  );
  return picture(title, note, [...yRules(y, py), ...xTicks(x, px), ...lines, ...names]);
}

/**
 * A dot in each row, with its figure beside it. The colours are explained below the title.
 *
 * @param {{ title: string, note: string, x: Axis, rows: { name: string, value: number, words: string, ink: SeriesInk }[], inks: Partial<Record<SeriesInk, string>> }} chart
 */
export function dotChart({ title, note, x, rows, inks }) {
  const px = scale(x, [], ROWS_LEFT, WIDTH - PLOT.right / 2);
  const slot = (HEIGHT - PLOT.top - PLOT.bottom) / rows.length;
  const drawn = rows.flatMap(({ name, value, words, ink }, i) => {
    const middle = PLOT.top + slot * (i + 0.5);
    return [
      text(ROWS_LEFT - 16, middle + 4, name, { anchor: "end" }),
      line(ROWS_LEFT, middle, WIDTH - PLOT.right / 2, middle),
      `<circle cx="${at(px(value))}" cy="${at(middle)}" r="6"${fill(ink)}/>`,
      text(px(value), middle - 14, words, { weight: 600, ink, anchor: "middle" }),
    ];
  });
  let left = 24;
  const legend = Object.entries(inks).flatMap(([ink, words]) => {
    const entry = [
      `<circle cx="${left + 5}" cy="70" r="5"${fill(ink)}/>`,
      text(left + 16, 74, words, { ink: "muted", size: 12 }),
    ];
    left += 44 + words.length * 6.6;
    return entry;
  });
  return picture(title, note, [...xTicks(x, px, true), ...legend, ...drawn]);
}

/** From the least to the greatest of the ticks and the values. */
function scale({ ticks, log }, values, from, to) {
  const of = log ? Math.log : (value) => value;
  const all = [...ticks, ...values].map(of);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return (value) => from + ((of(value) - least) / (most - least)) * (to - from);
}

/** What an axis counts, and that its scale is logarithmic. */
const labelOf = ({ label, log }) => (log ? `${label}, log scale` : label);

function yRules(axis, py) {
  const { ticks } = axis;
  return [
    text(24, PLOT.top - 16, labelOf(axis), { ink: "muted", size: 12 }),
    ...ticks.flatMap((tick) => [
      line(PLOT.left, py(tick), WIDTH - PLOT.right, py(tick)),
      text(PLOT.left - 10, py(tick) + 4, grouped(tick), { ink: "muted", anchor: "end", size: 12 }),
    ]),
  ];
}

function xTicks(axis, px, rules = false) {
  const { ticks } = axis;
  const bottom = HEIGHT - PLOT.bottom;
  return [
    ...ticks.flatMap((tick) => [
      ...(rules ? [line(px(tick), PLOT.top, px(tick), bottom)] : []),
      text(px(tick), bottom + 20, grouped(tick), { ink: "muted", anchor: "middle", size: 12 }),
    ]),
    text((px(ticks[0]) + px(ticks.at(-1))) / 2, bottom + 40, labelOf(axis), {
      ink: "muted",
      anchor: "middle",
      size: 12,
    }),
  ];
}

/** Moves overlapping names apart, in the same order. */
function apart(places) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  const moved = [...places];
  for (let i = 1; i < order.length; i++)
    moved[order[i]] = Math.max(moved[order[i]], moved[order[i - 1]] + 17);
  return moved;
}

function picture(title, note, content) {
  const dark = Object.entries(INKS).map(
    ([ink, [, color]]) => `.f-${ink}{fill:${color}}.s-${ink}{stroke:${color}}`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}" font-family="${FONT}">`,
    `<style>@media (prefers-color-scheme: dark){${dark.join("")}}</style>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="10"${fill("page")}/>`,
    text(24, 30, title, { size: 16, weight: 700 }),
    text(24, 50, note, { ink: "muted", size: 12 }),
    ...content,
    "</svg>",
  ].join("\n")}\n`;
}

function text(x, y, words, { size = 13, ink = "text", weight = 400, anchor = "start" } = {}) {
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}"${fill(ink)}>${escaped(words)}</text>`;
}

function line(x1, y1, x2, y2) {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"${stroke("rule")}/>`;
}

const fill = (ink) => ` fill="${INKS[ink][0]}" class="f-${ink}"`;
const stroke = (ink) => ` stroke="${INKS[ink][0]}" class="s-${ink}"`;
const at = (value) => Number(value.toFixed(1));
const escaped = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** `12,345` or `4.13`: at least three significant digits. */
function grouped(value) {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : `${Number(value.toPrecision(3))}`;
}
