// Evaluates programs in the kernel that they are for, by `@mm-ptx/pipeline`.
import {
  type Check,
  describeValue,
  isBoolean,
  isFunction,
  isListOf,
  isObject,
  isText,
  unexpected,
} from "@mm-ptx/types/internal";
import type { Candidates, Scores } from "../candidates.js";
import { SearchError } from "../error.js";
import type { Evaluation, Evaluator } from "../evaluation/evaluator.js";
import { readOptions } from "../options.js";
import type { Plain } from "../plain.js";
import type { Genome, Space } from "../spaces/space.js";

/** The parts of the result of a `KernelPipeline` of `@mm-ptx/pipeline` that searches use. */
export interface ProgramResult {
  readonly index: number;
  readonly status: string;
  readonly outputs?: readonly ArrayLike<number | bigint>[];
  readonly score?: number | string;
  readonly registers?: number;
  readonly spills?: number;
  readonly codeBytes?: number;
  readonly siteBytes?: number;
  readonly microseconds?: number;
}

/** The parts of a `KernelPipeline` that searches use. */
export interface ProgramPipeline {
  /** Identifies everything that results depend on besides the programs. */
  readonly fingerprint: string;
  /** Runs programs, and yields a result for each in their order. */
  run(
    programs: Iterable<never>,
    options: { readonly ordered: true; readonly signal?: AbortSignal },
  ): AsyncIterable<ProgramResult>;
  /** Frees everything. */
  dispose(): void;
}

/** The numbers of a result. */
export type PipelineFigure = "score" | "registers" | "spills" | "codeBytes" | "siteBytes" | "microseconds";

/** A measure: a figure, or what a function computes from a result. */
export type PipelineMeasure = PipelineFigure | CustomPipelineMeasure;

/** A measure of your own. */
export interface CustomPipelineMeasure {
  readonly name: string;
  /** The number of a result. */
  readonly of: (result: ProgramResult) => number;
}

/** Options of `pipelineEvaluator`. */
export interface PipelineEvaluatorOptions {
  /** A `KernelPipeline`, or the options of one that the evaluator makes and disposes. */
  readonly pipeline: ProgramPipeline | object;
  /** The space of the candidates: a stack or AST space, unless `program` makes the programs. */
  readonly space: Space;
  /** Makes a program for the pipeline from the words of a genome; by default, the program of the space. */
  readonly program?: (words: Uint32Array) => unknown;
  /** The name of the evaluator among those of a search; the default is `pipeline`. */
  readonly name?: string;
  /** The figure to minimize; `score` by default. */
  readonly minimize?: PipelineFigure;
  /** Computes the objective from a result instead; higher is better. */
  readonly objective?: (result: ProgramResult) => number;
  readonly measures?: readonly PipelineMeasure[];
  /** Numbers that archives keep with elites, if the evaluator is not a tier. */
  readonly fields?: readonly PipelineMeasure[];
  /**
   * Whether a run that is recorded keeps all numbers in its log, and takes them from there when its batches are computed again. The default
   * is `true`: times differ each time, and what a pack of programs shares, such as registers, depends on how many were packed. With `false`,
   * programs are run again.
   */
  readonly measured?: boolean;
}

/** An evaluator that owns a pipeline if it has made one. */
export interface PipelineEvaluator extends Evaluator {
  /** Disposes the pipeline that the evaluator has made. Calls after the first one do nothing. */
  dispose(): void;
  /** Calls `dispose`. */
  [Symbol.dispose](): void;
}

const FIGURES: readonly PipelineFigure[] = [
  "score",
  "registers",
  "spills",
  "codeBytes",
  "siteBytes",
  "microseconds",
];

/** The failures of a search: statuses of results that programs have for reasons of their own, and others as `FAILED`. */
const STATUSES =
  "STACK_UNDERFLOW, REGISTER_BUDGET, INVALID_STUB, SYNTAX, SEMANTIC, RESOURCE, TIMEOUT, CRASHED, OUT_OF_BOUNDS, MISALIGNED, DEADLOCK, " +
  "TRAP, BUDGET, ILLEGAL_ADDRESS, ILLEGAL_INSTRUCTION, LAUNCH_FAILED, LAUNCH_TIMEOUT, OUTPUT_CHANGED, SCREENED";
const FAILED = "FAILED";
/** A result without the number that was asked for, or with one that is not finite. */
const NOT_FINITE = "NOT_FINITE";
const FAILURES: readonly string[] = [...STATUSES.split(", "), NOT_FINITE, FAILED];

const isFigure: Check = (value, name) =>
  FIGURES.includes(value as PipelineFigure)
    ? undefined
    : unexpected(name, FIGURES.map((figure) => `\`${figure}\``).join(", "), value);

const isMeasures = isListOf(
  "figures, or names with functions",
  (value) =>
    FIGURES.includes(value as PipelineFigure) ||
    (typeof (value as { name?: unknown } | null)?.name === "string" &&
      typeof (value as { of?: unknown }).of === "function"),
);

const OPTIONS: Readonly<Record<keyof PipelineEvaluatorOptions, Check>> = {
  pipeline: isObject,
  space: isObject,
  program: isFunction,
  name: isText,
  minimize: isFigure,
  objective: isFunction,
  measures: isMeasures,
  fields: isMeasures,
  measured: isBoolean,
};

/**
 * An evaluator that runs the programs of candidates in a kernel. Programs that fail have the status of their result as their failure, or
 * `FAILED`; a result without a number that is needed is `NOT_FINITE`.
 *
 * @throws SearchError INVALID_ARGUMENT; MISSING_PACKAGE if a pipeline is to be made and `@mm-ptx/pipeline` is not installed; the errors of
 * `KernelPipeline`
 */
export async function pipelineEvaluator(options: PipelineEvaluatorOptions): Promise<PipelineEvaluator> {
  const taken = readOptions<PipelineEvaluatorOptions>(options, OPTIONS, {
    required: ["pipeline", "space"],
    of: "`pipelineEvaluator`",
  });
  const { pipeline, space, minimize, objective } = taken;
  if (minimize !== undefined && objective !== undefined)
    throw wrong("one of `minimize` and `objective`", "both");
  const program = taken.program ?? programOf(space);
  const isOpen = typeof (pipeline as Partial<ProgramPipeline>).run === "function";
  const own = isOpen ? undefined : await openPipeline(pipeline);
  return new KernelEvaluator({ ...taken, program }, own ?? (pipeline as ProgramPipeline), own);
}

const wrong = (expected: string, found: string): SearchError =>
  new SearchError("INVALID_ARGUMENT", `expected ${expected}, found ${found}`);

function programOf(space: Space): (words: Uint32Array) => unknown {
  const made = space as Space & { program?(genome: Genome): unknown };
  if (typeof made.program !== "function")
    throw wrong("`program` for a space without programs", describeValue(undefined));
  return (words) => made.program!({ words, start: 0, end: words.length });
}

/** @internal Makes a pipeline. @throws SearchError MISSING_PACKAGE */
export async function openPipeline(
  options: object,
  load: () => Promise<object> = () => import("@mm-ptx/pipeline"),
): Promise<ProgramPipeline> {
  let loaded: object;
  try {
    loaded = await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message =
      "expected the package `@mm-ptx/pipeline`, found none: `npm install @mm-ptx/pipeline` installs it";
    throw new SearchError("MISSING_PACKAGE", message, { cause: error });
  }
  const { KernelPipeline } = loaded as { KernelPipeline: new (options: object) => ProgramPipeline };
  return new KernelPipeline(options);
}

type Settings = Omit<PipelineEvaluatorOptions, "program"> & {
  readonly program: (words: Uint32Array) => unknown;
};

class KernelEvaluator implements PipelineEvaluator {
  readonly description: Plain;
  readonly measures: readonly string[];
  readonly failures = FAILURES;
  readonly #name: string;
  readonly #pipeline: ProgramPipeline;
  readonly #program: (words: Uint32Array) => unknown;
  readonly #isMeasured: boolean;
  /** What a row of numbers has after the status: the objective, the measures and the fields. */
  readonly #numbers: readonly ((result: ProgramResult) => number)[];
  readonly #fields: readonly string[];
  #own: ProgramPipeline | undefined;

  constructor(settings: Settings, pipeline: ProgramPipeline, own: ProgramPipeline | undefined) {
    const { name = "pipeline", minimize = "score", objective, measures = [], fields = [] } = settings;
    this.measures = measures.map(nameOf);
    this.#name = name;
    this.#pipeline = pipeline;
    this.#own = own;
    this.#program = settings.program;
    this.#isMeasured = settings.measured ?? true;
    this.#fields = fields.map(nameOf);
    const best = objective ?? ((result: ProgramResult): number => -figureOf(result, minimize));
    this.#numbers = [best, ...[...measures, ...fields].map(functionOf)];
    this.description = {
      ...{ evaluator: "pipeline", name, pipeline: pipeline.fingerprint },
      ...{
        minimize: objective === undefined ? minimize : null,
        measures: this.measures,
        fields: this.#fields,
      },
      measured: this.#isMeasured,
    };
  }

  async evaluate(candidates: Candidates, { batch, signal, measurements }: Evaluation): Promise<Scores> {
    const width = 1 + this.#numbers.length;
    const kept = this.#isMeasured ? measurements?.find(this.#name, batch) : undefined;
    if (kept !== undefined) {
      if (kept.length === candidates.count * width) return this.#scores(kept, width);
      const message = `expected measurements of ${candidates.count} candidates from \`${this.#name}\` in batch ${batch}, found those of ${kept.length / width}`;
      throw new SearchError("RUN_MISMATCH", message);
    }
    const rows = await this.#run(candidates, width, signal);
    if (this.#isMeasured) measurements?.keep(this.#name, batch, rows);
    return this.#scores(rows, width);
  }

  dispose(): void {
    const own = this.#own;
    this.#own = undefined;
    own?.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A row for each candidate: its status and its numbers. */
  async #run({ genomes, count }: Candidates, width: number, signal?: AbortSignal): Promise<Float64Array> {
    const { words, offsets } = genomes;
    const make = this.#program;
    const programs = (function* () {
      for (let index = 0; index < count; index++)
        yield make(words.slice(offsets[index], offsets[index + 1])) as never;
    })();
    const rows = new Float64Array(count * width);
    let found = 0;
    for await (const result of this.#pipeline.run(programs, { ordered: true, ...(signal && { signal }) })) {
      this.#writeRow(result, rows.subarray(found * width, (found + 1) * width));
      found++;
    }
    if (found === count) return rows;
    throw new SearchError("EVALUATOR_FAILED", `expected ${count} results from the pipeline, found ${found}`);
  }

  #writeRow(result: ProgramResult, row: Float64Array): void {
    if (result.status !== "ok") {
      const known = FAILURES.indexOf(result.status);
      row[0] = 1 + (known < 0 ? FAILURES.indexOf(FAILED) : known);
      return;
    }
    for (const [index, number] of this.#numbers.entries()) row[index + 1] = number(result);
    if (row.every(Number.isFinite)) return;
    row.fill(0);
    row[0] = 1 + FAILURES.indexOf(NOT_FINITE);
  }

  #scores(rows: Float64Array, width: number): Scores {
    const count = rows.length / width;
    const dimensions = this.measures.length;
    const column = (at: number): Float64Array =>
      Float64Array.from({ length: count }, (_, index) => rows[index * width + at]!);
    const measures = new Float64Array(count * dimensions);
    for (let index = 0; index < count; index++)
      measures.set(rows.subarray(index * width + 2, index * width + 2 + dimensions), index * dimensions);
    const fields = this.#fields.map((name, field): [string, Float64Array] => [
      name,
      column(2 + dimensions + field),
    ]);
    return {
      ...{ status: Uint8Array.from(column(0)), objective: column(1), measures },
      ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    };
  }
}

const nameOf = (measure: PipelineMeasure): string => (typeof measure === "string" ? measure : measure.name);

const functionOf = (measure: PipelineMeasure): ((result: ProgramResult) => number) =>
  typeof measure === "string" ? (result) => figureOf(result, measure) : measure.of;

function figureOf(result: ProgramResult, figure: PipelineFigure): number {
  const value = result[figure];
  return typeof value === "number" ? value : Number.NaN;
}
