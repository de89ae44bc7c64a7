// The lines of `log.jsonl`, without their checks. The lines of a batch are those of what was measured, then those of the new elites, then
// what a model predicted, and then the line of the batch itself; only then the batch is in the log.

import type { ScreenReport } from "../screening/screening.js";
import type { BatchEvent } from "../search/events.js";
import type { Search } from "../search/search.js";
import { hex32 } from "./hex.js";

/** An elite in the log, as it entered the archive. */
export interface LoggedElite {
  /** Its serial number among all candidates of the search. */
  readonly elite: number;
  readonly batch: number;
  /** The cell, or -1 in archives without cells. */
  readonly cell: number;
  readonly objective: number;
  readonly measures: readonly number[];
  readonly fields?: Readonly<Record<string, number | null>>;
  /** The index of its emitter, and the variation operator that made it, if one did. */
  readonly emitter: number;
  readonly operator?: string;
  /** The serial numbers of its parents. */
  readonly parents: readonly number[];
  /** Its words, each with 8 hex digits. */
  readonly genome: string;
}

/** A batch in the log. */
export interface LoggedBatch {
  readonly batch: number;
  /** How many candidates were made, how many of them had been made before, and how many were evaluated, in this batch and in all. */
  readonly made: number;
  readonly duplicates: number;
  readonly evaluated: number;
  readonly evaluations: number;
  readonly failures: Readonly<Record<string, number>>;
  /** How many candidates filled empty cells, and how many replaced an elite. */
  readonly added: number;
  readonly improved: number;
  readonly elites: number;
  readonly best: number | null;
  readonly qdScore: number;
  readonly coverage: number | null;
  /** The hash of the archive, 32 hex digits. */
  readonly hash: string;
  /** Seconds of all runs together. */
  readonly seconds: number;
}

/** What a model predicted in a batch, and what came: see `ScreenReport`. */
export interface LoggedScreen {
  readonly screened: string;
  readonly batch: number;
  readonly candidates: number;
  readonly filtered: boolean;
  /** What the last predictions were worth: how many there are, and figures of `WatchReport`. */
  readonly watched: number;
  readonly recall: number;
  readonly chance: number;
  readonly rho: number;
  /** The serial numbers of the candidates that were evaluated. */
  readonly chosen: readonly number[];
  /** The prediction for each of them and its actual value; `null` for a missing value. */
  readonly predicted: readonly (number | null)[];
  readonly came: readonly (number | null)[];
}

/** What was measured in a batch. */
export interface LoggedMeasurement {
  readonly measured: string;
  readonly batch: number;
  /** `NaN`, `Infinity` and `-Infinity` are texts. */
  readonly values: readonly (number | string)[];
}

/** The line of a new elite, which is candidate `index` of a batch. */
export function eliteLine(search: Search, event: BatchEvent, index: number): string {
  const { batch, scores, additions } = event;
  const { candidates, number, serial } = batch;
  const { dimensions } = search.archive;
  const { words, offsets } = candidates.genomes;
  const measures = [...scores.measures.subarray(index * dimensions, (index + 1) * dimensions)].join(",");
  const parents = [candidates.parents[2 * index]!, candidates.parents[2 * index + 1]!];
  const operator = search.space.operators[candidates.operators[index]!]?.name;
  let line = `{"elite":${serial + index},"batch":${number},"cell":${additions.cell[index]}`;
  line += `,"objective":${scores.objective[index]},"measures":[${measures}]`;
  if (scores.fields !== undefined) line += `,"fields":${fieldsText(scores.fields, index)}`;
  line += `,"emitter":${candidates.emitters[index]}`;
  if (operator !== undefined) line += `,"operator":${JSON.stringify(operator)}`;
  line += `,"parents":[${parents.filter((parent) => parent >= 0).join(",")}]`;
  return `${line},"genome":"${hex32(words, offsets[index]!, offsets[index + 1]!)}"`;
}

function fieldsText(fields: Readonly<Record<string, Float64Array>>, index: number): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[index]])),
  );
}

/**
 * The candidates of a batch that came into the archive and are still there after it, by index: in an archive with cells, one that another of
 * the same batch replaced is left out.
 */
export function* newElites({ archive }: Search, event: BatchEvent): Generator<number, void, undefined> {
  const { status, cell } = event.additions;
  const { serial, candidates } = event.batch;
  for (let index = 0; index < candidates.count; index++) {
    if (status[index] === 0) continue;
    const elite = archive.cells === undefined ? -1 : archive.at(cell[index]!);
    if (elite < 0 || archive.serial(elite) === serial + index) yield index;
  }
}

/** The line of what a model predicted. JSON has no NaN, and writes `null`. */
export function screenLine(screen: ScreenReport, { number, serial }: BatchEvent["batch"]): string {
  const { predicts, candidates, filtered, chosen, predicted, came, watch } = screen;
  const { count, recall, chance, rho } = watch;
  const line = {
    ...{ screened: predicts, batch: number, candidates, filtered, watched: count, recall, chance, rho },
    chosen: Array.from(chosen, (index) => serial + index),
    ...{ predicted: [...predicted], came: [...came] },
  };
  return JSON.stringify(line).slice(0, -1);
}

/** The line of a batch up to the hash; two batches with the same line are equal as far as the log can say. */
export function batchLine(event: BatchEvent): string {
  const { batch, additions, evaluated, evaluations, failures, elites, best, qdScore, coverage } = event;
  const { number, made, duplicates } = batch;
  const { added, improved } = additions;
  const counts = {
    batch: number,
    made,
    duplicates,
    evaluated,
    evaluations,
    failures,
    added,
    improved,
    elites,
  };
  return JSON.stringify({ ...counts, best: best ?? null, qdScore, coverage: coverage ?? null }).slice(0, -1);
}

/** What follows in the line of a batch, which the search has just added. */
export const batchEnd = (search: Search, seconds: number): string =>
  `,"hash":"${hex32(search.hash())}","seconds":${Math.round(seconds * 1000) / 1000}`;

export function measurementLine(evaluator: string, batch: number, values: Float64Array): string {
  const texts = Array.from(values, (value) => (Number.isFinite(value) ? numberText(value) : `"${value}"`));
  return `{"measured":${JSON.stringify(evaluator)},"batch":${batch},"values":[${texts.join(",")}]`;
}

const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : `${value}`);
