// The report of a run: a page with its pictures, which needs no other files.
import { join } from "node:path";
import { counted, grouped, significant } from "../pictures/drawing/words.js";
import { reportHtml } from "../pictures/report.js";
import { eliteTable, type ReportTable } from "../pictures/report-table.js";
import { pickEquation } from "../regress/pick.js";
import type { Equation } from "../regress/regression.js";
import type { Search } from "../search/search.js";
import type { Genome } from "../spaces/space.js";
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

/** The most elites in the table of a run without equations. */
const MOST_ELITES = 100;

function pageOf({ folder, search, seconds, pictures, equations }: ReportContent): string {
  const { count, cells, best } = search.archive;
  const kept =
    cells === undefined ? counted(count, "elite") : `${grouped(count)} of ${counted(cells, "cell")}`;
  const facts = [
    `${counted(search.evaluations, "evaluation")} in ${duration(seconds)}`,
    kept,
    ...(best < 0 ? [] : [`best objective ${significant(search.archive.objective(best), 6)}`]),
  ];
  return reportHtml({
    title: `Search in ${folder}`,
    note: facts.join(", "),
    sections: [
      ...(equations === undefined ? [] : [{ title: "Equations", table: equationTable(equations) }]),
      { pictures: pictures.map(({ svg }) => svg) },
      ...(equations === undefined ? [{ title: "Best elites", table: bestElites(search) }] : []),
    ],
  });
}

function equationTable(equations: readonly Equation[]): ReportTable {
  const pick = pickEquation(equations);
  return {
    columns: ["complexity", "1 - R²", "held out", "equation"],
    rows: equations.map(({ complexity, loss, heldOut, formula }) => [
      complexity,
      significant(loss),
      heldOut === undefined ? "" : significant(heldOut),
      formula,
    ]),
    marked: pick < 0 ? [] : [pick],
  };
}

function bestElites({ archive, space }: Search): ReportTable {
  const genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  return eliteTable(archive.rows(), {
    measures: archive.names,
    most: MOST_ELITES,
    textOf: (elite) => {
      archive.genome(elite, genome);
      return space.text(genome).trim();
    },
  });
}

/** Writes `report.html`. @throws FileError */
export function writeReport(content: ReportContent): string {
  const path = join(content.folder, "report.html");
  writeWhole(path, Buffer.from(pageOf(content)));
  return path;
}
