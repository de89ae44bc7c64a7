export { type Cubin, CubinError, type CubinSection, readCubin, sameMachineCode } from "./elf.js";
export {
  type Diagnostic,
  PtxCompileError,
  type PtxCompileErrorCode,
  type PtxCompileErrorDetails,
} from "./error.js";
export type { BackendFigures } from "./ptx/backend.js";
export {
  type CompileAllOptions,
  type CompileCallOptions,
  PtxCompiler,
  type StreamOptions,
} from "./ptx/compiler.js";
export { findPtxas, type Ptxas } from "./ptx/find-ptxas.js";
export type { JobResult } from "./ptx/flow.js";
export type { CompileInfo, KernelInfo } from "./ptx/info.js";
export type { JobOptions, PtxJob, TemplateJob, TextJob } from "./ptx/job.js";
export type { BackendName, PtxCompilerOptions, ResolvedOptions } from "./ptx/options.js";
export type { CompiledModule, CompileResult } from "./ptx/outcome.js";
export { type BackendState, type Capabilities, capabilities } from "./ptx/select.js";
export type { Effort, Target } from "./ptx/target.js";
