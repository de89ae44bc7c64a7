// Evaluators that are functions of the caller.
import {
  type Check,
  describeValue,
  isFunction,
  isListOf,
  isText,
  isWhole,
  quoted,
} from "@mm-ptx/types/internal";
import type { Candidates, Scores } from "../candidates.js";
import { SearchError } from "../error.js";
import { readOptions } from "../options.js";
import type { Plain } from "../plain.js";
import type { Evaluation, Evaluator } from "./evaluator.js";

/** What a function says about one genome: a code of `failures`, or an objective and a number for each measure. */
export type GenomeScore =
  | { readonly objective: number; readonly measures?: readonly number[]; readonly cases?: readonly number[] }
  | { readonly failure: string };

/** How `functionEvaluator` calls a function. */
export interface FunctionEvaluatorOptions {
  /** Identifies the function in the description of a run, so change it whenever the function changes. */
  readonly name: string;
  readonly measures?: readonly string[];
  readonly failures?: readonly string[];
  /** The number of cases, if scores have them. */
  readonly cases?: number;
  /**
   * Scores one genome and returns the score or a promise of it. It is called for all genomes of a batch before any promise is awaited. An
   * error that it throws ends the run. The words are those of the genome alone.
   */
  readonly score: (words: Uint32Array, evaluation: Evaluation) => GenomeScore | Promise<GenomeScore>;
}

const isNames = isListOf("a text", (each) => typeof each === "string");
const OPTIONS: Readonly<Record<keyof FunctionEvaluatorOptions, Check>> = {
  name: isText,
  measures: isNames,
  failures: isNames,
  cases: isWhole(1, 2 ** 24),
  score: isFunction,
};

const wrong = (expected: string, found: unknown): SearchError =>
  new SearchError(
    "EVALUATOR_FAILED",
    `expected ${expected} from the function that scores, found ${typeof found === "string" ? found : describeValue(found)}`,
  );

class FunctionEvaluator implements Evaluator {
  readonly description: Plain;
  readonly measures: readonly string[];
  readonly failures: readonly string[];
  readonly cases: number | undefined;
  readonly #score: FunctionEvaluatorOptions["score"];

  constructor(options: FunctionEvaluatorOptions) {
    const { name, measures = [], failures = [], cases, score } = options;
    this.measures = [...measures];
    this.failures = [...failures];
    this.cases = cases;
    this.#score = score;
    this.description = { evaluator: "function", name, measures: this.measures, failures: this.failures };
  }

  async evaluate({ genomes, count }: Candidates, evaluation: Evaluation): Promise<Scores> {
    const { offsets, words } = genomes;
    const { cases } = this;
    const dimensions = this.measures.length;
    const scores: Scores = {
      status: new Uint8Array(count),
      objective: new Float64Array(count),
      measures: new Float64Array(count * dimensions),
      cases: cases === undefined ? undefined : new Float64Array(count * cases),
    };
    const write = (index: number, score: GenomeScore): void => {
      const problem = this.#write(scores, index, score);
      if (problem !== undefined) scores.status[index] = 1 + this.failures.indexOf(problem);
    };
    const waiting: Promise<void>[] = [];
    for (let index = 0; index < count; index++) {
      const score = this.#score(words.slice(offsets[index], offsets[index + 1]), evaluation);
      if (score instanceof Promise) waiting.push(score.then((value) => write(index, value)));
      else write(index, score);
    }
    await Promise.all(waiting);
    return scores;
  }

  /** Writes a score. Returns the failure, if it is one. */
  #write(
    { objective, measures: written, cases }: Scores,
    index: number,
    score: GenomeScore,
  ): string | undefined {
    if (typeof score !== "object" || score === null) throw wrong("a score", score);
    if ("failure" in score) {
      if (this.failures.includes(score.failure)) return score.failure;
      const known = this.failures.map(quoted).join(", ") || "none";
      throw wrong(`a failure that \`failures\` lists (${known})`, score.failure);
    }
    const { measures = [] } = score;
    if (typeof score.objective !== "number") throw wrong("`objective` as a number", score.objective);
    if (measures.length !== this.measures.length) {
      const known = this.measures.map(quoted).join(", ");
      throw wrong(
        known === "" ? "no measures" : `a number for each measure (${known})`,
        `${measures.length}`,
      );
    }
    const other = measures.find((measure) => typeof measure !== "number");
    if (other !== undefined) throw wrong("`measures` as numbers", other);
    if ((score.cases?.length ?? 0) !== (this.cases ?? 0)) {
      throw wrong(`${this.cases ?? 0} cases`, `${score.cases?.length ?? 0}`);
    }
    objective[index] = score.objective;
    written.set(measures, index * measures.length);
    if (score.cases !== undefined) cases!.set(score.cases, index * this.cases!);
    return undefined;
  }
}

/**
 * Scores candidates by a function. A search gives scores whose objective or measures are not finite the status `BAD_SCORE`.
 * @throws SearchError INVALID_ARGUMENT; EVALUATOR_FAILED during a run, for a score that lacks numbers, or whose failure is not in `failures`
 */
export const functionEvaluator = (options: FunctionEvaluatorOptions): Evaluator =>
  new FunctionEvaluator(
    readOptions<FunctionEvaluatorOptions>(options, OPTIONS, { required: ["name", "score"] }),
  );
