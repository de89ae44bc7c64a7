// `mm-ptx-search show`: the elites of a run, and where one of them comes from.
import { wordsOfHex } from "../node/hex.js";
import { readLineage } from "../node/lineage.js";
import type { LoggedElite } from "../node/log-lines.js";
import { loadRun } from "../node/open.js";
import { counted, grouped, significant } from "../pictures/drawing/words.js";
import type { Search } from "../search/search.js";
import { type EliteFacts, eliteFacts, eliteOf } from "./elite.js";
import { columns, type Outcome, printable } from "./framework.js";
import { newerNotice, noticeText } from "./notices.js";
import { duration } from "./status.js";
import { subjectOfRun } from "./subject.js";

export interface ShowFlags {
  readonly cell?: readonly string[];
  readonly lineage?: true;
  readonly top?: number;
  readonly config?: string;
}

const TOP = 20;

/** @throws UsageError, FileError, FileProblem, SearchError */
export async function show(folder: string, flags: ShowFlags): Promise<Outcome> {
  const { search } = await subjectOfRun(folder, 1, flags);
  const loaded = await loadRun(folder, search);
  const notices = newerNotice(folder, loaded);
  if (flags.cell === undefined && flags.lineage === undefined)
    return table(search, loaded.seconds, notices, flags.top ?? TOP);
  const facts = eliteFacts(search, eliteOf(search, flags.cell));
  const lineage = flags.lineage ? await readLineage(folder, facts.serial) : undefined;
  return {
    ok: true,
    json: () => ({
      ok: true,
      batches: loaded.batches,
      elite: facts,
      ...(lineage && { lineage: lineage.map((each) => withText(search, each)) }),
    }),
    complaints: (colors) => noticeText(notices, colors),
    text: ({ bold, dim }) => {
      const lines = [...columns(factRows(facts)), "", bold(printable(facts.text.trimEnd()))];
      if (lineage !== undefined)
        lines.push("", dim("the oldest ancestor first:"), ...lineageLines(search, lineage));
      return `${lines.join("\n")}\n`;
    },
  };
}

const factRows = ({ objective, measures, serial }: EliteFacts): string[][] => [
  ["objective:", `${objective}`],
  ...Object.entries(measures).map(([name, value]) => [`${printable(name)}:`, `${value}`]),
  ["serial number:", grouped(serial)],
];

/** The elites with the greatest objectives. */
function table(search: Search, seconds: number, notices: readonly string[], top: number): Outcome {
  const { archive } = search;
  const order = Array.from({ length: archive.count }, (_, elite) => elite).sort(
    (a, b) => archive.objective(b) - archive.objective(a) || a - b,
  );
  const shown = order.slice(0, top).map((elite) => eliteFacts(search, elite));
  const { count, cells, qdScore } = archive;
  return {
    ok: true,
    json: () => ({
      ...{
        ok: true,
        batches: search.batches,
        evaluations: search.evaluations,
        seconds,
        elites: count,
        qdScore,
      },
      ...(cells !== undefined && { coverage: count / cells }),
      top: shown,
    }),
    complaints: (colors) => {
      const kept =
        cells === undefined ? counted(count, "elite") : `${grouped(count)} of ${counted(cells, "cell")}`;
      const line = `${counted(search.evaluations, "evaluation")} in ${duration(seconds)}, ${kept}, QD score ${significant(qdScore, 6)}`;
      return noticeText([line, ...notices], colors);
    },
    text: ({ bold }) => {
      const head = ["objective", ...archive.names.map(printable), space(search)];
      const rows = shown.map(({ objective, measures, text }) => [
        significant(objective, 6),
        ...Object.values(measures).map((value) =>
          typeof value === "number" ? significant(value, 4) : value,
        ),
        oneLine(text),
      ]);
      const numbers = new Set(Array.from({ length: 1 + archive.dimensions }, (_, at) => at));
      const [first = "", ...lines] = columns([head, ...rows], numbers);
      return `${[bold(first), ...lines].join("\n")}\n`;
    },
  };
}

const space = ({ space: { kind } }: Search): string => (kind === "vector" ? "vector" : "program");

/** A text on one line, cut if it is long. */
function oneLine(text: string): string {
  const line = printable(text.trim()).replace(/\s*\n\s*/g, " · ");
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}

function withText({ space }: Search, { genome, ...elite }: LoggedElite): object {
  const words = wordsOfHex(genome);
  return { ...elite, text: space.text({ words, start: 0, end: words.length }) };
}

function lineageLines({ space }: Search, lineage: readonly LoggedElite[]): string[] {
  const rows = lineage.map(({ elite, parents, operator, objective, genome }) => {
    const words = wordsOfHex(genome);
    const made = parents.length === 0 ? "new" : `${operator ?? "from"} ${parents.join(" × ")}`;
    const text = oneLine(space.text({ words, start: 0, end: words.length }));
    return [`${elite}`, printable(made), significant(objective, 6), text];
  });
  return columns([["serial", "made by", "objective", "program"], ...rows], new Set([0, 2]));
}
