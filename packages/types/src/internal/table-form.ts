// The form of tables, which callers in plain JavaScript and files may get wrong.
import type { AstTable, InjectTypes, StackTable, TableIdentity } from "../core/table.js";
import { describeValue } from "./describe.js";

type TableKind = (AstTable | InjectTypes | StackTable)["kind"];

type Lists = Readonly<Record<string, readonly unknown[]>>;

/** Whether a field of an entry has the right form; an index refers to another list of the table. */
type Form = (value: unknown, lists: Lists) => boolean;

const text: Form = (value) => typeof value === "string";
const count: Form = (value) => Number.isInteger(value) && (value as number) >= 0;
/** As in description files; compilers make room for every element. */
const elements: Form = (value, lists) => count(value, lists) && (value as number) <= 65535;
const flag: Form = (value) => typeof value === "boolean";
const optional =
  (form: Form): Form =>
  (value, lists) =>
    value === undefined || form(value, lists);
const indexInto =
  (list: string): Form =>
  (value, lists) =>
    count(value, lists) && (value as number) < lists[list]!.length;
const listOf =
  (form: Form): Form =>
  (value, lists) =>
    Array.isArray(value) && value.every((item) => form(item, lists));
const requirement: Form = (value, lists) =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => text(one, lists));

const PRINTED = { ptx: text, name: text, display: optional(text), requires: optional(requirement) };

/** The lists that a table of each kind has, and the form of their entries. */
const FORMS: Record<TableKind, Readonly<Record<string, Readonly<Record<string, Form>>>>> = {
  ast: { instructions: { ...PRINTED, args: count } },
  inject: {
    types: { name: text, registerType: text, movPostfix: text, registerChar: text, registerCast: text },
  },
  stack: {
    stackTypes: {
      name: text,
      literalPrefix: text,
      constantType: optional((value) => ["f32", "s32", "u32"].includes(value as string)),
      encoderType: optional(text),
    },
    argTypes: { name: text, stackIndex: indexInto("stackTypes"), vectorElements: elements },
    instructions: {
      ...PRINTED,
      args: listOf(indexInto("argTypes")),
      results: listOf(indexInto("argTypes")),
      aligned: flag,
    },
    specialRegisters: { ...PRINTED, argType: indexInto("argTypes") },
  },
};

/** The kinds of tables. */
export const TABLE_KINDS = Object.keys(FORMS) as readonly TableKind[];

/** Explains why a value is not a table; a correct table is traversed only once. */
export function whyNoTable(given: unknown): string | undefined {
  const table = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const { kind, fingerprint } = table;
  const forms = typeof kind === "string" && Object.hasOwn(FORMS, kind) ? FORMS[kind as TableKind] : undefined;
  if (forms === undefined || !Object.keys(forms).every((list) => Array.isArray(table[list]))) {
    return describeValue(given);
  }
  const wrong = (place: string, value: unknown) => `one with ${describeValue(value)} as \`${place}\``;
  if (!text(fingerprint, {})) return wrong("fingerprint", fingerprint);
  if (!listOf(text)(table.bases, {})) return wrong("bases", table.bases);
  for (const [list, fields] of Object.entries(forms)) {
    for (const [index, entry] of (table[list] as unknown[]).entries()) {
      const place = `${list}[${index}]`;
      if (typeof entry !== "object" || entry === null) return wrong(place, entry);
      for (const [field, fits] of Object.entries(fields)) {
        const value = (entry as Record<string, unknown>)[field];
        if (!fits(value, table as Lists)) return wrong(`${place}.${field}`, value);
      }
    }
  }
  return undefined;
}

/**
 * The table that a kernel file refers to: the one that it contains, or else the first of the caller's tables in which
 * all indices of the table with that fingerprint have the same meaning.
 */
export function referredTable<Table extends TableIdentity>(
  reference: Table | string,
  tables: readonly Table[],
): Table | undefined {
  if (typeof reference !== "string") return reference;
  return tables.find(({ fingerprint, bases }) => fingerprint === reference || bases.includes(reference));
}
