export { describeError, describeValue, quoted } from "./describe.js";
export { cosine, exp2, log2, multiplyAdd, sine, tanh } from "./elementary.js";
export { MmPtxError } from "./error.js";
export { deepFreeze } from "./freeze.js";
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
