// Generates TypeScript for a table: the table itself and an encoder for everything in it, and nothing else. Generation
// is a pure function of its input, so regenerating gives the same bytes. Every call is marked pure, so that bundlers
// drop what is not used. Most of them drop an object only as a whole, but a module name by name, which is why there are
// two forms.
import { checkOptions, checkTable, invalid } from "../arguments.js";
import { topLevelName } from "../internal/identifier.js";
import type { AnyTable } from "../parse.js";
import { NOTICE } from "./names.js";
import { astParts, type Group, injectParts, type ModuleParts, stackParts } from "./typescript-parts.js";

/** Options of the generated TypeScript. */
export interface GenerateTypeScriptOptions {
  /** The module that the encoders are imported from; default `@mm-ptx/stack`, for AST PTX `@mm-ptx/ast`. */
  readonly encoders?: string;
}

const PURE = "/* @__PURE__ */";

/**
 * Generates one module for a table. For Stack PTX it exports `table`, `stacks`, `ptx`, `special`, a constant encoder
 * for each stack that has constants (`f32(1)`), and the encoders that need no table (`input(0)`). For AST PTX it
 * exports `table`, `ptx` and those encoders; for PTX Inject, `types` and the type `TypeName`.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT when an argument is of
 * the wrong kind
 */
export function generateTypeScript(table: AnyTable, options: GenerateTypeScriptOptions = {}): string {
  const parts = partsOf(table, options);
  return mainModule(parts, groupImports(parts.groups), parts.groups.map(asObject));
}

/**
 * Generates the same as several modules, by file name: `index.ts`, and one for each group of encoders, `ptx.ts` and,
 * for Stack PTX, `special.ts`. With these a bundler can include single instructions instead of the whole table.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT when an argument is of
 * the wrong kind
 */
export function generateTypeScriptModules(
  table: AnyTable,
  options: GenerateTypeScriptOptions = {},
): Readonly<Record<string, string>> {
  const parts = partsOf(table, options);
  const reexports = parts.groups.map(
    ({ name, doc }) => `/** ${doc} */\nexport * as ${name} from "./${name}.js";`,
  );
  return Object.fromEntries([
    ["index.ts", mainModule(parts, [], reexports)],
    ...parts.groups.map((group) => [`${group.name}.ts`, groupModule(group, parts.encoders)]),
  ]);
}

function partsOf(table: AnyTable, options: GenerateTypeScriptOptions): ModuleParts {
  checkTable(table);
  checkOptions(options, { encoders: "string" });
  const { encoders } = options;
  if (encoders === "") throw invalid("a module as `encoders`", "``");
  switch (table.kind) {
    case "stack":
      return stackParts(table, encoders ?? "@mm-ptx/stack");
    case "ast":
      return astParts(table, encoders ?? "@mm-ptx/ast");
    case "inject":
      return injectParts(table);
  }
}

function mainModule(parts: ModuleParts, imports: readonly string[], groups: readonly string[]): string {
  return sections(
    [
      `// ${NOTICE}`,
      importLine("import", coreImports(parts), "@mm-ptx/types/core"),
      ...encoderLine("import", [...parts.imports, ...imports], parts.encoders),
    ],
    encoderLine("export", parts.reexports, parts.encoders),
    ...[...groups, ...parts.body.map(({ text }) => text), ...constantBlocks(parts)].map((block) => [block]),
    [tableText(parts.table)],
  );
}

function constantBlocks(parts: ModuleParts): string[] {
  const taken = namesOf(parts);
  return parts.constants.map(
    ({ name, doc, value }) => `/** ${doc} */\nexport const ${topLevelName(name, taken)} = ${value};`,
  );
}

/** The names that a module of either form has besides constants, so that constants get the same names in both. */
function namesOf(parts: ModuleParts): ReadonlySet<string> {
  const { imports, reexports, groups, body, table } = parts;
  const imported = [...coreImports(parts), ...imports, ...groupImports(groups)];
  return new Set([
    ...imported.map((specifier) => specifier.split(" ").at(-1)!),
    ...reexports,
    ...[...groups, ...body, table].map(({ name }) => name),
  ]);
}

function groupModule(group: Group, encoders: string): string {
  const taken = new Set([group.encoder.local]);
  const constants = group.entries.map(({ name, doc, args }) => {
    const local = topLevelName(name, taken);
    const constant = `const ${local} = ${PURE} ${group.encoder.local}(${args});`;
    return local === name
      ? `/** ${doc} */\nexport ${constant}`
      : `/** ${doc} */\n${constant}\nexport { ${local} as ${name} };`;
  });
  return sections(
    [`// ${NOTICE}`, ...encoderLine("import", groupImports([group]), encoders)],
    [`// ${group.doc}`],
    constants.length === 0 ? ["export {};"] : constants,
  );
}

/** Joins groups of lines with a blank line between them; empty groups are left out. */
function sections(...groups: readonly (readonly string[])[]): string {
  const texts = groups.filter(({ length }) => length > 0).map((lines) => lines.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

function asObject({ name, doc, encoder, entries }: Group): string {
  const lines = entries.map(
    (entry) => `  /** ${entry.doc} */\n  ${entry.name}: ${PURE} ${encoder.local}(${entry.args}),\n`,
  );
  return `/** ${doc} */\nexport const ${name} = {\n${lines.join("")}} as const;`;
}

/** The names that groups import from the encoders' module. An unused import would be an error under strict settings. */
function groupImports(groups: readonly Group[]): string[] {
  return groups
    .filter(({ entries }) => entries.length > 0)
    .map(({ encoder: { name, local } }) => (name === local ? name : `${name} as ${local}`));
}

function encoderLine(keyword: "import" | "export", names: readonly string[], encoders: string): string[] {
  return names.length === 0 ? [] : [importLine(keyword, names, encoders)];
}

function importLine(keyword: "import" | "export", names: readonly string[], module: string): string {
  return `${keyword} { ${names.join(", ")} } from ${JSON.stringify(module)};`;
}

/** The names that every module imports from the types. */
function coreImports({ table }: Pick<ModuleParts, "table">): string[] {
  return ["deepFreeze", `type ${table.type}`];
}

/** The table as an object, one entry per line. */
function tableText({ name, type, doc, value }: ModuleParts["table"]): string {
  const fields = Object.entries(value).map(([field, content]: [string, unknown]) =>
    Array.isArray(content) && content.length > 0
      ? `  ${field}: [\n${content.map((entry) => `    ${JSON.stringify(entry)},\n`).join("")}  ],`
      : `  ${field}: ${JSON.stringify(content)},`,
  );
  return `/** ${doc} */\nexport const ${name}: ${type} = ${PURE} deepFreeze({\n${fields.join("\n")}\n});`;
}
