export {
  type Alternatives,
  type AnnotateCudaOptions,
  type AnnotatedCuda,
  type AnnotationMode,
  annotateCuda,
  type CudaInjection,
  type CudaOperand,
} from "./annotated-cuda.js";
export { AnnotatedPtx, type ParseOptions, parsePtx } from "./annotated-ptx.js";
export { type CudaProblem, PtxInjectError, type PtxInjectErrorCode } from "./error.js";
export { cudaHeader } from "./header/header.js";
export type { Injection } from "./injection.js";
export { type InlineAsmOperand, type InlineAsmOptions, type InlineAsmSite, inlineAsm } from "./inline-asm.js";
export type { OperandValues } from "./kernel.js";
export { ptxFromKernelFile } from "./kernel-file.js";
export type { Direction, Operand } from "./marked/marker.js";
export { type ExpandOptions, expandSites } from "./pack/expand.js";
export { type PackNames, type UnpackedName, unpackName } from "./pack/names.js";
export { type PackOptions, type PackVariant, type PtxPack, pack } from "./pack/pack.js";
export { checkStub } from "./render/check-stub.js";
export type { RenderOptions } from "./render/renderer.js";
export type { Missing, StubPlace, Stubs } from "./render/stubs.js";
export type { StubWarning, StubWarningCode } from "./render/warnings.js";
export type { Site } from "./site.js";
