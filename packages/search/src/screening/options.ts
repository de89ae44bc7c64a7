// The options of a search that screens its candidates.
import type { Column } from "@mm-ptx/columns";
import type { WatchOptions } from "@mm-ptx/learn";
import {
  type Check,
  didYouMean,
  isFunction,
  isList,
  isNumber,
  isObject,
  isText,
  isWhole,
  quoted,
  unexpected,
} from "@mm-ptx/types/internal";
import type { Measure } from "../evaluation/measures.js";
import { invalid, readOptions } from "../options.js";
import type { Genome, ProgramSpace, Space } from "../spaces/space.js";
import { isCustomTarget, type ScreenTarget, TARGET_NAMES } from "./target.js";

/** Features of your own. */
export interface CustomFeatures {
  /** Identifies the features in the description of a run, so change it whenever they change. */
  readonly name: string;
  /** How many numbers there are. */
  readonly columns: number;
  /** Writes the numbers of a genome, which have to be finite. */
  readonly write: (genome: Genome, features: Float32Array) => void;
}

/** `trees` are boosted, `linear` is ridge regression on random features, and `neighbours` needs no training. */
export type ScreenModel = "linear" | "neighbours" | "trees";

/** How candidates are screened by a model that learns from the evaluations of the same search. */
export interface ScreeningOptions {
  /**
   * `enters`: whether a candidate enters the archive. `objective`: by how much it is better than the elite that it competes with.
   * `registers`, `instructions` and `time`: the measure or field of the scores that has this name, of which less is better. Or a number of
   * your own.
   */
  readonly predicts: ScreenTarget;
  /** How many candidates are made for each that is evaluated, from 2 to 64; 4 by default. While the model is not useful, only one is. */
  readonly candidates?: number;
  /** The share of the evaluated candidates that is random, above 0 and up to 1; 0.1 by default. */
  readonly explore?: number;
  /** `linear` with `probes`, otherwise `trees`; or trees that were saved by `Trees.save` of `@mm-ptx/learn`, which learn on. */
  readonly model?: ScreenModel | Uint8Array;
  /**
   * A column with a few rows for each input of the space. What a program computes for them is used as its features; with `trees`, besides
   * what its code consists of.
   */
  readonly probes?: readonly Column[];
  /** Features that replace those of the code. Spaces of vectors do not need them; other spaces whose genomes are not programs do. */
  readonly features?: CustomFeatures;
  /**
   * The measures of the archive, if all can be computed from programs. Then the elite that a candidate competes with is known before it is
   * evaluated; otherwise that of its parent's cell is taken in its place.
   */
  readonly measures?: readonly Measure[];
  /** How many of the last evaluated candidates the model learns from, from 64 to 65,536; 2,048 by default. */
  readonly window?: number;
  /** The model is fitted again after this many new rows, and after an eighth of the rows if that is more; 50 by default. */
  readonly every?: number;
  /** When the model is useful, after it was trusted for `least` predictions, here 300 by default. While it is not, nothing is screened. */
  readonly watch?: WatchOptions;
}

const isTarget: Check = (value, name) => {
  if (typeof value !== "string")
    return isCustomTarget(value)
      ? undefined
      : unexpected(name, `${TARGET_NAMES.map(quoted).join(", ")}, or a name with a function \`of\``, value);
  return TARGET_NAMES.includes(value)
    ? undefined
    : unexpected(name, TARGET_NAMES.map(quoted).join(", "), value, didYouMean(value, TARGET_NAMES));
};

const MODELS: readonly string[] = ["trees", "linear", "neighbours"];
const isModel: Check = (value, name) =>
  value instanceof Uint8Array || MODELS.includes(value as string)
    ? undefined
    : unexpected(name, `${MODELS.map(quoted).join(", ")}, or the bytes of saved trees`, value);

const isColumn: Check = (value, name) =>
  ArrayBuffer.isView(value) ? undefined : unexpected(name, "a typed array", value);

const OPTIONS: Readonly<Record<keyof ScreeningOptions, Check>> = {
  predicts: isTarget,
  candidates: isWhole(2, 64),
  explore: isNumber(2 ** -10, 1),
  model: isModel,
  probes: isList(isColumn),
  features: isObject,
  measures: isList(isObject),
  window: isWhole(64, 65_536),
  every: isWhole(1, 65_536),
  watch: isObject,
};

const FEATURES: Readonly<Record<keyof CustomFeatures, Check>> = {
  name: isText,
  columns: isWhole(1, 2048),
  write: isFunction,
};

const MOST_PROBES = 512;
/** Models gain most early in a search, so they are trusted for longer than a watch needs by itself. */
const LEAST_WATCHED = 300;

/** @throws SearchError INVALID_ARGUMENT */
export function readScreeningOptions(options: ScreeningOptions, space: Space, measures: readonly string[]) {
  const taken = readOptions<ScreeningOptions>(options, OPTIONS, {
    ...{ required: ["predicts"], prefix: "screen.", of: "`screen`" },
  });
  const { predicts, candidates = 4, explore = 0.1, probes, window = 2048, every = 50 } = taken;
  const watch = { least: Math.min(LEAST_WATCHED, taken.watch?.window ?? LEAST_WATCHED), ...taken.watch };
  const features =
    taken.features &&
    readOptions<CustomFeatures>(taken.features, FEATURES, {
      ...{ required: ["name", "columns", "write"], prefix: "screen.features." },
    });
  const programs = isProgramSpace(space) ? space : undefined;
  if (programs === undefined) {
    if (probes !== undefined || taken.measures !== undefined)
      throw invalid("a space whose genomes are programs for `probes` and `measures`", space.kind);
    if (features === undefined && space.kind !== "vector")
      throw invalid("`screen.features` for a space whose genomes are neither programs nor vectors", "none");
  }
  if (probes !== undefined) {
    const inputs = programs!.inputs.length;
    if (probes.length !== inputs)
      throw invalid(`a column of \`screen.probes\` for each of ${inputs} inputs`, probes.length);
    const rows = probes[0]?.length ?? 0;
    if (rows < 2 || rows > MOST_PROBES || probes.some(({ length }) => length !== rows))
      throw invalid(`columns of \`screen.probes\` of one length, from 2 to ${MOST_PROBES}`, rows);
  }
  const found = taken.measures?.map(({ name }) => name).join(", ");
  if (found !== undefined && found !== measures.join(", "))
    throw invalid(`the measures of the archive (${measures.join(", ")}) as \`screen.measures\``, found);
  const model = taken.model ?? (probes === undefined ? "trees" : "linear");
  return { ...taken, predicts, candidates, explore, model, features, programs, window, every, watch };
}

export type ReadScreeningOptions = ReturnType<typeof readScreeningOptions>;

const isProgramSpace = (space: Space): space is ProgramSpace =>
  typeof (space as Partial<ProgramSpace>).compile === "function";
