// What a run reports when it ends.
import type { PipelinePlan } from "../pipeline.js";
import { counted, grouped, significant, time } from "../report/figures.js";
import type { PipelineStats } from "../scheduling/counts.js";
import { type Outcome, printable, STANDARD } from "./framework.js";

export interface Summary {
  /** Results that were written, and those that the file had already. */
  readonly written: number;
  readonly kept: number;
  readonly seconds: number;
  readonly stats: PipelineStats;
  readonly plan: PipelinePlan;
  readonly out: string;
  readonly report?: string;
}

/** `1,990 done, 10 failed in 2.6 s` */
export function sentenceOf({ written, kept, stats, seconds }: Summary): string {
  const { done, failed, screened, explored, misjudged, duplicates, stored } = stats;
  const parts = [
    `${grouped(done)} done`,
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(screened === 0 ? [] : [`${grouped(screened)} screened`]),
    ...(explored === 0
      ? []
      : [`${grouped(explored)} compiled all the same, ${grouped(misjudged)} of them within the limits`]),
    ...(duplicates === 0 ? [] : [`${grouped(duplicates)} equal to others`]),
    ...(stored === 0 ? [] : [`${grouped(stored)} from the store`]),
    ...(kept === 0 ? [] : [`${grouped(kept)} already in the file`]),
  ];
  const rate = seconds === 0 ? "" : `, ${significant(written / seconds)} a second`;
  return `${counted(written, "result")} (${parts.join(", ")}) in ${time(seconds * 1000)}${rate}`;
}

export function outcomeOf(summary: Summary, isQuiet: boolean): Outcome {
  const { out, report, written, kept, seconds, stats, plan } = summary;
  return {
    ok: true,
    json: () => ({
      ...{ ok: true, out, ...(report === undefined ? {} : { report }) },
      ...{ written, kept, seconds: Math.round(seconds * 1000) / 1000, stats, plan },
    }),
    complaints: ({ dim }) => {
      if (isQuiet) return "";
      const lines = [
        sentenceOf(summary),
        ...(out === STANDARD ? [] : [`written ${printable(out)}`]),
        ...(report === undefined ? [] : [`written ${printable(report)}`]),
      ];
      return lines.map((line) => `${dim(line)}\n`).join("");
    },
    text: () => "",
  };
}
