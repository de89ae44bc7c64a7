// What can be generated and where it is written: code in several languages with their options, and JSON Schemas.
import { statSync } from "node:fs";
import { extname, join } from "node:path";
import type { DescriptionKind } from "../description.js";
import { generateCHeader } from "../generate/c-header.js";
import { generateJavaScript, generateJavaScriptModules } from "../generate/javascript.js";
import { generatePython } from "../generate/python.js";
import { generateTypeScript, generateTypeScriptModules } from "../generate/typescript.js";
import { quoted } from "../internal/describe.js";
import { didYouMean } from "../internal/suggest.js";
import { jsonSchema } from "../json-schema.js";
import { loadDescription } from "../node.js";
import type { AnyTable } from "../parse.js";
import { placeOf } from "./framework.js";

/** The options of a language's generator besides the table. */
interface LanguageOptions {
  readonly prefix?: string;
  readonly encoders?: string;
}

interface Language {
  readonly takes: readonly (keyof LanguageOptions)[];
  generate(table: AnyTable, options: LanguageOptions): string;
  /** Generates the type declarations of that file, which are written next to it. */
  generateTypes?(table: AnyTable, options: LanguageOptions): string;
  /** Generates the same as several files of a folder, by name, and lists all possible names. */
  generateFolder?(table: AnyTable, options: LanguageOptions): Readonly<Record<string, string>>;
  readonly folderFiles?: readonly string[];
  /** An example of an output file, for languages that can also be written to a folder. */
  readonly example?: string;
}

const LANGUAGES = {
  typescript: {
    takes: ["encoders"],
    generate: generateTypeScript,
    generateFolder: generateTypeScriptModules,
    folderFiles: ["index.ts", "ptx.ts", "special.ts"],
    example: "table.ts",
  },
  js: {
    takes: ["encoders"],
    generate: (table, options) => generateJavaScript(table, options).javascript,
    generateTypes: (table, options) => generateJavaScript(table, options).types,
    generateFolder: generateJavaScriptModules,
    folderFiles: ["index", "ptx", "special"].flatMap((name) => [`${name}.js`, `${name}.d.ts`]),
    example: "table.js",
  },
  c: { takes: ["prefix"], generate: generateCHeader },
  python: { takes: [], generate: (table) => generatePython(table) },
} satisfies Record<string, Language>;

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[];
export const KINDS = ["stack", "inject", "ast"] as const satisfies readonly DescriptionKind[];

const OPTIONS = ["prefix", "encoders"] as const satisfies readonly (keyof LanguageOptions)[];

/** Code generated from a description, or the JSON Schema of a kind of description. */
export type Target = LanguageOptions &
  ({ readonly from: string; readonly language: string } | { readonly schema: string }) & {
    /** A file, or a folder if it ends in a slash or is one. Without it the text is only returned. */
    readonly out?: string | undefined;
  };

/** The problem with a target, and the key that has it. */
export interface Refusal {
  readonly key: "encoders" | "language" | "out" | "prefix" | "schema";
  readonly expected: string;
  readonly found: string;
  readonly hint: string;
}

/** Explains why a target is invalid; `undefined` for a valid one. */
export function refusalOf(target: Target): Refusal | undefined {
  const refuse = (key: Refusal["key"], found: string, expected: string, hint = ""): Refusal => ({
    key,
    expected,
    found: quoted(found),
    hint,
  });
  if ("schema" in target) {
    const { schema, out } = target;
    if (out !== undefined && (out === "" || isFolder(out))) return refuse("out", out, "a file");
    if (isOneOf(KINDS, schema)) return undefined;
    return refuse("schema", schema, `a kind of description (${KINDS.join(", ")})`, didYouMean(schema, KINDS));
  }
  const { language, out } = target;
  if (!isOneOf(LANGUAGE_NAMES, language)) {
    const expected = `a language (${LANGUAGE_NAMES.join(", ")})`;
    return refuse("language", language, expected, didYouMean(language, LANGUAGE_NAMES));
  }
  const { takes, generateFolder, generateTypes, example }: Language = LANGUAGES[language];
  for (const option of OPTIONS) {
    const value = target[option];
    if (value === undefined) continue;
    if (!takes.includes(option)) return refuse(option, value, `no \`${option}\` for ${language}`);
    if (value === "") return refuse(option, value, "a text that is not empty");
  }
  if (out === "") return refuse("out", out, "a path");
  if (out === undefined) return undefined;
  if (outputsOf(target).some((output) => placeOf(output) === placeOf(target.from))) {
    return refuse("out", out, "an output that is not the description itself");
  }
  if (generateFolder === undefined) {
    return isFolder(out) ? refuse("out", out, `a file for ${language}`, ", which is a folder") : undefined;
  }
  if (isFolder(out)) return undefined;
  const file = `a file such as \`${example}\`, or a folder/`;
  if (extname(out) === "") return refuse("out", out, file, `, did you mean \`${out}/\`?`);
  return generateTypes !== undefined && typesPath(out) === undefined ? refuse("out", out, file) : undefined;
}

/** The paths that a target may write. */
export function outputsOf(target: Target): string[] {
  const { out } = target;
  if (out === undefined) return [];
  const language: Language | undefined =
    "language" in target ? LANGUAGES[target.language as keyof typeof LANGUAGES] : undefined;
  const { folderFiles, generateTypes } = language ?? {};
  if (folderFiles !== undefined && isFolder(out)) return folderFiles.map((file) => join(out, file));
  const types = generateTypes === undefined ? undefined : typesPath(out);
  return types === undefined ? [out] : [out, types];
}

/** Where TypeScript looks for the types of a JavaScript module; `undefined` for any other file. */
function typesPath(out: string): string | undefined {
  const [, stem, module] = /^(.*)\.(m?)js$/.exec(out) ?? [];
  return stem === undefined ? undefined : `${stem}.d.${module}ts`;
}

/** The files of a valid target by path; without an output path, the text has the empty path. */
export function filesOf(target: Target): Map<string, string> {
  if ("schema" in target) {
    const text = JSON.stringify(jsonSchema(target.schema as DescriptionKind), null, 2);
    return new Map([[target.out ?? "", `${text}\n`]]);
  }
  const { from, language: name, out, ...rest } = target;
  const language: Language = LANGUAGES[name as keyof typeof LANGUAGES];
  const options: LanguageOptions = rest;
  const table = loadDescription(from);
  if (out === undefined || !isFolder(out)) {
    const types = language.generateTypes?.(table, options);
    const files = new Map([[out ?? "", language.generate(table, options)]]);
    return out === undefined || types === undefined ? files : files.set(typesPath(out)!, types);
  }
  const files = language.generateFolder!(table, options);
  return new Map(Object.entries(files).map(([file, text]) => [join(out, file), text]));
}

function isOneOf<Word extends string>(words: readonly Word[], found: string): found is Word {
  return words.some((word) => word === found);
}

function isFolder(out: string): boolean {
  if (/[\\/]$/.test(out)) return true;
  try {
    return statSync(out).isDirectory();
  } catch {
    // The code that reads or writes the file reports what is wrong.
    return false;
  }
}
