// The options of a pipeline that predicts costs before it compiles.
import { type Check, isNumber, isObject, isWhole, quoted, unexpected } from "@mm-ptx/types/internal";
import { invalid } from "../check.js";
import { readOptions } from "../options.js";

/** A figure of results that can be predicted. */
export type PredictedFigure = "registers" | "spills" | "codeBytes" | "siteBytes" | "microseconds";

export const PREDICTED_FIGURES: readonly PredictedFigure[] = [
  "registers",
  "spills",
  "codeBytes",
  "siteBytes",
  "microseconds",
];

/** How costs are predicted, from features of the programs, by models that learn from the results of the same pipeline. */
export interface PredictOptions {
  /** What is predicted for each program before it is compiled. */
  readonly figures: readonly PredictedFigure[];
  /**
   * Programs that will exceed one of these limits with the stated confidence are not compiled: their status is `SCREENED`. Without limits,
   * every program is compiled.
   */
  readonly limits?: Readonly<Partial<Record<PredictedFigure, number>>>;
  /** From 0.5 to 0.999; 0.95 by default. It is the share of the last predictions that would have been right. */
  readonly confidence?: number;
  /** The share of programs above a limit that are compiled all the same, above 0 and up to 1; 0.05 by default. */
  readonly explore?: number;
  /** The results that are needed before anything is predicted, from 32 to 65,536; 100 by default. */
  readonly least?: number;
  /** How many of the last results are learned, from 64 to 65,536; 2,048 by default. */
  readonly window?: number;
  /** Determines which programs are compiled all the same: an integer from 0 to 2^32 - 1; 0 by default. */
  readonly seed?: number;
}

const isFigures: Check = (value, name) => {
  const expected = `a list of ${PREDICTED_FIGURES.map(quoted).join(", ")}`;
  if (!Array.isArray(value) || value.length === 0) return unexpected(name, expected, value);
  const wrong = value.find((each) => !PREDICTED_FIGURES.includes(each));
  return wrong === undefined && new Set(value).size === value.length
    ? undefined
    : unexpected(name, `${expected}, each once`, wrong ?? value);
};

const isLimit = isNumber(-Number.MAX_VALUE, Number.MAX_VALUE);
const LIMITS = Object.fromEntries(PREDICTED_FIGURES.map((name) => [name, isLimit])) as Record<
  PredictedFigure,
  Check
>;

const CHECKS: Readonly<Record<keyof PredictOptions, Check>> = {
  figures: isFigures,
  limits: isObject,
  confidence: isNumber(0.5, 0.999),
  explore: isNumber(2 ** -10, 1),
  least: isWhole(32, 65_536),
  window: isWhole(64, 65_536),
  seed: isWhole(0, 2 ** 32 - 1),
};

/** @throws PipelineError INVALID_ARGUMENT */
export function readPredictOptions(options: PredictOptions) {
  const taken = readOptions<PredictOptions>(options, CHECKS, { required: ["figures"], prefix: "predict." });
  const { figures, confidence = 0.95, explore = 0.05, least = 100, window = 2048, seed = 0 } = taken;
  const checked = readOptions<Partial<Record<PredictedFigure, number>>>(taken.limits ?? {}, LIMITS, {
    ...{ of: "`predict.limits`", prefix: "predict.limits." },
  });
  const limits: Partial<Record<PredictedFigure, number>> = Object.fromEntries(
    Object.entries(checked).filter(([, limit]) => limit !== undefined),
  );
  const other = Object.keys(limits).find((name) => !figures.includes(name as PredictedFigure));
  if (other !== undefined)
    throw invalid(`\`predict.figures\` to contain ${quoted(other)}, which has a limit`, figures);
  if (least > window)
    throw invalid(`\`predict.least\` of at most ${window}, which is \`predict.window\`,`, least);
  return { figures: [...figures], limits, confidence, explore, least, window, seed };
}

export type ReadPredictOptions = ReturnType<typeof readPredictOptions>;
