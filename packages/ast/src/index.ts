export type { SiteOperand } from "@mm-ptx/types/core";
export { AstCompiler } from "./compiler.js";
export {
  constant,
  constantBits,
  float32Bits,
  float32FromBits,
  type Instruction,
  input,
  ptxInstruction,
  returnInstruction,
  routine,
  routineArgument,
} from "./encode.js";
export { AstPtxError, type AstPtxErrorCode, type InstructionPlace } from "./error.js";
export {
  type Constant,
  type Expression,
  literal,
  literalBits,
  type Operand,
  type Operation,
  operation,
  type Variable,
  variables,
} from "./expression/expression.js";
export type { Fold } from "./expression/fold.js";
export {
  abs,
  add,
  copysign,
  cos,
  div,
  ex2,
  fma,
  lg2,
  max,
  min,
  mul,
  neg,
  rcp,
  rsqrt,
  sin,
  sqrt,
  sub,
  tanh,
} from "./expression/functions.js";
export type { OperationName } from "./expression/operations.js";
export { type ExpressionProgram, type ToProgramOptions, toProgram } from "./expression/to-program.js";
export { float32Function } from "./float32.js";
export { AstInterpreter, type AstInterpreterOptions } from "./interpreter/interpreter.js";
export type { AstCompileJob, AstCompilerOptions } from "./job.js";
export { type AstKernelJob, type AstKernelPart, astFromKernelFile } from "./kernel-file.js";
export { type AstLimits, DEFAULT_LIMITS, REFERENCE_LIMITS } from "./limits.js";
export { AstProgram } from "./program.js";
export { type SiteJobOptions, siteJob } from "./site-job.js";
export { type ParseExpressionOptions, parseExpression } from "./text/parse.js";
export { printExpression } from "./text/print.js";
