// The report of a run: a page with its pictures, which needs no other files.
import { join } from "node:path";
import { escaped } from "../pictures/drawing/svg.js";
import { counted, grouped, significant } from "../pictures/drawing/words.js";
import type { Equation } from "../regress/regression.js";
import type { Search } from "../search/search.js";
import { pickEquation } from "./equations.js";
import { writeWhole } from "./framework.js";
import type { NamedPicture } from "./pictures.js";
import { duration } from "./status.js";

/** What a report shows. */
export interface ReportContent {
  readonly folder: string;
  readonly search: Search;
  readonly seconds: number;
  readonly pictures: readonly NamedPicture[];
  readonly equations?: readonly Equation[];
}

const STYLE = `:root{color-scheme:light dark}body{margin:0 auto;padding:24px;max-width:1100px;font:15px/1.5 system-ui,sans-serif}
h1{font-size:22px;margin:0}p{margin:4px 0 20px;opacity:.75}svg{display:block;max-width:100%;height:auto;margin:0 0 20px}
table{border-collapse:collapse;margin:0 0 24px;font-variant-numeric:tabular-nums}td,th{padding:3px 14px 3px 0;text-align:right}
td:last-child,th:last-child{text-align:left;font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere}tr.pick{font-weight:600}`;

export function reportHtml({ folder, search, seconds, pictures, equations }: ReportContent): string {
  const { count, cells, best } = search.archive;
  const kept =
    cells === undefined ? counted(count, "elite") : `${grouped(count)} of ${counted(cells, "cell")}`;
  const facts = [
    `${counted(search.evaluations, "evaluation")} in ${duration(seconds)}`,
    kept,
    ...(best < 0 ? [] : [`best objective ${significant(search.archive.objective(best), 6)}`]),
  ];
  const title = escaped(`Search in ${folder}`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body>
<h1>${title}</h1>
<p>${escaped(facts.join(", "))}</p>
${equations === undefined ? "" : equationTable(equations)}${pictures.map(({ svg }) => svg).join("")}</body>
</html>
`;
}

function equationTable(equations: readonly Equation[]): string {
  const pick = pickEquation(equations);
  const cell = (value: string): string => `<td>${escaped(value)}</td>`;
  const rows = equations.map(({ complexity, loss, heldOut, formula }, index) => {
    const cells = [
      `${complexity}`,
      significant(loss),
      heldOut === undefined ? "" : significant(heldOut),
      formula,
    ];
    return `<tr${index === pick ? ' class="pick"' : ""}>${cells.map(cell).join("")}</tr>`;
  });
  return `<table><tr><th>complexity</th><th>1 - R²</th><th>held out</th><th>equation</th></tr>\n${rows.join("\n")}\n</table>\n`;
}

/** Writes `report.html`. @throws FileError */
export function writeReport(content: ReportContent): string {
  const path = join(content.folder, "report.html");
  writeWhole(path, Buffer.from(reportHtml(content)));
  return path;
}
