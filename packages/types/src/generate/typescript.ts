// Generates TypeScript for a table.
import type { AnyTable } from "../parse.js";
import { type GenerateModuleOptions, modules, partsOf, wholeModule } from "./module.js";

/**
 * Generates one module for a table. For Stack PTX it exports `table`, `stacks`, `ptx`, `special`, a constant encoder
 * for each stack that has constants (`f32(1)`), and the encoders that need no table (`input(0)`). For AST PTX it
 * exports `table`, `ptx` and those encoders; for PTX Inject, `types` and the type `TypeName`.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT when an argument is of
 * the wrong kind
 */
export function generateTypeScript(table: AnyTable, options: GenerateModuleOptions = {}): string {
  return wholeModule(partsOf(table, options), "typescript");
}

/**
 * Generates the same as several modules, by file name: `index.ts`, and one for each group of encoders, `ptx.ts` and,
 * for Stack PTX, `special.ts`. With these a bundler can include single instructions instead of the whole table.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT when an argument is of
 * the wrong kind
 */
export function generateTypeScriptModules(
  table: AnyTable,
  options: GenerateModuleOptions = {},
): Readonly<Record<string, string>> {
  const texts = modules(partsOf(table, options), "typescript");
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.ts`, text]));
}
