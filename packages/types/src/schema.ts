// Checks a file's data against the schema of its kind, and reports problems in this package's wording instead of zod's.
// Well-formed entries are identified, so that their names and references can be checked even if other entries are
// malformed.
import * as z from "zod/mini";
import { DESCRIPTION_SCHEMAS, type DescriptionKind } from "./description.js";
import { describeValue } from "./internal/describe.js";
import { didYouMean } from "./internal/suggest.js";
import { type JsonPath, valueAt } from "./json/document.js";
import { type Problems, tellDocument } from "./problems.js";
import type { Source } from "./source.js";

type Issue = z.core.$ZodIssue;

/** The lists of a file, as far as they have the right shape. */
export interface CheckedFile {
  /** The entries of a list; malformed ones are marked. */
  entries(list: string): readonly { readonly value: unknown; readonly wellFormed: boolean }[];
  /** Whether a list cannot be read at all, so that its names are unknown. */
  unreadable(list: string): boolean;
}

/** The number of entries that are checked in each list when a file has too many problems to report all. */
const FEW = 100;

const COMPILED = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/**
 * A schema compiled to code, which takes a third of the time; where code generation is not allowed, the schema itself.
 */
function compiled(schema: z.ZodMiniType): z.ZodMiniType {
  const known = COMPILED.get(schema) ?? z.compile(schema);
  COMPILED.set(schema, known);
  return known;
}

/** The issues that zod finds in a value; `undefined` when there are too many. */
function issuesOf(schema: z.ZodMiniType, value: unknown): readonly Issue[] | undefined {
  try {
    return schema.safeParse(value).error?.issues ?? [];
  } catch (error) {
    // zod passes issues as arguments of one call, which cannot have a hundred thousand of them.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A file with only the first entries of each list. */
function shortened(value: unknown): unknown {
  const lists = Object.entries(value as object).map(([key, list]) => [
    key,
    Array.isArray(list) ? list.slice(0, FEW) : list,
  ]);
  return Object.fromEntries(lists);
}

/** Reports the problems of a file's shape. */
export function checkSchema(source: Source, kind: DescriptionKind, problems: Problems): CheckedFile {
  const { value } = source.document;
  tellDocument(source, problems);
  const { complete, extending } = DESCRIPTION_SCHEMAS[kind];
  const schema = valueAt(value, ["extends"]) === undefined ? complete() : extending();
  const unread = value === undefined && source.document.problems.length > 0;
  const all = unread ? [] : issuesOf(compiled(schema), value);
  const issues = all ?? issuesOf(schema, shortened(value)) ?? [];
  if (all === undefined) {
    const [expected, found] = ["a file with fewer problems", "too many to report"];
    problems.add({ code: "SCHEMA", source, path: [], expected, found });
  }
  // zod also reports unsafe integers, which the other limits describe better.
  for (const issue of [...issues].sort((a, b) => Number("note" in a) - Number("note" in b))) {
    tell(issue, [], source, extending(), problems);
  }

  const malformed = new Set(issues.map(({ path }) => path.slice(0, 2).join(" ")));
  const entriesOf = (list: string) => {
    const entries = valueAt(value, [list]);
    if (!Array.isArray(entries) || malformed.has(list)) return [];
    return entries.map((entry, index) => ({
      value: entry,
      wellFormed: all !== undefined && !malformed.has(`${list} ${index}`),
    }));
  };
  return {
    entries: entriesOf,
    unreadable: (list) => value === undefined || malformed.has(list),
  };
}

function tell(
  issue: Issue,
  before: JsonPath,
  source: Source,
  schema: z.ZodMiniType,
  problems: Problems,
): void {
  const path = [...before, ...issue.path.map((key) => (typeof key === "symbol" ? String(key) : key))];
  const { value } = source.document;
  const add = (finding: { path: JsonPath; expected: string; found: string; hint?: string }, of?: "key") =>
    problems.add({ code: "SCHEMA", source, ...finding, span: source.span(finding.path, of) });

  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    for (const key of issue.keys) {
      const suggestion = didYouMean(key, known);
      const expected = suggestion === "" ? `one of the keys ${known.join(", ")}` : "a known key";
      add({ path: [...path, key], expected, found: describeValue(key), hint: suggestion }, "key");
    }
    return;
  }
  const found = valueAt(value, path);
  if (found === undefined && path.length > 0) {
    add({ path, expected: `the key \`${path.at(-1)}\``, found: "none" });
    return;
  }
  if (issue.code === "invalid_union") {
    // Of several alternatives, the one that matched furthest was probably meant.
    const meant = issue.errors.flat().filter((inner) => inner.path.length > 0);
    if (meant.length > 0) {
      for (const inner of meant) tell(inner, path, source, schema, problems);
      return;
    }
  }
  const suggestion =
    issue.code === "invalid_value" && typeof found === "string" && wantsText(issue)
      ? didYouMean(found, issue.values.map(String))
      : "";
  add({ path, expected: expectation(issue), found: describeFound(found, issue), hint: suggestion });
}

/** What the schema expects, in words. */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.expected;
    case "invalid_format":
      return issue.message;
    case "invalid_value":
      return typeof issue.values[0] === "number"
        ? `a known version (${issue.values.join(", ")})`
        : `one of ${issue.values.join(", ")}`;
    case "too_big":
      return `at most ${issue.maximum}${issue.origin === "array" ? " elements" : ""}`;
    case "too_small":
      return SMALLEST[issue.origin] ?? `at least ${issue.minimum}`;
    default:
      return issue.message;
  }
}

const TYPES: Record<string, string> = {
  array: "an array",
  boolean: "true or false",
  int: "an integer",
  number: "a number",
  object: "an object",
  string: "a string",
};

const SMALLEST: Record<string, string> = {
  array: "at least one element",
  string: "a string that is not empty",
};

function describeFound(found: unknown, issue: Issue): string {
  if (Array.isArray(found) && issue.code.startsWith("too_")) return String(found.length);
  const isText = typeof found === "string";
  return isText && !wantsText(issue) ? `the string ${describeValue(found)}` : describeValue(found);
}

function wantsText(issue: Issue): boolean {
  if (issue.code === "invalid_type") return false;
  return issue.code !== "invalid_value" || typeof issue.values[0] === "string";
}

/** The keys that the object at a path may have. */
function keysAt(schema: z.ZodMiniType, path: JsonPath): string[] {
  let at: z.core.$ZodType = schema;
  for (const key of path) {
    at = unwrapped(at);
    const { def } = at._zod as {
      def: { element?: z.core.$ZodType; shape?: Record<string, z.core.$ZodType> };
    };
    at = (typeof key === "number" ? def.element : def.shape?.[key]) ?? at;
  }
  return Object.keys((unwrapped(at)._zod.def as { shape?: object }).shape ?? {}).sort();
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType === undefined ? schema : unwrapped(innerType);
}
