// Programs in, results out.
export { PipelineError, type PipelineErrorCode } from "./error.js";
export {
  BufferSlices,
  InputData,
  input,
  type LaunchPlan,
  OutputSlices,
  output,
  type PlanArgument,
  slices,
} from "./launch/plan.js";
export {
  absoluteError,
  type ErrorOptions,
  type ErrorReading,
  type HashReading,
  maximumError,
  type OutputsReading,
  outputHash,
  outputs,
  type Reading,
  type ReductionBuffers,
  type ReductionOptions,
  type ReductionReading,
  reduction,
  type ScoreClass,
  type ScoreReading,
  squaredError,
} from "./reading/reading.js";
export type { StoreProblems } from "./store/folder.js";
export type { StoredError, StoredResult } from "./store/result.js";
export { openResultsStore, ResultsStore, type ResultsStoreOptions } from "./store/store.js";
