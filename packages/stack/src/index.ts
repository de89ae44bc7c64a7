export {
  type RequestCopies,
  type StackCompileJob,
  StackCompiler,
  type StackCompilerOptions,
} from "./compiler.js";
export { type DecodedInstruction, decodeInstruction, encodeInstruction } from "./decode.js";
export {
  constantBits,
  constantF32,
  constantS32,
  float32Bits,
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
export { type InstructionPlace, StackPtxError, type StackPtxErrorCode } from "./error.js";
export { MetaOperation, type MetaOperationName } from "./layout.js";
export { DEFAULT_EXECUTION_LIMIT, DEFAULT_LIMITS, REFERENCE_LIMITS, type StackLimits } from "./limits.js";
export { type ProgramPiece, StackProgram } from "./program.js";
export { type NamedRegister, register, type StackRegister } from "./register.js";
