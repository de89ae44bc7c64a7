// Straight-line code on columns of data.
export type { WorkerLike } from "@mm-ptx/types/internal";
export type { LossInterval } from "./bounds/interval.js";
export { type CodePlace, ColumnsError, type ColumnsErrorCode, type SourcePlace } from "./error.js";
export { type EvaluateOptions, evaluateBatch, type IntervalOptions } from "./evaluate/batch.js";
export type { Column } from "./evaluate/columns.js";
export { checkData } from "./evaluate/data.js";
export type { Loss, LossKind } from "./evaluate/loss.js";
export {
  type BatchOutputs,
  type BatchResult,
  EvaluationStatus,
  type OutputColumn,
} from "./evaluate/results.js";
export {
  type CheckAllOptions,
  type CheckAllResult,
  type CheckedInput,
  checkAll,
} from "./exhaustive/check.js";
export { type FitMethod, type FitOptions, type FitResult, FitStatuses, fitConstants } from "./fit/batch.js";
export { replaceConstants } from "./fit/replace.js";
export {
  type GradientOptions,
  type GradientResult,
  GradientStatus,
  gradientBatch,
} from "./gradient/batch.js";
export { ColumnWorkers, type ColumnWorkersOptions } from "./workers/column-workers.js";
export { endWorkers, type WorkersOption } from "./workers/option.js";
