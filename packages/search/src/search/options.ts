// The options of searches and of their runs.
import {
  type Check,
  isBoolean,
  isList,
  isNumber,
  isObject,
  isPositive,
  isSignal,
  isWhole,
} from "@mm-ptx/types/internal";
import type { Archive } from "../archives/archive.js";
import type { CreditOptions } from "../emitters/credit.js";
import type { Emitter } from "../emitters/emitter.js";
import type { Evaluator } from "../evaluation/evaluator.js";
import { invalid, readOptions } from "../options.js";
import type { Space } from "../spaces/space.js";

/** What determines a search. */
export interface SearchOptions {
  readonly space: Space;
  /** Receives the candidates; emitters take parents from it. */
  readonly archive: Archive;
  /** What makes candidates. */
  readonly emitters: readonly Emitter[];
  /** How much of each batch each emitter makes, relative to the others: numbers above 0. By default all make equally many. */
  readonly shares?: readonly number[];
  /** Learns the shares from what improves the archive, beginning with those given. */
  readonly learn?: CreditOptions;
  readonly evaluator: Evaluator;
  /** Another archive that receives the candidates, but has no influence on the search, as for CMA-MAE. */
  readonly resultArchive?: Archive;
  /** The default is 0. */
  readonly seed?: number;
  /** How many candidates a batch has, times the `excess` of the evaluator. The default is 1024. */
  readonly batchSize?: number;
  /**
   * With 1, a batch is made while the one before is being evaluated, so its parents are one batch older. Results depend on it, but not on
   * the number of workers. The default is 0.
   */
  readonly ahead?: 0 | 1;
  /** Whether candidates are left out that were made before; by default they are, except for vectors. */
  readonly dedupe?: boolean;
}

const OPTIONS: Readonly<Record<keyof SearchOptions, Check>> = {
  space: isObject,
  archive: isObject,
  emitters: isList(isObject),
  shares: isList(isPositive),
  learn: isObject,
  evaluator: isObject,
  resultArchive: isObject,
  seed: isWhole(0, 2 ** 32 - 1),
  batchSize: isWhole(1, 2 ** 22),
  ahead: isWhole(0, 1),
  dedupe: isBoolean,
};

/** When a run ends: at the first limit that it reaches. A run without limits goes on until `signal` is aborted. */
export interface RunOptions {
  /** A batch that has begun when the time is over is still finished. */
  readonly seconds?: number;
  /** How many candidates are evaluated in this run; a batch is not cut for it. */
  readonly evaluations?: number;
  readonly batches?: number;
  /** Ends the run when the greatest objective is at least this. */
  readonly target?: number;
  /** How many milliseconds the evaluator may take for a batch before the run fails. By default it may take forever. */
  readonly evaluationTimeout?: number;
  /** Ends the run. The batch that is being evaluated stays for the next run. */
  readonly signal?: AbortSignal;
}

const RUN_OPTIONS: Readonly<Record<keyof RunOptions, Check>> = {
  seconds: isPositive,
  evaluations: isWhole(1, Number.MAX_SAFE_INTEGER),
  batches: isWhole(1, Number.MAX_SAFE_INTEGER),
  target: isNumber(-Number.MAX_VALUE, Number.MAX_VALUE),
  evaluationTimeout: isNumber(1, 2 ** 31 - 1),
  signal: isSignal,
};

const DEFAULT_BATCH = 1024;
const MOST_EMITTERS = 255;

/** @throws SearchError INVALID_ARGUMENT */
export function readSearchOptions(options: SearchOptions) {
  const taken = readOptions<SearchOptions>(options, OPTIONS, {
    required: ["space", "archive", "emitters", "evaluator"],
  });
  const { space, archive, emitters, evaluator, shares = emitters.map(() => 1) } = taken;
  const { seed = 0, batchSize = DEFAULT_BATCH, ahead = 0, dedupe = space.kind !== "vector" } = taken;
  if (emitters.length === 0 || emitters.length > MOST_EMITTERS) {
    throw invalid(`from 1 to ${MOST_EMITTERS} \`emitters\``, emitters.length);
  }
  if (shares.length !== emitters.length) {
    throw invalid(`a number in \`shares\` for each of ${emitters.length} emitters`, shares.length);
  }
  if (evaluator.measures.length !== archive.dimensions) {
    const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(", ") || "no measure";
    throw invalid(
      `an evaluator with the measures of the archive (${names(archive.names)})`,
      evaluator.measures,
    );
  }
  return { ...taken, shares, seed, batchSize, ahead, dedupe };
}

/** @throws SearchError INVALID_ARGUMENT */
export const readRunOptions = (options: RunOptions): RunOptions =>
  readOptions<RunOptions>(options, RUN_OPTIONS);
