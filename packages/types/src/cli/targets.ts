// What can be generated, and where it goes: code in the languages with their options, and JSON Schemas.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { DescriptionKind } from "../description.js";
import { generateCHeader } from "../generate/c-header.js";
import { generatePython } from "../generate/python.js";
import { generateTypeScript, generateTypeScriptModules } from "../generate/typescript.js";
import { jsonSchema } from "../json-schema.js";
import { loadDescription } from "../node.js";
import type { AnyTable } from "../parse.js";
import { oneOf, UsageError } from "./usage.js";

/** What a language's generator takes besides the table. */
interface LanguageOptions {
  readonly prefix?: string;
  readonly encoders?: string;
}

interface Language {
  readonly takes: readonly (keyof LanguageOptions)[];
  generate(table: AnyTable, options: LanguageOptions): string;
  /** The same as several files of a folder, by name. */
  generateFolder?(table: AnyTable, options: LanguageOptions): Readonly<Record<string, string>>;
}

const LANGUAGES = {
  typescript: {
    takes: ["encoders"],
    generate: generateTypeScript,
    generateFolder: generateTypeScriptModules,
  },
  c: { takes: ["prefix"], generate: generateCHeader },
  python: { takes: [], generate: (table) => generatePython(table) },
} as const satisfies Record<string, Language>;

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[];
export const KINDS = ["stack", "inject", "ast"] as const satisfies readonly DescriptionKind[];

/** Code generated from a description, or the JSON Schema of a kind of description. */
export type Target = LanguageOptions &
  ({ readonly from: string; readonly language: string } | { readonly schema: string }) & {
    /** A file; or a folder when it ends in a slash or is one. Without it there is only the text. */
    readonly out?: string | undefined;
  };

/** A target's files by path; of a target without a place, the text under the empty path. */
export function filesOf(target: Target): Map<string, string> {
  if ("schema" in target) {
    const kind = oneOf("the kind of description", KINDS, target.schema);
    return new Map([[target.out ?? "", `${JSON.stringify(jsonSchema(kind), null, 2)}\n`]]);
  }
  const { from, language: name, out } = target;
  const language: Language = LANGUAGES[oneOf("the language", LANGUAGE_NAMES, name)];
  const options: LanguageOptions = {};
  for (const option of ["prefix", "encoders"] as const) {
    if (target[option] === undefined) continue;
    if (!language.takes.includes(option))
      throw new UsageError(`expected no \`${option}\` for ${name}, found \`${target[option]}\``);
    Object.assign(options, { [option]: target[option] });
  }
  const table = loadDescription(from);
  if (out === undefined || !isFolder(out)) return new Map([[out ?? "", language.generate(table, options)]]);
  if (language.generateFolder === undefined) {
    throw new UsageError(`expected a file as the output of ${name}, found the folder \`${out}\``);
  }
  const files = language.generateFolder(table, options);
  return new Map(Object.entries(files).map(([file, text]) => [join(out, file), text]));
}

function isFolder(out: string): boolean {
  return /[\\/]$/.test(out) || (statSync(out, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
