// `mm-ptx-search plot`: the pictures of a run.
import { join } from "node:path";
import { SearchError } from "../error.js";
import { readLineage } from "../node/lineage.js";
import type { LoggedElite } from "../node/log-lines.js";
import { loadRun } from "../node/open.js";
import { type Outcome, printable, writeWhole } from "./framework.js";
import { newerNotice, noticeText } from "./notices.js";
import { picturesOf } from "./pictures.js";
import { writeReport } from "./report.js";
import { subjectOfRun } from "./subject.js";

export interface PlotFlags {
  readonly out?: string;
  readonly config?: string;
}

/** @throws FileError, FileProblem, SearchError */
export async function plot(folder: string, flags: PlotFlags): Promise<Outcome> {
  const subject = await subjectOfRun(folder, 1, flags);
  const { search, regression } = subject;
  const loaded = await loadRun(folder, search);
  const { history, seconds } = loaded;
  const { archive } = search;
  const notices = [...newerNotice(folder, loaded)];
  const lineage = archive.best < 0 ? [] : await lineageOf(folder, archive.serial(archive.best), notices);
  const pictures = picturesOf(subject, history, lineage);
  const equations = await regression?.front();
  const out = flags.out ?? join(folder, "pictures");
  const written = pictures.map(({ name, svg }) => {
    const path = join(out, `${name}.svg`);
    writeWhole(path, Buffer.from(svg));
    return path;
  });
  written.push(writeReport({ folder, search, seconds, pictures, ...(equations && { equations }) }));
  return {
    ok: true,
    json: () => ({ ok: true, written }),
    complaints: (colors) => noticeText(notices, colors),
    text: () => written.map((path) => `${printable(path)}\n`).join(""),
  };
}

/** The lineage of an elite; none with a notice if the log has lost it. */
async function lineageOf(folder: string, serial: number, notices: string[]): Promise<readonly LoggedElite[]> {
  try {
    return await readLineage(folder, serial);
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    notices.push(`without the lineage of the best elite: ${error.message}`);
    return [];
  }
}
