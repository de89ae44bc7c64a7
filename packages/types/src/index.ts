export { MmPtxError } from "./core/error.js";
export {
  argTypeIndex,
  injectType,
  instructionIndex,
  specialRegisterIndex,
  stackIndex,
  TableError,
  type TableErrorCode,
} from "./core/lookup.js";
export { MOV_TYPES, REGISTER_TYPES } from "./core/register-type.js";
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
} from "./core/table.js";
export {
  ABI_VERSIONS,
  type DescriptionKind,
  MAX_ARGS,
  MAX_ENTRIES,
  MAX_RESULTS,
  MAX_SPECIAL_ELEMENTS,
  MAX_VECTOR_ELEMENTS,
} from "./description.js";
export {
  type BrokenEntry,
  diffTables,
  type EntryChange,
  type EntryPlace,
  type ListDiff,
  type TableDiff,
} from "./diff.js";
export {
  DescriptionError,
  type DescriptionErrorCode,
  type DescriptionPlace,
  type DescriptionProblem,
} from "./error.js";
export { type GenerateCHeaderOptions, generateCHeader } from "./generate/c-header.js";
export {
  generateJavaScript,
  generateJavaScriptModules,
  type JavaScriptModule,
} from "./generate/javascript.js";
export type { GenerateModuleOptions } from "./generate/module.js";
export { generatePython } from "./generate/python.js";
export { generateTypeScript, generateTypeScriptModules } from "./generate/typescript.js";
export { type JsonSchema, jsonSchema } from "./json-schema.js";
export type { DescriptionSource, ResolveDescription } from "./layer.js";
export {
  type AnyTable,
  type ParseDescriptionOptions,
  parseAstDescription,
  parseDescription,
  parseInjectDescription,
  parseStackDescription,
  type TableOfKind,
} from "./parse.js";
