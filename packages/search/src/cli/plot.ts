// `mm-ptx-search plot`: the pictures of a run.
import { join } from "node:path";
import { readLineage } from "../node/lineage.js";
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
  const subject = await subjectOfRun(folder, 1, flags.config);
  const { search, regression } = subject;
  const loaded = await loadRun(folder, search);
  const { history, seconds } = loaded;
  const { archive } = search;
  const lineage = archive.best < 0 ? [] : await readLineage(folder, archive.serial(archive.best));
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
    complaints: (colors) => noticeText(newerNotice(folder, loaded), colors),
    text: () => written.map((path) => `${printable(path)}\n`).join(""),
  };
}
