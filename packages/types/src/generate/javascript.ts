// Generates plain JavaScript for a table, and its types for editors and for TypeScript.
import type { AnyTable } from "../parse.js";
import { type GenerateModuleOptions, modules, partsOf, wholeModule } from "./module.js";

/** The texts of a module: `instructions.js` and `instructions.d.ts`, for example. */
export interface JavaScriptModule {
  readonly javascript: string;
  readonly types: string;
}

/**
 * Generates one module for a table, as JavaScript that runs without a build step and its types for a `.d.ts` file next
 * to it. It exports what the module of `generateTypeScript` exports.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT when an argument is of
 * the wrong kind
 */
export function generateJavaScript(table: AnyTable, options: GenerateModuleOptions = {}): JavaScriptModule {
  const parts = partsOf(table, options);
  return { javascript: wholeModule(parts, "javascript"), types: wholeModule(parts, "types") };
}

/**
 * Generates the same as several modules, by file name: `index.js`, and one for each group of encoders, `ptx.js` and,
 * for Stack PTX, `special.js`, each with a `.d.ts` file.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT when an argument is of
 * the wrong kind
 */
export function generateJavaScriptModules(
  table: AnyTable,
  options: GenerateModuleOptions = {},
): Readonly<Record<string, string>> {
  const parts = partsOf(table, options);
  const types = modules(parts, "types");
  return Object.fromEntries(
    Object.entries(modules(parts, "javascript")).flatMap(([name, text]) => [
      [`${name}.js`, text],
      [`${name}.d.ts`, types[name]!],
    ]),
  );
}
