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
