export { describeError, describeValue, quoted } from "./describe.js";
export type {
  CopyOptions,
  Device,
  DeviceBuffer,
  DeviceEvent,
  DeviceGraph,
  DeviceKernel,
  DeviceLimits,
  DeviceModule,
  DeviceResource,
  DeviceStream,
  FillOptions,
  HostMemory,
  KernelAttributes,
  LaunchDimensions,
  LaunchOptions,
  LoadOptions,
  PreparedLaunch,
  TypedArray,
  TypedArrayClass,
} from "./device.js";
export {
  ArgumentError,
  type ArgumentErrorCode,
  type ArgumentRules,
  type ArgumentType,
  bf16,
  bytes,
  f16,
  f32,
  f64,
  type KernelParameter,
  type LaunchArgument,
  packArguments,
  parameterBlockBytes,
  s8,
  s16,
  s32,
  s64,
  TypedArgument,
  u8,
  u16,
  u32,
  u64,
} from "./device-argument.js";
export { cosine, exp2, log2, multiplyAdd, sine, tanh } from "./elementary.js";
export { MmPtxError } from "./error.js";
export { deepFreeze } from "./freeze.js";
export { disposedText, foreignText, type InputChecks, inputChecks, OVERLAP_TEXT } from "./input-checks.js";
export {
  type AskedShape,
  checkDimensions,
  checkShape,
  type Dimensions,
  type LaunchShape,
  type ShapeLimits,
} from "./launch-shape.js";
export {
  argTypeIndex,
  injectType,
  instructionIndex,
  specialRegisterIndex,
  stackIndex,
  TableError,
  type TableErrorCode,
} from "./lookup.js";
export {
  countLineFeeds,
  describeLine,
  isSourceMap,
  type KernelLine,
  locateLine,
  type SourceLine,
  type SourceMap,
  type StubLine,
  sourceMap,
} from "./source-map.js";
export {
  codeFrame,
  codeFrameAt,
  lineOffset,
  type Position,
  positionAt,
  type Span,
  TextLines,
} from "./span.js";
export { didYouMean, nearest } from "./suggest.js";
export type {
  ArgType,
  AstInstruction,
  AstTable,
  ConstantType,
  InjectType,
  InjectTypes,
  Requirement,
  SpecialRegister,
  StackInstruction,
  StackTable,
  StackType,
  TableIdentity,
} from "./table.js";
export type { PtxTemplate, SegmentLines } from "./template.js";
