export { type AstCompileJob, AstCompiler, type AstCompilerOptions } from "./compiler.js";
export {
  constant,
  constantBits,
  float32Bits,
  type Instruction,
  input,
  ptxInstruction,
  returnInstruction,
  routine,
  routineArgument,
} from "./encode.js";
export { AstPtxError, type AstPtxErrorCode, type InstructionPlace } from "./error.js";
export { float32Function } from "./float32.js";
export { AstInterpreter, type AstInterpreterOptions } from "./interpreter/interpreter.js";
export { type AstLimits, DEFAULT_LIMITS, REFERENCE_LIMITS } from "./limits.js";
export { AstProgram } from "./program.js";
