export { FarmCompiler } from "./compiler.js";
export { FarmError, type FarmErrorCode } from "./error.js";
export type { FarmFigures } from "./figures.js";
export type { FarmCompilerOptions, FarmOptions, ServerOptions } from "./options.js";
export {
  type AlternativesOptions,
  ProgramKernel,
  ProgramPack,
  type SitePrograms,
} from "./programs/kernel.js";
export type {
  AstKernelOptions,
  ProgramKernelOptions,
  ProgramLanguages,
  ProgramOf,
  ProgramTable,
  StackKernelOptions,
} from "./programs/language.js";
export type { WorkerStatus } from "./status/status.js";
