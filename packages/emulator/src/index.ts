export type { SourceFrame } from "@mm-ptx/ptx";
export type { WorkerLike } from "@mm-ptx/types/internal";
export type { EmulatedBuffer } from "./device/buffer.js";
export { EmulatedDevice } from "./device/device.js";
export type {
  AddressMode,
  ArrayOptions,
  BufferImage,
  ChannelFormat,
  EmulatedArray,
  EmulatedSurface,
  EmulatedTexture,
  TextureOptions,
} from "./device/image.js";
export type {
  ChildReport,
  EmulatedLaunch,
  EmulatedLaunchOptions,
  LaunchReport,
  Trace,
} from "./device/launch.js";
export type { EmulatedKernel, EmulatedModule } from "./device/module.js";
export type { Checks, EmulatedDeviceOptions, EngineName, Limits } from "./device/options.js";
export type { EmulatedEvent, EmulatedStream } from "./device/stream.js";
export { EmulatorError, type EmulatorErrorCode, type RunErrorCode } from "./error.js";
export { checkProgram } from "./front/index.js";
export type {
  AddressOperand,
  FunctionOperand,
  ImmediateOperand,
  LabelOperand,
  Operand,
  RegisterOperand,
  SinkOperand,
  SpecialOperand,
  VariableOperand,
  VariableReference,
  VectorOperand,
} from "./program/operand.js";
export type {
  Flow,
  MatrixShape,
  Operation,
  OperationSpace,
  Traits,
  Waiting,
} from "./program/operation.js";
export type { Problem, ProblemCode } from "./program/problem.js";
export type {
  Call,
  Instruction,
  Program,
  ProgramFunction,
  ProgramRegister,
  ProgramSpace,
  ProgramVariable,
  Relocation,
  SharedPlacement,
} from "./program/program.js";
export type { PtxType } from "./program/types.js";
export type { CheckName } from "./run/checks.js";
export type { Dimensions } from "./run/dimensions.js";
export type { AccessKind, FaultPlace } from "./run/fault.js";
export type { Finding, FindingKind, FoundAllocation, HostFrame, Severity, ThreadId } from "./run/finding.js";
export type { HeapBlock } from "./run/heap.js";
export type { LaunchFault, NearAllocation, TextPlace, ThreadPlace } from "./run/launch-fault.js";
export type { TracedValue, TraceStep } from "./view/trace.js";
