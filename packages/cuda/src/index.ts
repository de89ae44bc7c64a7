export { type Cubin, CubinError, type CubinSection, readCubin, sameMachineCode } from "./elf.js";
export {
  type Diagnostic,
  PtxCompileError,
  type PtxCompileErrorCode,
  type PtxCompileErrorDetails,
} from "./error.js";
export {
  type CompileAllOptions,
  type CompileCallOptions,
  PtxCompiler,
  type PtxJob,
  type StreamOptions,
} from "./ptx/compiler.js";
export { findPtxas, type Ptxas } from "./ptx/find-ptxas.js";
export type { JobResult } from "./ptx/flow.js";
export type { CompileInfo, KernelInfo } from "./ptx/info.js";
export type { BackendName, Effort, PtxCompilerOptions, ResolvedOptions } from "./ptx/options.js";
export type { CompileResult } from "./ptx/outcome.js";
export { type BackendState, type Capabilities, capabilities } from "./ptx/select.js";
