// The entry `@mm-ptx/search/node`: searches that are recorded in folders.
export {
  type ActivationDemoOptions,
  type ActivationProgress,
  type ActivationResult,
  activationDemo,
  type JudgedKnown,
} from "./demos/activation/demo.js";
export type { ActivationErrors } from "./demos/activation/judge.js";
export type { JudgedProgram } from "./demos/activation/judged.js";
export type { ActivationTarget, KnownProgram } from "./demos/activation/targets.js";
export { DEMOS, type DemoOptions, runDemo } from "./demos/demo.js";
export { type FoundHash, type HashDemoOptions, type HashResult, hashDemo } from "./demos/hash/demo.js";
export type { HashFunction } from "./demos/hash/hash-function.js";
export type { Divergence } from "./follow.js";
export type { RunHistory } from "./history.js";
export {
  type CompiledBatch,
  type CompiledProgramsOptions,
  compiledPrograms,
  LESSON_COSTS,
} from "./lesson/compiled-programs.js";
export { readLineage } from "./lineage.js";
export type { LoggedBatch, LoggedElite, LoggedScreen } from "./log-lines.js";
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
  type CustomPipelineMeasure,
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
