// Checks of arguments of this package's functions, so that callers in plain JavaScript get errors as well.

import type { DescriptionKind } from "./description.js";
import { DescriptionError } from "./error.js";
import { describeValue } from "./internal/describe.js";
import { type Check, optionProblem, unexpected } from "./internal/option-checks.js";
import { didYouMean } from "./internal/suggest.js";
import type { AnyTable } from "./parse.js";

type Lists = Readonly<Record<string, readonly unknown[]>>;

/** Whether a field of an entry has the right form; an index refers to another list of the table. */
type Form = (value: unknown, lists: Lists) => boolean;

const text: Form = (value) => typeof value === "string";
const count: Form = (value) => Number.isInteger(value) && (value as number) >= 0;
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
const FORMS: Record<DescriptionKind, Readonly<Record<string, Readonly<Record<string, Form>>>>> = {
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
    argTypes: { name: text, stackIndex: indexInto("stackTypes"), vectorElements: count },
    instructions: {
      ...PRINTED,
      args: listOf(indexInto("argTypes")),
      results: listOf(indexInto("argTypes")),
      aligned: flag,
    },
    specialRegisters: { ...PRINTED, argType: indexInto("argTypes") },
  },
};

/** @throws DescriptionError INVALID_ARGUMENT unless it is a table */
export function checkTable(table: AnyTable): void {
  let found: string | undefined;
  try {
    found = whyNoTable(table);
  } catch {
    found = "one that throws";
  }
  if (found !== undefined) throw invalid("a table of `parseDescription` or another parser", found);
}

/** Explains why a value is not a table; a correct table is traversed only once. */
function whyNoTable(given: unknown): string | undefined {
  const table = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const { kind, fingerprint } = table;
  const forms =
    typeof kind === "string" && Object.hasOwn(FORMS, kind) ? FORMS[kind as DescriptionKind] : undefined;
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
 * Checks an object of options.
 * @param known the type of each option
 * @throws DescriptionError INVALID_ARGUMENT unless it is an object whose options are known and of the right type
 */
export function checkOptions(options: object, known: Readonly<Record<string, OptionType>>): void {
  const checks = Object.entries(known).map(([name, type]) => [name, isOf(type)] as const);
  let problem: string | undefined;
  try {
    problem = optionProblem(options, Object.fromEntries(checks));
  } catch {
    throw invalid("options as an object", "one that throws");
  }
  if (problem !== undefined) throw new DescriptionError("INVALID_ARGUMENT", problem);
}

type OptionType = "boolean" | "function" | "string";

const isOf =
  (type: OptionType): Check =>
  (value, name) =>
    typeof value === type ? undefined : unexpected(name, `a ${type}`, value);

/** @throws DescriptionError INVALID_ARGUMENT unless it is a kind of description */
export function checkKind(kind: DescriptionKind): void {
  const given: unknown = kind;
  if (typeof given === "string" && Object.hasOwn(FORMS, given)) return;
  const kinds = Object.keys(FORMS);
  const suggestion = typeof given === "string" ? didYouMean(given, kinds) : "";
  throw invalid(`a kind (${kinds.join(", ")})`, `${describeValue(given)}${suggestion}`);
}

/** The error for an argument of the wrong kind. */
export function invalid(expected: string, found: string): DescriptionError {
  return new DescriptionError("INVALID_ARGUMENT", `expected ${expected}, found ${found}`);
}
