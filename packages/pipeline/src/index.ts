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
export type { StoreProblems } from "./store/folder.js";
export type { StoredError, StoredResult } from "./store/result.js";
export { openResultsStore, ResultsStore, type ResultsStoreOptions } from "./store/store.js";
