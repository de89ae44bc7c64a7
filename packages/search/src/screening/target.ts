// What a model predicts of candidates, and what came of them.
import { quoted } from "@mm-ptx/types/internal";
import { AdditionStatus, type Additions } from "../archives/archive.js";
import type { Scores } from "../candidates.js";
import { SearchError } from "../error.js";

/** A result of a candidate that was evaluated. */
export interface ScreenedResult {
  readonly objective: number;
  readonly measures: Float64Array;
  /** A measure or a field of the scores by its name; NaN if it does not exist. */
  readonly number: (name: string) => number;
}

/** A number of your own that a model predicts. */
export interface CustomTarget {
  /** Identifies the number in the description of a run, so change it whenever the function changes. */
  readonly name: string;
  /** The number of a candidate, higher for better ones. A candidate for which it is not finite is not learned. */
  readonly of: (result: ScreenedResult) => number;
}

/** Costs, with the names that measures and fields have for them. */
const COSTS: Readonly<Record<"registers" | "instructions" | "time", readonly string[]>> = {
  registers: ["registers"],
  instructions: ["machine instructions", "instructions"],
  time: ["microseconds", "time"],
};

/** What a model predicts: see `ScreeningOptions.predicts`. */
export type ScreenTarget = "enters" | "objective" | "registers" | "instructions" | "time" | CustomTarget;

export const TARGET_NAMES: readonly string[] = ["enters", "objective", ...Object.keys(COSTS)];

export const isCustomTarget = (value: unknown): value is CustomTarget => {
  const { name, of } = (value ?? {}) as Partial<CustomTarget>;
  return typeof name === "string" && typeof of === "function";
};

/** What came of a batch. */
export interface Outcome {
  readonly scores: Scores;
  readonly additions: Additions;
  /** The names of the measures. */
  readonly names: readonly string[];
  /** The objectives of the elites that the candidates compete with. */
  readonly references: Float64Array;
}

/** What is learned of a candidate, and what the prediction is compared with; NaN if its evaluation says nothing. */
export interface Label {
  label: number;
  truth: number;
}

/** A target as it is used. */
export interface Target {
  readonly name: string;
  /** The sign of what is shown: -1 for costs, of which less is better. */
  readonly sign: 1 | -1;
  /**
   * Whether candidates are compared with those that compete with the same elite first. A model of an absolute number would otherwise choose
   * the same kind of candidates everywhere.
   */
  readonly grouped: boolean;
  read(outcome: Outcome, index: number, label: Label): void;
}

/** The target of an option. */
export function targetOf(predicts: ScreenTarget): Target {
  if (predicts === "enters") return { name: predicts, sign: 1, grouped: false, read: readEntry };
  if (predicts === "objective") return { name: predicts, sign: 1, grouped: false, read: readImprovement };
  if (typeof predicts === "string") return costTarget(predicts);
  const { name, of } = predicts;
  const read: Target["read"] = (outcome, index, label) => {
    label.label = label.truth =
      outcome.scores.status[index] === 0 ? finite(called(name, of, resultOf(outcome, index))) : Number.NaN;
  };
  return { name, sign: 1, grouped: true, read };
}

/** @throws SearchError EVALUATOR_FAILED with what the function threw as its cause */
function called(name: string, of: CustomTarget["of"], result: ScreenedResult): number {
  try {
    return of(result);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `the function \`of\` of the target ${quoted(name)} failed: ${reason}`;
    throw new SearchError("EVALUATOR_FAILED", message, { cause });
  }
}

/**
 * The model learns whether a candidate enters. The truth says besides how close to that the others came, because often less than a tenth
 * enters.
 */
function readEntry({ scores, additions, references }: Outcome, index: number, label: Label): void {
  const enters = additions.status[index] !== AdditionStatus.rejected;
  label.label = enters ? 1 : 0;
  if (enters) label.truth = 1;
  else if (scores.status[index] !== 0) label.truth = -1;
  else {
    const gap = Math.max(0, references[index]! - scores.objective[index]!);
    label.truth = gap === Number.POSITIVE_INFINITY ? -1 : -gap / (1 + gap);
  }
}

function readImprovement({ scores, references }: Outcome, index: number, label: Label): void {
  const improvement = scores.objective[index]! - references[index]!;
  label.label = label.truth = scores.status[index] === 0 ? finite(improvement) : Number.NaN;
}

function costTarget(name: keyof typeof COSTS): Target {
  const read: Target["read"] = (outcome, index, label) => {
    label.label = label.truth = Number.NaN;
    if (outcome.scores.status[index] !== 0) return;
    const cost = COSTS[name].map((each) => numberOf(outcome, index, each)).find((each) => each !== undefined);
    if (cost === undefined) {
      const known = COSTS[name].map((each) => `\`${each}\``).join(" or ");
      throw new SearchError(
        "EVALUATOR_FAILED",
        `expected a measure or a field ${known} of the evaluator, because \`screen.predicts\` is \`${name}\`, found neither`,
      );
    }
    label.label = label.truth = finite(-cost);
  };
  return { name, sign: -1, grouped: true, read };
}

function numberOf({ scores, names }: Outcome, index: number, name: string): number | undefined {
  const axis = names.indexOf(name);
  return axis >= 0 ? scores.measures[index * names.length + axis]! : scores.fields?.[name]?.[index];
}

function resultOf(outcome: Outcome, index: number): ScreenedResult {
  const { scores, names } = outcome;
  return {
    objective: scores.objective[index]!,
    measures: scores.measures.subarray(index * names.length, (index + 1) * names.length),
    number: (name) => numberOf(outcome, index, name) ?? Number.NaN,
  };
}

/** A number that is finite as f32, or NaN. */
const finite = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(Math.fround(value)) ? value : Number.NaN;
