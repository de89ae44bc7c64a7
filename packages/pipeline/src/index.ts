// Programs in, results out.

export type { WorkerLike } from "@mm-ptx/types/internal";
export type { StreamingCompiler } from "./compiling/lane.js";
export type { PipelineConfig } from "./config.js";
export { codeBytesOfSites } from "./cost/code-bytes.js";
export type { FilledPtx } from "./cost/ranges.js";
export {
  type KernelCost,
  type SassCost,
  type SassCostOptions,
  type SiteCost,
  sassCost,
} from "./cost/sass-cost.js";
export type { CompiledCode, MachineCodeSource } from "./cost/source.js";
export type { CodeCost } from "./cost/tally.js";
export { SASS_PIPES, type SassPipe, type ThroughputFamily } from "./cost/throughput.js";
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
export type { PackChoice, PackKind } from "./packing/kinds.js";
export {
  KernelPipeline,
  type PipelinePlan,
  type PipelineProgram,
  type PipelinePrograms,
  type RunOptions,
} from "./pipeline.js";
export type { KernelPipelineOptions } from "./pipeline-options.js";
export type { PredictedFigure, PredictOptions } from "./predicting/options.js";
export type { PipelineProgress, ProgressOptions } from "./progress/events.js";
export type { FloatFormat } from "./reading/elements.js";
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
export { type ReportContent, type ReportOptions, reportSvg } from "./report/report.js";
export type { Theme } from "./report/svg.js";
export type {
  PipelineResult,
  PredictedFigures,
  ProgramFailure,
  ProgramOutcome,
  ProgramPlace,
  ResultOrigin,
} from "./results/result.js";
export type { PipelineStats, Stage } from "./scheduling/counts.js";
export type { SizeCost } from "./scheduling/tuner.js";
export { type AstSiteOptions, astSite } from "./sites/ast.js";
export type { Site, SiteRecord, StubWriter } from "./sites/site.js";
export { type StackSiteOptions, stackSite } from "./sites/stack.js";
export { textSite } from "./sites/text.js";
export type { StoreProblems } from "./store/folder.js";
export type { StoredError, StoredResult } from "./store/result.js";
export { openResultsStore, ResultsStore, type ResultsStoreOptions } from "./store/store.js";
export type { TimingOptions } from "./timing/options.js";
