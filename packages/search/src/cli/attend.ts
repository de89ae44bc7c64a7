// What is shown and written besides while a search is recorded: the equations of a regression, and the pictures of the report.
import { join } from "node:path";
import type { SearchRun } from "../node/search-run.js";
import { pickEquation } from "../regress/pick.js";
import type { Regression } from "../regress/regression.js";
import { eliteFacts } from "./elite.js";
import { equationLines, equationsCsv } from "./equations.js";
import { printable, shellWord, writeWhole } from "./framework.js";
import { picturesOf } from "./pictures.js";
import { type ReportContent, writeReport } from "./report.js";
import type { Subject } from "./subject.js";

/** What attends a run, and what it says at the end. */
export interface Attendant {
  /** More lines for the terminal, above that of the search; called at most twice a second. */
  lines(): Promise<readonly string[]>;
  /** Called after each snapshot and at the end. */
  saved(run: SearchRun): Promise<void>;
  /** The result, as properties for `--json` and as text. */
  result(): Promise<{ readonly json: object; readonly text: string }>;
  /** More lines of the summary. */
  hints(folder: string): readonly string[];
}

export const attendantOf = (subject: Subject): Attendant =>
  subject.regression === undefined ? eliteAttendant(subject) : equationAttendant(subject, subject.regression);

function reportOf(subject: Subject, { folder, search, seconds, history }: SearchRun): ReportContent {
  return { folder, search, seconds, pictures: picturesOf(subject, history) };
}

function eliteAttendant(subject: Subject): Attendant {
  const { search } = subject;
  return {
    lines: async () => [],
    saved: async (run) => void writeReport(reportOf(subject, run)),
    result: async () => {
      const { best } = search.archive;
      if (best < 0) return { json: {}, text: "" };
      const { objective, measures, text } = eliteFacts(search, best);
      return { json: { best: { objective, measures, text } }, text: `${printable(text.trimEnd())}\n` };
    },
    hints: (folder) => [
      `${join(folder, "report.html")} has pictures; \`mm-ptx-search show ${shellWord(folder)}\` lists the elites`,
    ],
  };
}

function equationAttendant(subject: Subject, regression: Regression): Attendant {
  return {
    lines: async () => equationLines(await regression.front()),
    saved: async (run) => {
      const equations = await regression.front();
      writeWhole(join(run.folder, "equations.csv"), Buffer.from(equationsCsv(equations)));
      writeReport({ ...reportOf(subject, run), equations });
    },
    result: async () => {
      const equations = await regression.front();
      const json = equations.map(({ complexity, loss, heldOut, formula }) => ({
        ...{ complexity, loss, ...(heldOut !== undefined && { heldOut }), formula },
      }));
      return {
        json: { equations: json, pick: pickEquation(equations) },
        text: equationLines(equations)
          .map((line) => `${printable(line)}\n`)
          .join(""),
      };
    },
    hints: (folder) => [
      `${join(folder, "report.html")} has pictures, and ${join(folder, "equations.csv")} the equations`,
      `\`mm-ptx-search export ${shellWord(folder)} --as ptx\` makes PTX of the equation with >>>>`,
    ],
  };
}
