// Straight-line code on columns of data.
export { type CodePlace, ColumnsError, type ColumnsErrorCode, type SourcePlace } from "./error.js";
export {
  type BatchResult,
  type EvaluateOptions,
  EvaluationStatus,
  evaluateBatch,
} from "./evaluate/batch.js";
export type { Column } from "./evaluate/columns.js";
export type { Loss } from "./evaluate/loss.js";
