// A report as one HTML file without references to others.
import {
  type Check,
  escapeXml,
  isList,
  isListOf,
  isNumber,
  isOneOf,
  isOptions,
  isText,
  isWhole,
  unexpected,
} from "@mm-ptx/types/internal";
import { readOptions } from "../options.js";

import { grouped } from "./drawing/words.js";
import type { ReportTable } from "./report-table.js";

/** A part of a report. What it has is shown in this order. */
export interface ReportSection {
  readonly title?: string;
  /** Paragraphs, with empty lines between them. */
  readonly text?: string;
  /** Pictures of this package, as SVG with the theme `auto`. They become part of the file as they are. */
  readonly pictures?: readonly string[];
  readonly table?: ReportTable;
  /** Lines of a program, as they are. */
  readonly code?: string;
}

/** What a report shows. */
export interface ReportContent {
  readonly title: string;
  /** A line below the title. */
  readonly note?: string;
  readonly sections: readonly ReportSection[];
  /** The browser loads the file again after this many seconds. */
  readonly refresh?: number;
  /** The pages that the report is for: light and dark ones (`auto`, the default), which browsers choose, or only one kind. */
  readonly theme?: "auto" | "light" | "dark";
}

/** The most rows of a table. */
const MOST_ROWS = 1000;

const isPicture: Check = (value, name) =>
  typeof value === "string" && value.startsWith("<svg ") && value.trimEnd().endsWith("</svg>")
    ? undefined
    : unexpected(name, "an SVG picture", value);

const isCell = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
const areTexts = isListOf("strings", (value) => typeof value === "string");

const isSection = isOptions({
  title: isText,
  text: isText,
  pictures: isList(isPicture),
  table: isOptions(
    {
      ...{ columns: areTexts, rows: isList(isListOf("strings and numbers", isCell)), note: isText },
      marked: isList(isWhole(0, Number.MAX_SAFE_INTEGER)),
    },
    { required: ["columns", "rows"] },
  ),
  code: isText,
});

/**
 * Writes a report as one HTML file, whose text, tables and pictures follow the light or dark theme of the reader. It has no scripts and
 * loads nothing. A table has at most 1,000 rows, and says how many are left out.
 *
 * @throws SearchError INVALID_ARGUMENT
 */
export function reportHtml(content: ReportContent): string {
  const {
    title,
    note,
    sections,
    refresh,
    theme = "auto",
  } = readOptions<ReportContent>(
    content,
    {
      ...{ title: isText, note: isText, sections: isList(isSection), refresh: isNumber(1, 86_400) },
      theme: isOneOf(["auto", "light", "dark"]),
    },
    { of: "`reportHtml`", required: ["title", "sections"] },
  );
  return `${[
    "<!DOCTYPE html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8"/>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<meta name="color-scheme" content="${theme === "auto" ? "light dark" : theme}"/>`,
    ...(refresh === undefined ? [] : [`<meta http-equiv="refresh" content="${refresh}"/>`]),
    `<title>${escapeXml(title)}</title>`,
    `<style>${styleOf(theme)}</style>`,
    "</head>",
    "<body>",
    "<main>",
    `<h1>${escapeXml(title)}</h1>`,
    ...(note === undefined ? [] : [`<p class="note">${escapeXml(note)}</p>`]),
    ...sections.flatMap(sectionLines),
    "</main>",
    "</body>",
    "</html>",
  ].join("\n")}\n`;
}

const LIGHT = "--page:#fbfbf9;--card:#ffffff;--edge:#e4e3dc;--rule:#e9e8e2;--text:#15171c;--muted:#5d616b";
const DARK = "--page:#16181d;--card:#1d2027;--edge:#30343d;--rule:#2c3038;--text:#f2f3f5;--muted:#a4a9b5";

const STYLE = [
  "*{box-sizing:border-box}",
  "body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}",
  "main{max-width:1008px;margin:0 auto;padding:32px}",
  "h1{font-size:28px;margin:0}h2{font-size:20px;margin:40px 0 12px}",
  ".m td{font-weight:600}",
  ".note{color:var(--muted);margin:4px 0 0}p{max-width:46em}",
  // The cards of pictures are as wide as the text.
  "svg{display:block;max-width:calc(100% + 56px);height:auto;margin:0 -28px}",
  ".wide{overflow:auto;max-height:640px;background:var(--card);border:1px solid var(--edge);border-radius:10px;padding:0 20px;margin:16px 0}",
  "table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}",
  "th{position:sticky;top:0;background:var(--card);text-align:left;color:var(--muted);font-weight:600}th,td{padding:6px 20px 6px 0;border-bottom:1px solid var(--rule);vertical-align:top}",
  "tr:last-child td{border-bottom:0}.n{text-align:right;white-space:nowrap}td:last-child,th:last-child{padding-right:0}",
  "pre{margin:14px 0;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}",
].join("");

function styleOf(theme: "auto" | "light" | "dark"): string {
  const root = `:root{${theme === "dark" ? DARK : LIGHT}}`;
  return `${root}${theme === "auto" ? `@media (prefers-color-scheme: dark){:root{${DARK}}}` : ""}${STYLE}`;
}

function sectionLines({ title, text, pictures = [], table, code }: ReportSection): string[] {
  return [
    "<section>",
    ...(title === undefined ? [] : [`<h2>${escapeXml(title)}</h2>`]),
    ...(text === undefined
      ? []
      : text.split(/\n\s*\n/).map((paragraph) => `<p>${escapeXml(paragraph.trim())}</p>`)),
    ...pictures.map((picture) => picture.trimEnd()),
    ...(table === undefined ? [] : tableLines(table)),
    ...(code === undefined ? [] : [`<div class="wide"><pre>${escapeXml(code)}</pre></div>`]),
    "</section>",
  ];
}

function tableLines({ columns, rows, note, marked = [] }: ReportTable): string[] {
  const shown = rows.slice(0, MOST_ROWS);
  // A column of numbers, or of texts that begin like numbers, is aligned to the right.
  const isRight = columns.map(
    (_, i) =>
      shown.length > 0 &&
      shown.every((row) => typeof row[i] === "number" || /^-?[\d.,]+(e-?\d+)?$/.test(`${row[i]}`)),
  );
  const cell = (tag: "td" | "th", words: string | number, i: number): string => {
    const text = typeof words === "number" ? (Number.isInteger(words) ? grouped(words) : `${words}`) : words;
    return `<${tag}${isRight[i] ? ' class="n"' : ""}>${escapeXml(text)}</${tag}>`;
  };
  const left = rows.length - shown.length;
  const below = [
    ...(note === undefined ? [] : [note]),
    ...(left === 0 ? [] : [`${grouped(left)} more rows are left out.`]),
  ];
  return [
    '<div class="wide">',
    "<table>",
    `<thead><tr>${columns.map((words, i) => cell("th", words, i)).join("")}</tr></thead>`,
    "<tbody>",
    ...shown.map(
      (row, i) =>
        `<tr${marked.includes(i) ? ' class="m"' : ""}>${columns.map((_, i) => cell("td", row[i] ?? "", i)).join("")}</tr>`,
    ),
    "</tbody>",
    "</table>",
    "</div>",
    ...below.map((words) => `<p class="note">${escapeXml(words)}</p>`),
  ];
}
