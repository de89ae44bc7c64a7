export { type PtxCode, type ReadOptions, readFragment } from "./code.js";
export type { Linkage, PtxVariable, StateSpace } from "./declaration.js";
export type { PtxDirective } from "./directive.js";
export { entryHeaders } from "./entry-headers.js";
export { PtxError, type PtxErrorCode, type PtxProblem } from "./error.js";
export type { PtxFunction } from "./function.js";
export type { PtxGuard, PtxInstruction, PtxOperand } from "./instruction.js";
export {
  ARCHITECTURES,
  type Architecture,
  architecture,
  architectureFor,
  architectureName,
  comparePtxVersions,
  compilesFor,
  family,
  hasFeaturesOf,
  leastPtxVersion,
  PTX_VERSIONS,
  ptxTarget,
  runsOn,
  TARGETS,
} from "./isa.js";
export { type PtxModule, readModule } from "./module.js";
export type { DeclarationKind, PtxDeclaration, PtxNames, PtxUse } from "./names.js";
export { isPredefined } from "./predefined.js";
export type { PtxPrototype } from "./prototype.js";
export { type SourceFrame, SourceLines } from "./source-lines.js";
export type { StatementName, Statements } from "./statement.js";
export { type Demangled, demangle, demangled } from "./symbol/demangle.js";
export { type TokenName, Tokens, tokenize } from "./token.js";
export type { PtxFloat, PtxGroup, PtxInteger, PtxName, PtxOperation, PtxSum, PtxValue } from "./value.js";
