export type { KernelParameter, KernelSignature } from "@mm-ptx/types/core";
export {
  ArgumentError,
  bf16,
  bytes,
  f16,
  f32,
  f64,
  type LaunchArgument,
  s8,
  s16,
  s32,
  s64,
  TypedArgument,
  u8,
  u16,
  u32,
  u64,
} from "@mm-ptx/types/device";
export {
  type CacheKindStats,
  type CacheStats,
  type CacheVerification,
  DiskCache,
  type DiskCacheOptions,
} from "./cache/disk.js";
export type { CacheEntry, CacheEntryKind } from "./cache/entry.js";
export { defaultCacheFolder } from "./cache/location.js";
export type { CacheOptions } from "./cache/options.js";
export { type Cubin, diffMachineCode, readCubin } from "./cubin/compare.js";
export type { Disassembler } from "./cubin/disassembler.js";
export { CubinError, type CubinErrorCode, type CubinErrorDetails } from "./cubin/error.js";
export {
  type CubinFunction,
  type CubinInspection,
  type CubinKernel,
  type CubinSection,
  type CubinSymbol,
  type CubinVariable,
  inspectCubin,
} from "./cubin/inspect.js";
export type { CodeLine } from "./cubin/lines.js";
export type { Dimensions, KernelNeeds } from "./cubin/needs.js";
export type { CubinTool } from "./cubin/notes.js";
export {
  type DisassembleOptions,
  disassembleSass,
  type SassFunction,
  type SassInstruction,
  type SassListing,
} from "./cubin/sass.js";
export { CudaCompiler, type CudaResult, Nvrtc } from "./cuda/compiler.js";
export {
  CudaCompileError,
  type CudaCompileErrorCode,
  type CudaCompileErrorDetails,
  type CudaDiagnostic,
} from "./cuda/error.js";
export type {
  CudaBackendName,
  CudaCompileOptions,
  CudaCompilerOptions,
  CudaOutput,
  CudaStandard,
} from "./cuda/options.js";
export {
  type BenchmarkLaunch,
  type BenchmarkOptions,
  type BenchmarkResult,
  benchmark,
} from "./driver/benchmark.js";
export { CudaBuffer } from "./driver/buffer.js";
export { ClockMeter } from "./driver/clock-meter.js";
export { CudaDevice, type CudaStreamOptions } from "./driver/device.js";
export {
  CudaError,
  type CudaErrorCode,
  type CudaErrorDetails,
  type CudaOwnCode,
} from "./driver/error.js";
export { CudaEvent } from "./driver/event.js";
export { CudaGraph } from "./driver/graph.js";
export { CudaHostMemory } from "./driver/host.js";
export type { CudaLoadOptions } from "./driver/image.js";
export { CudaKernel, type CudaKernelAttributes, type SuggestOptions } from "./driver/kernel.js";
export { CudaLaunch, type CudaLaunchOptions } from "./driver/launch.js";
export { CudaModule } from "./driver/module.js";
export type { CudaDeviceOptions, DriverOptions, DriverReport } from "./driver/open.js";
export { CudaMemoryPool, type PoolAllocateOptions, type PoolOptions } from "./driver/pool.js";
export type { CudaDeviceDescription, CudaDeviceProperties } from "./driver/properties.js";
export type { CudaResultCode } from "./driver/results.js";
export { CudaStream } from "./driver/stream.js";
export {
  type CudaLine,
  type Diagnostic,
  PtxCompileError,
  type PtxCompileErrorCode,
  type PtxCompileErrorDetails,
} from "./error.js";
export {
  type LinkDiagnostic,
  LinkError,
  type LinkErrorCode,
  type LinkErrorDetails,
} from "./link/error.js";
export { Linker, type LinkerOptions, type LinkResult } from "./link/linker.js";
export type { LinkInput, LinkOptions } from "./link/options.js";
export type { ConfinementReport } from "./native/confinement.js";
export type { BackendStats, Origin } from "./ptx/backend.js";
export type { CodeOptions, Effort, Target } from "./ptx/code-options.js";
export {
  type CompileAllOptions,
  type CompileCallOptions,
  type CompilerStats,
  PtxCompiler,
  type StreamOptions,
} from "./ptx/compiler.js";
export type { FarmInfo } from "./ptx/farm-info.js";
export { findPtxas, type Ptxas } from "./ptx/find-ptxas.js";
export type { JobResult } from "./ptx/flow.js";
export type { CompileInfo, FunctionInfo, KernelInfo, LogInfo } from "./ptx/info.js";
export type { FilledJob, JobOptions, PtxJob, TextJob } from "./ptx/job.js";
export type { BackendName, PtxCompilerOptions, ResolvedOptions } from "./ptx/options.js";
export type { CompiledModule, CompileResult } from "./ptx/outcome.js";
export type { Progress, ProgressOptions } from "./ptx/progress.js";
export { type BackendState, type Capabilities, capabilities } from "./ptx/select.js";

export { ToolError, type ToolErrorDetails, type Unavailable } from "./tool-error.js";
