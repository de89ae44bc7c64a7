// The entry `@mm-ptx/stack`: programs, the compiler, and the text and file formats of programs.
export type { SiteOperand } from "@mm-ptx/types/core";
export type {
  IgnoredInstructions,
  Leftovers,
  StackAnalysis,
  ValueInstructions,
} from "./analysis/analyze.js";
export type { InstructionOutcome, Shortage } from "./analysis/outcome.js";
export type {
  StackTrace,
  TraceOptions,
  TraceRequest,
  TraceSlot,
  TraceState,
  TraceStep,
} from "./analysis/trace.js";
export type { TraceValue } from "./analysis/value-texts.js";
export { StackCompiler } from "./compiler.js";
export { type DecodedInstruction, decodeInstruction, encodeInstruction } from "./decode.js";
export {
  constantBits,
  constantF32,
  constantS32,
  type Instruction,
  input,
  load,
  meta,
  metaConstant,
  ptxInstruction,
  returnInstruction,
  routine,
  special,
  store,
} from "./encode.js";
export {
  type ErrorDetails,
  type FilePlace,
  type InstructionPlace,
  type LegacyReason,
  StackPtxError,
  type StackPtxErrorCode,
  type TextProblem,
} from "./error.js";
export type { ProgramFileHeader } from "./file/format.js";
export type { ProgramFileInfo } from "./file/read.js";
export {
  type ByteSource,
  openProgramFile,
  type ProgramFile,
  type ProgramFileStream,
  type ReaderSource,
  readProgramFile,
} from "./file/source.js";
export { streamProgramFile, writeProgramFile } from "./file/write.js";
export { float32Bits } from "./float32.js";
export type { RequestCopies, StackCompileJob, StackCompilerOptions } from "./job.js";
export { type StackKernelJob, type StackKernelPart, stackFromKernelFile } from "./kernel-file.js";
export { MetaOperation, type MetaOperationName } from "./layout.js";
export type { FromLegacyOptions } from "./legacy/convert.js";
export { type DetectDialectOptions, type Dialect, detectDialect } from "./legacy/dialect.js";
export type { LegacyDialect } from "./legacy/layout.js";
export { DEFAULT_EXECUTION_LIMIT, DEFAULT_LIMITS, REFERENCE_LIMITS, type StackLimits } from "./limits.js";
export { namesOf, type TableNames } from "./names.js";
export { type FromBytesOptions, type ProgramPiece, StackProgram } from "./program.js";
export { type NamedRegister, register, type StackRegister } from "./register.js";
export { RoutineLibrary } from "./routines/library.js";
export {
  PHILOX_REGISTERS,
  type PhiloxOptions,
  type PhiloxRegister,
  type PhiloxRoutine,
  philox,
  philoxRegisters,
} from "./routines/philox.js";
export {
  fromSerialized,
  type SerializedParts,
  type StackState,
} from "./serialized/convert.js";
export type { SerializedNames } from "./serialized/names.js";
export { readSerialized, type Serialized, type SerializedPart } from "./serialized/read.js";
export type { SerializedSize } from "./serialized/reader.js";
export type {
  SerializedExtra,
  SerializedInstruction,
  SerializedKind,
  SerializedLimits,
  SerializedRegister,
  SerializedSpecialRegister,
  SerializedState,
  SerializedTable,
  SerializedValues,
  SerializedVersion,
} from "./serialized/values.js";
export { type SiteJobOptions, siteJob } from "./site-job.js";
export { assemble } from "./text/assemble.js";
export { disassemble } from "./text/disassemble.js";
export type { ProgramLabels } from "./text/labels.js";
