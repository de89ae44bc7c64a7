// `mm-ptx-search run` and `mm-ptx-search resume`: a search that is recorded in a folder.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { hex32 } from "../node/hex.js";
import { openRun } from "../node/open.js";
import type { SearchRun } from "../node/search-run.js";
import { counted, grouped, percent, significant } from "../pictures/drawing/words.js";
import type { Plain } from "../plain.js";
import { attendantOf } from "./attend.js";
import { type Outcome, printable, shellWord } from "./framework.js";
import { type Limits, leftOf, limitsOf } from "./limits.js";
import { type Recorded, record } from "./record.js";
import { countedBatches, duration } from "./status.js";
import { type Subject, subjectOfConfig, subjectOfRun } from "./subject.js";

/** The options of checked command lines. */
export interface RecordFlags extends Limits {
  readonly workers?: number;
  readonly quiet?: true;
}

export interface RunFlags extends RecordFlags {
  readonly out: string;
  readonly seed?: number;
}

export interface ResumeFlags extends RecordFlags {
  readonly config?: string;
}

export const workersOf = ({ workers = availableParallelism() }: Pick<RecordFlags, "workers">): number =>
  workers;

/** @throws UsageError, FileError, FileProblem, SearchError */
export async function run(config: string, flags: RunFlags): Promise<Outcome> {
  const { out, seed = 0 } = flags;
  const subject = await subjectOfConfig(config, out, { seed, workers: workersOf(flags) });
  return start(subject, flags);
}

/** Records a new search. */
export async function start(subject: Subject, flags: RunFlags): Promise<Outcome> {
  const limits = limitsOf(flags);
  const source = { ...subject.source, limits } as unknown as Plain;
  using opened = await openRun(flags.out, subject.search, { mode: "new", source });
  return await recorded(subject, opened, limits, flags);
}

/** @throws UsageError, FileError, FileProblem, SearchError */
export async function resume(folder: string, flags: ResumeFlags): Promise<Outcome> {
  const { limits, ...subject } = await subjectOfRun(folder, workersOf(flags), flags);
  const own = limitsOf(flags);
  using opened = await openRun(folder, subject.search, { mode: "resume" });
  const { search } = opened;
  const done = { seconds: opened.seconds, evaluations: search.evaluations, batches: search.batches };
  // The limits of this command line are for this command alone; without them, the run continues up to its own.
  const left = Object.keys(own).length > 0 ? own : leftOf(limits, done);
  return await recorded(subject, opened, left, flags);
}

async function recorded(
  subject: Subject,
  opened: SearchRun,
  limits: Limits | undefined,
  flags: RecordFlags,
): Promise<Outcome> {
  const quiet = flags.quiet === true;
  const attendant = attendantOf(subject);
  if (opened.damagedAt !== undefined)
    process.stderr.write(
      `${printable(join(opened.folder, "log.jsonl"))}: a line is damaged at byte ${opened.damagedAt}; the run goes on, but it can't be replayed past this line\n`,
    );
  if (!quiet && opened.recomputed > 0)
    process.stderr.write(`${countedBatches(opened.recomputed)} after the last snapshot computed again\n`);
  const result = limits && (await record(opened, limits, { quiet, attendant }));
  const hints = attendant.hints(opened.folder);
  return outcomeOf(opened, result, { ...(await attendant.result()), hints }, quiet);
}

const ENDS: Readonly<Record<Recorded["reason"], string>> = {
  seconds: "the time is over",
  evaluations: "the evaluations are done",
  batches: "the batches are done",
  target: "the target is reached",
  exhausted: "there is nothing more to try",
  aborted: "it was aborted",
  quit: "you ended it",
  interrupted: "you interrupted it",
};

function outcomeOf(
  run: SearchRun,
  result: Recorded | undefined,
  own: { readonly json: object; readonly text: string; readonly hints: readonly string[] },
  quiet: boolean,
): Outcome {
  const { search, folder } = run;
  const { archive } = search;
  const { count, best, cells, qdScore } = archive;
  const ok = result?.exitCode === undefined;
  return {
    ok,
    ...(result?.exitCode !== undefined && { exitCode: result.exitCode }),
    json: () => ({
      ...{ ok, out: folder, reason: result?.reason ?? "complete", batches: search.batches },
      ...{
        evaluations: search.evaluations,
        elites: count,
        qdScore,
        seconds: Math.round(run.seconds * 1000) / 1000,
      },
      ...(cells !== undefined && { coverage: count / cells }),
      ...{ hash: hex32(search.hash()), ...own.json },
    }),
    complaints: ({ dim }) => {
      if (quiet) return "";
      const found = [
        cells === undefined ? counted(count, "elite") : `${grouped(count)} of ${counted(cells, "cell")}`,
        ...(best < 0 ? [] : [`best ${significant(archive.objective(best), 6)}`]),
      ].join(", ");
      const lines =
        result === undefined
          ? [`the run has reached its limit; \`--seconds\` lets it go on: ${found}`]
          : [
              `${counted(result.session.evaluations, "evaluation")} in ${duration(result.seconds)} (${significant(result.session.rate)}/s, ${percent(result.session.duplicates)} duplicates), ${ENDS[result.reason]}`,
              found,
              `recorded in ${printable(folder)}${ok ? "" : `; \`mm-ptx-search resume ${printable(shellWord(folder))}\` goes on`}`,
              ...own.hints.map(printable),
            ];
      return lines.map((line) => `${dim(line)}\n`).join("");
    },
    text: () => own.text,
  };
}
