// The options of the evaluator on columns.
import {
  type Column,
  ColumnsError,
  ColumnWorkers,
  checkData,
  type Loss,
  type WorkersOption,
} from "@mm-ptx/columns";
import {
  type Check,
  isBoolean,
  isList,
  isNumber,
  isObject,
  isOneOf,
  isWhole,
  unexpected,
} from "@mm-ptx/types/internal";
import { SearchError } from "../../error.js";
import { invalid, readOptions } from "../../options.js";
import type { ProgramSpace } from "../../spaces/space.js";
import type { Measure } from "../measures.js";

/**
 * How constants are fitted: those of candidates whose loss is at most `within` times that of the elite of their cell, or whose cell is
 * empty. Each step takes what the one before has left.
 */
export interface TuningStep {
  /** `lm` for losses that are sums of squares, `es` for all: see `fitConstants` of `@mm-ptx/columns`. */
  readonly method: "lm" | "es";
  readonly iterations: number;
  /** The default is infinity: all candidates. */
  readonly within?: number;
}

/** Candidates are drawn in excess and evaluated on a part of the rows first. */
export interface RacingOptions {
  /** How many rows are in the part. The default is 64. */
  readonly rows?: number;
  /** How many candidates are drawn for each that is evaluated on all rows; by default it adapts, beginning with 16. */
  readonly excess?: number;
}

/** What `columnsEvaluator` evaluates candidates on. */
export interface ColumnsEvaluatorOptions {
  readonly space: ProgramSpace;
  /** One column for each input of the space, in their order. */
  readonly columns: readonly Column[];
  /** What the output is compared with. The objective is the loss times -1. */
  readonly loss: Loss;
  /** One for each axis of the archive. */
  readonly measures?: readonly Measure[];
  readonly tuning?: readonly TuningStep[];
  readonly racing?: RacingOptions;
  /** Whether emitters and archives get the error of each row, which lexicase selection needs. The default is `false`. */
  readonly cases?: boolean;
  /** `ptx` disturbs approximate instructions within what the PTX manual permits. */
  readonly bounds?: "ptx";
  /** The number of threads including the one that searches, or your own threads. They do not change the results. */
  readonly workers?: WorkersOption;
  /** `false` computes in JavaScript. */
  readonly webAssembly?: boolean;
}

const MOST_THREADS = 256;
const isCount = isWhole(1, MOST_THREADS);
const isWorkers: Check = (value, name) => {
  if (value instanceof ColumnWorkers) return undefined;
  return typeof value === "number"
    ? isCount(value, name)
    : unexpected(name, "a number or an object of ColumnWorkers", value);
};
const isColumn: Check = (value, name) =>
  ArrayBuffer.isView(value) ? undefined : unexpected(name, "a typed array", value);

const OPTIONS: Readonly<Record<keyof ColumnsEvaluatorOptions, Check>> = {
  space: isObject,
  columns: isList(isColumn),
  loss: isObject,
  measures: isList(isObject),
  tuning: isList(isObject),
  racing: isObject,
  cases: isBoolean,
  bounds: isOneOf(["ptx"]),
  workers: isWorkers,
  webAssembly: isBoolean,
};
const TUNING: Readonly<Record<keyof TuningStep, Check>> = {
  method: isOneOf(["lm", "es"]),
  iterations: isWhole(1, 1_000_000),
  within: isNumber(1, Number.MAX_VALUE),
};
const RACING: Readonly<Record<keyof RacingOptions, Check>> = {
  rows: isWhole(1, 2 ** 24),
  excess: isNumber(1, 4096),
};

/** The losses that `lm` can make smaller. */
const SQUARES: readonly string[] = ["mse", "r2", "nmse"];

/** @throws SearchError INVALID_ARGUMENT */
export function readColumnsOptions(options: ColumnsEvaluatorOptions) {
  const taken = readOptions<ColumnsEvaluatorOptions>(options, OPTIONS, {
    required: ["space", "columns", "loss"],
  });
  const { space, columns, measures = [], tuning = [], racing, cases = false } = taken;
  if (typeof space.compile !== "function") throw invalid("a space whose genomes are programs", space.kind);
  if (columns.length !== space.inputs.length) {
    throw invalid(`a column for each of the inputs ${space.inputs.join(", ")}`, `${columns.length} columns`);
  }
  const steps = tuning.map((step, index) =>
    readOptions<TuningStep>(step, TUNING, {
      required: ["method", "iterations"],
      prefix: `tuning[${index}].`,
    }),
  );
  const race = racing && readOptions<RacingOptions>(racing, RACING, { prefix: "racing." });
  if (race !== undefined && cases) {
    throw invalid("either `racing` or `cases`, because candidates that lose a race have no cases", "both");
  }
  const { loss } = taken;
  try {
    checkData(columns, loss);
  } catch (cause) {
    if (!(cause instanceof ColumnsError)) throw cause;
    throw new SearchError("INVALID_ARGUMENT", cause.message, { cause });
  }
  const outputs = space.outputRegisters.length;
  if ((loss.output ?? 0) >= outputs) throw invalid(`\`loss.output\` below ${outputs}`, loss.output);
  if (steps.some(({ method }) => method === "lm") && !SQUARES.includes(loss.kind)) {
    throw invalid(`a loss that is a sum of squares (${SQUARES.join(", ")}) for tuning by \`lm\``, loss.kind);
  }
  return { ...taken, columns: [...columns], measures: [...measures], tuning: steps, racing: race, cases };
}

export type ReadColumnsOptions = ReturnType<typeof readColumnsOptions>;
