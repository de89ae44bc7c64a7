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
  quoted,
} from "@mm-ptx/types/internal";
import type { Archive } from "../archives/archive.js";
import type { CreditOptions } from "../emitters/credit.js";
import type { Emitter } from "../emitters/emitter.js";
import { SearchError } from "../error.js";
import { type Evaluator, isEvaluator } from "../evaluation/evaluator.js";
import { hasMethods, invalid, readOptions } from "../options.js";
import type { ScreeningOptions } from "../screening/options.js";
import type { Space } from "../spaces/space.js";
import type { RestartOptions } from "./restarts.js";

/** The population of an island: its archive, and the emitters that make candidates from it. */
export interface IslandPopulation {
  readonly archive: Archive;
  readonly emitters: readonly Emitter[];
  readonly shares?: readonly number[];
}

/** How islands search. Batch b belongs to island b modulo the number of islands. */
export interface IslandOptions {
  readonly populations: readonly IslandPopulation[];
  /** The number of batches of each island between two migrations; 20 by default. */
  readonly every?: number;
  /** The number of elites that an island sends to the next one in a migration; 10 by default. */
  readonly migrants?: number;
}

/** Options of a `Search`. */
export interface SearchOptions {
  readonly space: Space;
  /** Receives the candidates; emitters take parents from it. */
  readonly archive: Archive;
  /** Make the candidates. Required unless there are `islands`, which have their own. */
  readonly emitters?: readonly Emitter[];
  /** The relative share of each emitter in a batch: numbers above 0. By default, all shares are equal. */
  readonly shares?: readonly number[];
  /** Adapts the shares to how often each emitter improves the archive, starting with `shares`. */
  readonly learn?: CreditOptions;
  readonly evaluator: Evaluator;
  /** Evaluates only candidates that a model finds promising, and some at random. The model learns from the evaluations. */
  readonly screen?: ScreeningOptions;
  /** Populations that search by themselves and exchange elites. `archive` then receives all candidates. */
  readonly islands?: IslandOptions;
  /** When an island restarts with an empty archive: see `RestartPlan`. Requires `islands`; one island is enough. */
  readonly restarts?: RestartOptions;
  /** Another archive that receives the candidates, but has no influence on the search, as for CMA-MAE. */
  readonly resultArchive?: Archive;
  /** The default is 0. */
  readonly seed?: number;
  /** The number of candidates in a batch, before it is multiplied by the `excess` of the evaluator. The default is 1024. */
  readonly batchSize?: number;
  /**
   * With 1, a batch is made while the previous one is being evaluated, so its parents are one batch older. Results depend on it, but
   * not on the number of workers. The default is 0.
   */
  readonly ahead?: 0 | 1;
  /** Whether candidates that were made before are skipped; true by default, except for vectors. */
  readonly dedupe?: boolean;
}

const isSpace = hasMethods("a space such as `astSpace(table, options)`", "sample", "vary", "signature");
const isArchive = hasMethods("an archive such as `gridArchive(options)`", "add", "rows", "hash");
const isEmitter = hasMethods("an emitter such as `evolve()`", "emit");

const OPTIONS: Readonly<Record<keyof SearchOptions, Check>> = {
  space: isSpace,
  archive: isArchive,
  emitters: isList(isEmitter),
  shares: isList(isPositive),
  learn: isObject,
  islands: isObject,
  restarts: isObject,
  evaluator: isEvaluator,
  screen: isObject,
  resultArchive: isArchive,
  seed: isWhole(0, 2 ** 32 - 1),
  batchSize: isWhole(1, 2 ** 22),
  ahead: isWhole(0, 1),
  dedupe: isBoolean,
};

/** When a run ends: at the first limit that it reaches. A run without limits continues until `signal` is aborted. */
export interface RunOptions {
  /**
   * Ends the run after this time. The batch in progress is finished first, unless that takes more than ten seconds; then it is kept for
   * the next run.
   */
  readonly seconds?: number;
  /** Ends the run with the batch that reaches this many evaluated candidates. */
  readonly evaluations?: number;
  readonly batches?: number;
  /** Ends the run when the best objective is at least this. */
  readonly target?: number;
  /** How many milliseconds the evaluator may take for a batch before the run fails. By default there is no limit. */
  readonly evaluationTimeout?: number;
  /** Ends the run. The batch that is being evaluated is kept for the next run. */
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

const ISLANDS: Readonly<Record<keyof IslandOptions, Check>> = {
  populations: isList(isObject),
  every: isWhole(1, 2 ** 31 - 1),
  migrants: isWhole(1, 2 ** 20),
};
const POPULATION: Readonly<Record<keyof IslandPopulation, Check>> = {
  archive: isArchive,
  emitters: isList(isEmitter),
  shares: isList(isPositive),
};
const DEFAULT_BATCH = 1024;
const MOST_EMITTERS = 255;

/** @throws SearchError INVALID_ARGUMENT */
export function readSearchOptions(options: SearchOptions) {
  const taken = readOptions<SearchOptions>(options, OPTIONS, { required: ["space", "archive", "evaluator"] });
  const { space, archive, evaluator, restarts, shares } = taken;
  const { seed = 0, batchSize = DEFAULT_BATCH, ahead = 0, dedupe = space.kind !== "vector" } = taken;
  const islands = taken.islands && readIslands(taken.islands, archive);
  if ((islands === undefined) === (taken.emitters === undefined)) {
    throw invalid("either `emitters` or `islands`", islands === undefined ? "neither" : "both");
  }
  if (islands !== undefined && shares !== undefined)
    throw invalid("`shares` of each island", "those of the search");
  if (restarts !== undefined && islands === undefined) {
    throw invalid("`islands` with `restarts`, because the archive of an island is emptied", "none");
  }
  const emitters = taken.emitters ?? [];
  for (const each of islands?.populations ?? [{ archive, emitters, shares }]) checkEmitters(each);
  const expected = listed(archive.names);
  const found = listed(evaluator.measures);
  if (found !== expected) {
    throw new SearchError(
      "INVALID_ARGUMENT",
      `expected an evaluator with the measures of the archive in the same order (${expected}), found ${found}`,
    );
  }
  return { ...taken, emitters, islands, seed, batchSize, ahead, dedupe };
}

const listed = (names: readonly string[]): string => names.map(quoted).join(", ") || "no measure";

/** @throws SearchError INVALID_ARGUMENT */
function readIslands(options: IslandOptions, union: Archive) {
  const taken = readOptions<IslandOptions>(options, ISLANDS, {
    required: ["populations"],
    prefix: "islands.",
  });
  const populations = taken.populations.map((population, index) =>
    readOptions<IslandPopulation>(population, POPULATION, {
      ...{ required: ["archive", "emitters"], prefix: `islands.populations[${index}].` },
    }),
  );
  const archives = new Set([union, ...populations.map(({ archive }) => archive)]);
  if (populations.length === 0) throw invalid("an island or more in `islands.populations`", "none");
  if (archives.size <= populations.length)
    throw invalid("an archive of its own for each island", "one that is there twice");
  const other = populations.find(({ archive }) => archive.names.join() !== union.names.join());
  if (other !== undefined) {
    throw invalid(
      `islands whose archives have the measures ${union.names.join(", ")}`,
      other.archive.names.join(", "),
    );
  }
  return { ...taken, populations };
}

/** @throws SearchError INVALID_ARGUMENT */
function checkEmitters({
  emitters,
  shares = emitters.map(() => 1),
}: {
  readonly emitters: readonly Emitter[];
  readonly shares?: readonly number[] | undefined;
}): void {
  if (emitters.length === 0 || emitters.length > MOST_EMITTERS) {
    throw invalid(`from 1 to ${MOST_EMITTERS} \`emitters\``, emitters.length);
  }
  if (shares.length !== emitters.length) {
    throw invalid(`a number in \`shares\` for each of ${emitters.length} emitters`, shares.length);
  }
}

/** @throws SearchError INVALID_ARGUMENT */
export const readRunOptions = (options: RunOptions): RunOptions =>
  readOptions<RunOptions>(options, RUN_OPTIONS);
