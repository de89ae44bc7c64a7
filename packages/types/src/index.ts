export * from "./core/index.js";
export {
  MAX_ARGS,
  MAX_ENTRIES,
  MAX_RESULTS,
  MAX_SPECIAL_ELEMENTS,
  MAX_VECTOR_ELEMENTS,
  MOV_TYPES,
} from "./description.js";
export { DescriptionError, type DescriptionErrorCode, type DescriptionProblem } from "./error.js";
export { type GenerateTypeScriptOptions, generateTypeScript } from "./generate/typescript.js";
export { parseStackDescription } from "./parse.js";
