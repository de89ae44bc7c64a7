// The plain data that programs and packages exchange: errors, places in texts, tables, templates, kernel parameters.
export { MmPtxError } from "./error.js";
export {
  checkFilledKernel,
  type FilledKernel,
  FilledKernelError,
  filledKernel,
  type LocatedPtx,
  locateLine,
  type PtxSource,
  renderBytes,
  renderText,
} from "./filled-kernel.js";
export { deepFreeze } from "./freeze.js";
export type { KernelParameter, KernelSignature } from "./kernel-parameter.js";
export {
  argTypeIndex,
  injectType,
  instructionIndex,
  specialRegisterIndex,
  stackIndex,
  TableError,
  type TableErrorCode,
} from "./lookup.js";
export type { SiteOperand } from "./site-operand.js";
export {
  describeLine,
  type KernelLine,
  type LineOrigins,
  type PlacedStub,
  type SourceLine,
  type StubLine,
} from "./source-line.js";
export { codeFrame, type Position, positionAt, type Span } from "./span.js";
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
