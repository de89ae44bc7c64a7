// What is shown and written besides while a search is recorded: the equations of a regression, and the pictures of the report.
import { join } from "node:path";
import type { SearchRun } from "../node/search-run.js";
import type { Regression } from "../regress/regression.js";
import { eliteFacts } from "./elite.js";
import { equationLines, equationsCsv, pickEquation } from "./equations.js";
import { printable, writeWhole } from "./framework.js";
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
  subject.regression === undefined ? eliteAttendant(subject) : equationAttendant(subject.regression);

function eliteAttendant({ search }: Subject): Attendant {
  return {
    lines: async () => [],
    saved: async () => {},
    result: async () => {
      const { best } = search.archive;
      if (best < 0) return { json: {}, text: "" };
      const { objective, measures, text } = eliteFacts(search, best);
      return { json: { best: { objective, measures, text } }, text: `${printable(text.trimEnd())}\n` };
    },
    hints: (folder) => [`\`mm-ptx-search show ${folder}\` lists the elites`],
  };
}

function equationAttendant(regression: Regression): Attendant {
  return {
    lines: async () => equationLines(await regression.front()),
    saved: async ({ folder }) => {
      writeWhole(join(folder, "equations.csv"), Buffer.from(equationsCsv(await regression.front())));
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
      `the equations are in ${join(folder, "equations.csv")}; \`mm-ptx-search export ${folder} --as ptx\` makes PTX of the one with >>>>`,
    ],
  };
}
