// Modules for a table in each form: the table itself and an encoder for everything in it, and nothing else. Generation
// is a pure function of its input, so regenerating gives the same bytes. Every call is marked pure, so that bundlers
// drop what is not used. Most of them drop an object only as a whole, but a module name by name, which is why both
// forms exist: a single module, and one module per group of names.
import { checkOptions, checkTable, invalid } from "../arguments.js";
import { topLevelName } from "../internal/identifier.js";
import type { AnyTable } from "../parse.js";
import { type Declaration, declarationText, type Form } from "./declaration.js";
import { astParts, type Group, injectParts, type ModuleParts, stackParts } from "./module-parts.js";
import { NOTICE } from "./names.js";

/** Options of generated modules. */
export interface GenerateModuleOptions {
  /** The module that the encoders are imported from; default `@mm-ptx/stack`, for AST PTX `@mm-ptx/ast`. */
  readonly encoders?: string;
}

const PURE = "/* @__PURE__ */";

/** The type that the encoders return. */
const INSTRUCTION = "type Instruction";

/** @throws DescriptionError REFERENCE, INVALID_ARGUMENT */
export function partsOf(table: AnyTable, options: GenerateModuleOptions): ModuleParts {
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

/** One module with everything. */
export function wholeModule(parts: ModuleParts, form: Form): string {
  return mainModule(
    parts,
    groupImports(parts.groups),
    parts.groups.map((group) => declarationText(objectOf(group), form)),
    form,
  );
}

/** The same as several modules: `index`, and one for each group of encoders, by name. */
export function modules(parts: ModuleParts, form: Form): Readonly<Record<string, string>> {
  const reexports = parts.groups.map(
    ({ name, doc }) => `/** ${doc} */\nexport * as ${name} from "./${name}.js";`,
  );
  return Object.fromEntries([
    ["index", mainModule(parts, [], reexports, form)],
    ...parts.groups.map((group) => [group.name, groupModule(group, parts.encoders, form)]),
  ]);
}

function mainModule(
  parts: ModuleParts,
  imports: readonly string[],
  groups: readonly string[],
  form: Form,
): string {
  const declarations = [...parts.body, ...constantsOf(parts), tableOf(parts.table)];
  return sections(
    [
      `// ${NOTICE}`,
      ...importLines(coreImports(parts), "@mm-ptx/types/core", form),
      ...importLines([...parts.imports, ...imports], parts.encoders, form),
    ],
    parts.reexports.length === 0
      ? []
      : [`export { ${parts.reexports.join(", ")} } from ${JSON.stringify(parts.encoders)};`],
    ...[...groups, ...declarations.map((declaration) => declarationText(declaration, form))].map((text) =>
      text === "" ? [] : [text],
    ),
  );
}

function constantsOf(parts: ModuleParts): Declaration[] {
  const taken = namesOf(parts);
  return parts.constants.map((constant) => ({ ...constant, name: topLevelName(constant.name, taken) }));
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

function groupModule(group: Group, encoders: string, form: Form): string {
  const { local } = group.encoder;
  const taken = new Set([local]);
  const constants = group.entries.map(({ name, doc, args }): string => {
    const constant = topLevelName(name, taken);
    return declarationText(
      {
        is: "value",
        name: constant,
        doc,
        type: "Instruction",
        value: `${PURE} ${local}(${args})`,
        isInferred: true,
        ...(constant === name ? {} : { exportedAs: name }),
      },
      form,
    );
  });
  return sections(
    [`// ${NOTICE}`, ...importLines(groupImports([group]), encoders, form)],
    [`// ${group.doc}`],
    constants.length === 0 ? ["export {};"] : constants,
  );
}

/** Joins groups of lines with a blank line between them; empty groups are left out. */
function sections(...groups: readonly (readonly string[])[]): string {
  const texts = groups.filter(({ length }) => length > 0).map((lines) => lines.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

const objectOf = ({ name, doc, encoder, entries }: Group): Declaration => ({
  is: "object",
  name,
  doc,
  members: entries.map((entry) => ({
    key: entry.name,
    doc: entry.doc,
    type: "Instruction",
    value: `${PURE} ${encoder.local}(${entry.args})`,
  })),
});

/** The names that groups import from the encoders' module. An unused import would be an error under strict settings. */
function groupImports(groups: readonly Group[]): string[] {
  return groups
    .filter(({ entries }) => entries.length > 0)
    .map(({ encoder: { name, local } }) => (name === local ? name : `${name} as ${local}`));
}

/** The import of the names that a form needs: types, values, or in TypeScript both. */
function importLines(names: readonly string[], module: string, form: Form): string[] {
  const isType = (name: string): boolean => name.startsWith("type ");
  const source = JSON.stringify(module);
  const line = (keyword: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`${keyword} { ${list.join(", ")} } from ${source};`];
  if (form === "typescript") return line("import", names);
  if (form === "javascript")
    return line(
      "import",
      names.filter((name) => !isType(name)),
    );
  // The types of encoders, which TypeScript infers, have to be written here.
  const encodes = names.some((name) => !isType(name) && !CORE_VALUES.includes(name));
  const types = new Set([...names.filter(isType), ...(encodes ? [INSTRUCTION] : [])]);
  return line(
    "import type",
    [...types].map((name) => name.slice("type ".length)),
  );
}

const CORE_VALUES = ["deepFreeze"];

/** The names that every module imports from `@mm-ptx/types`. */
function coreImports({ table }: Pick<ModuleParts, "table">): string[] {
  return [...CORE_VALUES, `type ${table.type}`];
}

/** The table as an object, one entry per line. */
function tableOf({ name, type, doc, value }: ModuleParts["table"]): Declaration {
  const fields = Object.entries(value).map(([field, content]: [string, unknown]) =>
    Array.isArray(content) && content.length > 0
      ? `  ${field}: [\n${content.map((entry) => `    ${JSON.stringify(entry)},\n`).join("")}  ],`
      : `  ${field}: ${JSON.stringify(content)},`,
  );
  return { is: "value", name, doc, type, value: `${PURE} deepFreeze({\n${fields.join("\n")}\n})` };
}
