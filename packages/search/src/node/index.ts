// The entry `@mm-ptx/search/node`: searches that are recorded in folders.
export type { Parting } from "./follow.js";
export type { RunHistory } from "./history.js";
export { readLineage } from "./lineage.js";
export type { LoggedBatch, LoggedElite } from "./log-lines.js";
export {
  type DescribedRun,
  describeRun,
  type LoadedRun,
  loadRun,
  type OpenRunOptions,
  openRun,
  type ReplayedRun,
  type ReplayRunOptions,
  type ResumeRunOptions,
  replayRun,
  resumeRun,
} from "./open.js";
export {
  type PipelineEvaluator,
  type PipelineEvaluatorOptions,
  type PipelineFigure,
  type PipelineMeasure,
  type ProgramPipeline,
  type ProgramResult,
  pipelineEvaluator,
} from "./pipeline-tier.js";
export type { SearchRun } from "./search-run.js";
export { type SvgToPngOptions, svgToPng } from "./svg-to-png.js";
