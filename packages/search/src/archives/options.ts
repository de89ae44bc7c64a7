// The options that archives have in common.
import { type Check, isList, isNumber, isOptions, isText, isWhole } from "@mm-ptx/types/internal";
import { invalid } from "../options.js";

/** Options for what archives keep with elites. */
export interface EliteOptions {
  /** What `qdScore` subtracts from each objective; the default is 0. Use the lowest possible objective, so that new cells count. */
  readonly qdOffset?: number;
  /** The most words of a genome. By default there is no limit; memory follows the longest genome that was added. */
  readonly genomeWords?: number;
  /** The names of the fields of scores that are kept with elites. */
  readonly fields?: readonly string[];
  /** The number of cases, if the errors of elites in single cases are to be kept: 8 bytes for each elite and case. */
  readonly cases?: number;
}

/** Options of archives with cells. */
export interface CellArchiveOptions extends EliteOptions {
  /**
   * Acceptance thresholds as in CMA-MAE (Fontaine and Nikolaidis, "Covariance Matrix Adaptation MAP-Annealing", GECCO 2023): each cell
   * accepts candidates above its threshold, which begins at `min` and moves towards each accepted objective by `learningRate`, from 0 to
   * 1. With rates below 1 an elite may be followed by a worse one: give the search a `resultArchive` to keep the best.
   */
  readonly threshold?: { readonly learningRate: number; readonly min: number };
}

/** `EliteOptions` with the defaults. */
export interface EliteSettings {
  readonly qdOffset: number;
  readonly genomeWords: number;
  readonly fields: readonly string[];
  readonly cases: number;
}

/** `CellArchiveOptions` with the defaults. */
export interface CellArchiveSettings extends EliteSettings {
  readonly threshold: { readonly learningRate: number; readonly min: number } | undefined;
}

const isBounded = isNumber(-Number.MAX_VALUE, Number.MAX_VALUE);
const MOST_CASES = 2 ** 24;

/** The checks of `EliteOptions`. */
export const ELITE_CHECKS: Readonly<Record<keyof EliteOptions, Check>> = {
  qdOffset: isBounded,
  genomeWords: isWhole(1, 2 ** 24),
  fields: isList(isText),
  cases: isWhole(1, MOST_CASES),
};

/** The checks of `CellArchiveOptions`. */
export const CELL_ARCHIVE_CHECKS: Readonly<Record<keyof CellArchiveOptions, Check>> = {
  ...ELITE_CHECKS,
  threshold: isOptions(
    { learningRate: isNumber(0, 1), min: isBounded },
    { required: ["learningRate", "min"] },
  ),
};

/** The options that were checked, with the defaults. @throws SearchError INVALID_ARGUMENT if a field is named twice */
export function eliteSettings(options: EliteOptions): EliteSettings {
  const { qdOffset = 0, genomeWords = Number.POSITIVE_INFINITY, fields = [], cases = 0 } = options;
  refuseRepeated("fields", fields);
  return { qdOffset, genomeWords, fields: [...fields], cases };
}

/** The same for archives with cells. @throws SearchError INVALID_ARGUMENT */
export function cellArchiveSettings({ threshold, ...options }: CellArchiveOptions): CellArchiveSettings {
  return {
    ...eliteSettings(options),
    threshold: threshold && { learningRate: threshold.learningRate, min: threshold.min },
  };
}

/** What determines an archive besides what is its own, for its description. */
export const describeSettings = ({
  genomeWords,
  threshold,
  fields,
  cases,
  qdOffset,
}: EliteSettings & Partial<CellArchiveSettings>) => ({
  qdOffset,
  ...(genomeWords === Number.POSITIVE_INFINITY ? {} : { genomeWords }),
  ...(threshold ? { threshold: { ...threshold } } : {}),
  ...(fields.length === 0 ? {} : { fields }),
  ...(cases === 0 ? {} : { cases }),
});

/** @throws SearchError INVALID_ARGUMENT */
export function refuseRepeated(option: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid(`different names in \`${option}\``, repeated);
}
